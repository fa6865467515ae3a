// Signed distance to a closed triangle surface: the nearest point p by a hierarchy of boxes, and the side by the
// angle-weighted normal of the face, edge or vertex it lies on,
//
//   d(x) = sign((x - p).N) |x - p|,     N = sum over the triangles around of (angle at p) n               (1)
//
// which is right for every closed, outward oriented surface (Baerentzen and Aanaes: Signed distance computation
// using the angle weighted pseudonormal, 2005). The gradient is (x - p)/d, and N where x lies on the surface.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "phiflex/mesh/box_tree.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

class ClosedSurface {
 public:
  // InputError, naming it `name`, when the surface is open, not oriented, or inside out.
  ClosedSurface(const SurfaceMesh& mesh, const std::string& name);

  struct Nearest {
    double distance;  // m, negative inside
    Point3 normal;    // of length 1
  };
  // Not a number when x has one, or lies so far away that the square of the distance overflows.
  Nearest nearest(const Point3& x) const;

 private:
  std::vector<Point3> vertices_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<Point3> face_normals_, vertex_normals_;
  std::vector<std::array<Point3, 3>> edge_normals_;  // of each triangle's edge from corner k to k + 1
  BoxTree tree_;
};

}  // namespace phiflex

// Normals for smooth shading: at each corner of a triangle the mean of the normals of those triangles round the
// vertex that belong to the same smooth patch, weighted by their angles there. Which edges are sharp is decided
// once, on the rest shape: a box keeps its edges while it bends, and nothing flickers from frame to frame.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "phiflex/mesh/vec3.h"

namespace phiflex {

Point3 unit_vector(const Point3& a);  // of length 1; zero for zero

using CornerNormals = std::vector<std::array<Point3, 3>>;  // of every triangle, of length 1

class CreaseNormals {
 public:
  // Triangles meet smoothly when their normals differ by less than `degrees`.
  CreaseNormals(std::span<const Point3> rest, std::span<const std::array<int, 3>> triangles,
                double degrees = 40);
  CornerNormals at(std::span<const Point3> positions) const;

 private:
  std::span<const std::array<int, 3>> triangles_;  // must outlive this
  // Corner c = 3 t + k takes the corners members_[starts_[c]] .. members_[starts_[c + 1]].
  std::vector<int> starts_, members_;
};

}  // namespace phiflex

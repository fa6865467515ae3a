// Vertices where a mesh looks joined but is not.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

struct HangingVertices {
  std::size_t count = 0;
  std::size_t looked_at = 0;  // places and boxes around them: what the search cost
};

// The vertices of the triangles that lie inside an edge of another triangle: not at its ends, and off the
// line by at most 1e-9 of its length, which is coordinates' rounding in a file of ten digits.
//
// A search by places, through a tree of boxes: vertices at one place are one, edges with the same ends too, and a place
// that hangs is not looked at again. So it takes little more than the triangles, whatever the mesh.
HangingVertices find_hanging_vertices(const std::vector<Point3>& vertices,
                                      std::span<const std::array<int, 3>> triangles);

}  // namespace phiflex

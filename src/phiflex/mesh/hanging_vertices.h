// Vertices where a mesh looks joined but is not.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// How many vertices of the triangles lie inside an edge of another triangle: not at its ends, and off the
// line by at most 1e-9 of its length, which is coordinates' rounding in a file of ten digits.
std::size_t count_hanging_vertices(const std::vector<Point3>& vertices,
                                   std::span<const std::array<int, 3>> triangles);

}  // namespace phiflex

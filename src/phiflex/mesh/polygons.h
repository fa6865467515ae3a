// Cutting polygons into triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// Appends a polygon's n - 2 triangles by clipping ears in the polygon's own plane (its normal is the sum of
// the cross products of its edges), so that non-convex ones come out right. Corners must be valid indices.
// Polygons of more than 256 corners are cut as a fan: clipping costs the square of the corners.
void add_polygon(const std::vector<Point3>& vertices, std::span<const int> corners,
                 std::vector<std::array<int, 3>>& triangles);

}  // namespace phiflex

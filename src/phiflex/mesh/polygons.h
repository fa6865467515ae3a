// Cutting polygons into triangles.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// Appends a polygon's n - 2 triangles by clipping ears in the polygon's own plane (its normal is the sum of
// the cross products of its edges), so that non-convex ones come out right. Corners must be valid indices.
//
// A corner is an ear when it turns left and no corner that turns right lies in its triangle (where any corner does, one
// of those does). Cutting it off changes what its two neighbours are, and nothing else: every corner is asked when it
// comes to its turn and again when a neighbour has gone, and the corners that turn right lie in a tree of boxes. What
// has no ear left (a polygon without area, or one that crosses itself) is cut as a fan. Returns how many boxes and
// corners were looked at: what it cost.
std::size_t add_polygon(const std::vector<Point3>& vertices, std::span<const int> corners,
                        std::vector<std::array<int, 3>>& triangles);

}  // namespace phiflex

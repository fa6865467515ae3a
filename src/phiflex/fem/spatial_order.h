// An order of points in which neighbours in space are mostly neighbours in the list (Morton's curve).
#pragma once

#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// The points' indices along the curve; ties by index, so that the order is unique.
std::vector<int> spatial_order(const std::vector<Point3>& points);

}  // namespace phiflex

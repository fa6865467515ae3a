// Which vertices lie at exactly the same place.
#pragma once

#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// For each vertex the lowest index of one with equal coordinates (itself when it is the
// first; 0 and -0 are equal).
std::vector<int> first_at_same_place(const std::vector<Point3>& vertices);

}  // namespace phiflex

// A triangulated disc: the cross-section of cylinders and ropes.
#pragma once

#include <array>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

struct Disc {
  std::vector<Point3> vertices;  // x = 0
  std::vector<std::array<int, 3>> triangles;
};
// n rings around the centre, 6 n^2 triangles.
Disc make_disc(double radius, int n);

}  // namespace phiflex

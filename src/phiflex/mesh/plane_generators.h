// Triangles in the plane z = 0, counterclockwise. The same parameters give the same mesh, bit for bit.
#pragma once

#include <array>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// [0, size] in both directions, 2 m n triangles: each cell is cut along its rising diagonal.
struct RectangleShape {
  std::array<double, 2> size = {1, 1};  // m
  std::array<int, 2> cells = {4, 4};
};
SurfaceMesh generate_rectangle(const RectangleShape& shape);

// The triangle (0, 0), (a, 0), (0, b), cut into cells^2 similar ones.
struct RightTriangleShape {
  std::array<double, 2> size = {1, 1};  // m, a and b
  int cells = 4;
};
SurfaceMesh generate_right_triangle(const RightTriangleShape& shape);

}  // namespace phiflex

#include "phiflex/mesh/plane_generators.h"

#include <stdexcept>

namespace phiflex {

SurfaceMesh generate_rectangle(const RectangleShape& shape) {
  const auto [m, n] = shape.cells;
  if (!(shape.size[0] > 0 && shape.size[1] > 0) || m < 1 || n < 1)
    throw std::invalid_argument("generate_rectangle: nothing to make");
  SurfaceMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= m; ++i) mesh.vertices.push_back({shape.size[0] * i / m, shape.size[1] * j / n, 0});
  const int row = m + 1;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      const int v = j * row + i;
      mesh.triangles.push_back({v, v + 1, v + row + 1});
      mesh.triangles.push_back({v, v + row + 1, v + row});
    }
  return mesh;
}

SurfaceMesh generate_right_triangle(const RightTriangleShape& shape) {
  const int n = shape.cells;
  if (!(shape.size[0] > 0 && shape.size[1] > 0) || n < 1)
    throw std::invalid_argument("generate_right_triangle: nothing to make");
  SurfaceMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n - j; ++i) mesh.vertices.push_back({shape.size[0] * i / n, shape.size[1] * j / n, 0});
  int row = 0;  // its first vertex
  for (int j = 0; j < n; ++j) {
    const int above = row + n - j + 1;
    for (int i = 0; i < n - j; ++i) {
      mesh.triangles.push_back({row + i, row + i + 1, above + i});
      if (i + 1 < n - j) mesh.triangles.push_back({row + i + 1, above + i + 1, above + i});
    }
    row = above;
  }
  return mesh;
}

}  // namespace phiflex

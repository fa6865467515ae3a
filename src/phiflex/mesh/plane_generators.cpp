#include "phiflex/mesh/plane_generators.h"

#include <cmath>

#include "phiflex/mesh/generator_catalogue.h"

namespace phiflex {

template <class V>
void fields(V& v, RectangleShape& s) {
  v({.key = "size",
     .doc = "edge lengths along x and y, in the plane z = 0; a corner lies at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
  v({.key = "cells",
     .doc = "number of cells along x and y, each cut into two triangles along its rising diagonal",
     .range = at_least_one,
     .need = Need::required},
    s.cells);
}

SurfaceMesh generate_rectangle(const RectangleShape& shape) {
  const auto [m, n] = shape.cells;
  require_in_range(shape);
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

Generator rectangle_generator() {
  return make_generator<RectangleShape, SurfaceMesh>(
      {.name = "rectangle",
       .summary = "triangles in the plane z = 0, `size` [a, b] from the origin, two per cell",
       .count = [](const RectangleShape& shape) { return 2.0 * shape.cells[0] * shape.cells[1]; },
       .generate = generate_rectangle});
}

template <class V>
void fields(V& v, RightTriangleShape& s) {
  v({.key = "size",
     .doc = "lengths of the legs along x and y, in the plane z = 0; the right angle lies at the origin",
     .unit = "m",
     .range = ranges::positive,
     .need = Need::required},
    s.size);
  v({.key = "cells",
     .doc = "number n of triangles along each side: n^2 triangles",
     .range = at_least_one,
     .need = Need::required},
    s.cells);
}

SurfaceMesh generate_right_triangle(const RightTriangleShape& shape) {
  const int n = shape.cells;
  require_in_range(shape);
  SurfaceMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n - j; ++i)
      mesh.vertices.push_back({shape.size[0] * i / n, shape.size[1] * j / n, 0});
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

Generator triangle_generator() {
  return make_generator<RightTriangleShape, SurfaceMesh>(
      {.name = "triangle",
       .summary = "a right triangle in the plane z = 0 with legs `size` [a, b], cells^2 triangles",
       .count = [](const RightTriangleShape& shape) { return std::pow(double(shape.cells), 2); },
       .generate = generate_right_triangle});
}

}  // namespace phiflex

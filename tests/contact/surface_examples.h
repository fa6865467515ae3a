// Surfaces for the tests of this folder.
#pragma once

#include <map>

#include "phiflex/contact/contact_surface.h"

namespace phiflex {

struct Example {
  SurfacePart part;
  Vector rest;
};

inline Example empty_example(int vertices) {
  Example example{
      .part = {.name = "body", .triangles = {}, .edges = {}, .points = {}, .width = 0.01, .reach = 0.02},
      .rest = Vector::Zero(3 * vertices)};
  return example;
}

// The surface of a unit cube of n cells each way; vertices inside of it are left out.
inline Example cube_surface(int n) {
  std::map<std::array<int, 3>, int> number;
  std::vector<std::array<int, 3>> triangles;
  const auto vertex = [&](int axis, int side, int i, int j) {
    std::array<int, 3> at{};
    at[std::size_t(axis)] = side * n;
    at[std::size_t((axis + 1) % 3)] = i;
    at[std::size_t((axis + 2) % 3)] = j;
    return number.try_emplace(at, int(number.size())).first->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const int a = vertex(axis, side, i, j), b = vertex(axis, side, i + 1, j),
                    c = vertex(axis, side, i, j + 1), d = vertex(axis, side, i + 1, j + 1);
          triangles.push_back({a, b, d});
          triangles.push_back({a, d, c});
        }
  Example cube = empty_example(int(number.size()));
  cube.part.triangles = triangles;
  for (const auto& [at, v] : number)
    for (int i = 0; i < 3; ++i) cube.rest[3 * v + i] = double(at[std::size_t(i)]) / n;
  return cube;
}

// A sheet of m by n cells of 0.1 m in the plane z = 0; vertex j + i (n + 1) at (0.1 i, 0.1 j).
inline Example sheet(int m, int n) {
  Example cloth = empty_example((m + 1) * (n + 1));
  for (int i = 0; i <= m; ++i)
    for (int j = 0; j <= n; ++j) {
      const int v = i * (n + 1) + j;
      cloth.rest[3 * v] = 0.1 * i;
      cloth.rest[3 * v + 1] = 0.1 * j;
      if (i == m || j == n) continue;
      cloth.part.triangles.push_back({v, v + 1, v + n + 2});
      cloth.part.triangles.push_back({v, v + n + 2, v + n + 1});
    }
  return cloth;
}

// One after the other: vertices of b follow those of a.
inline std::vector<SurfacePart> side_by_side(const std::vector<Example>& examples, Vector& rest) {
  std::vector<SurfacePart> parts;
  rest.resize(0);
  for (const Example& example : examples) {
    const int first = int(rest.size() / 3);
    rest.conservativeResize(rest.size() + example.rest.size());
    rest.tail(example.rest.size()) = example.rest;
    parts.push_back(example.part);
    for (auto& triangle : parts.back().triangles)
      for (int& v : triangle) v += first;
    for (auto& edge : parts.back().edges)
      for (int& v : edge) v += first;
    for (int& v : parts.back().points) v += first;
  }
  return parts;
}

}  // namespace phiflex

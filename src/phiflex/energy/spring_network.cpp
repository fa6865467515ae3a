#include "phiflex/energy/spring_network.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace phiflex {

namespace {

double distance(const Point3& a, const Point3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// What a bar of this linear density weighs goes to its ends.
void add_bar(int a, int b, SpringKind kind, const SpringStrength& strength, double linear_density,
             SpringNetwork& network) {
  add_spring(a, b, kind, strength, network);
  add_mass(linear_density * network.springs.back().rest_length, std::array{a, b}, network);
}

}  // namespace

void add_spring(int a, int b, SpringKind kind, const SpringStrength& strength, SpringNetwork& network) {
  const double rest_length = distance(network.vertices[a], network.vertices[b]);
  const double factor = network.strength_of_kind[static_cast<std::size_t>(kind)];
  network.springs.push_back({a, b, factor * strength.constant(rest_length), rest_length});
  network.kinds.push_back(kind);
}

SpringNetwork generate_rope(const RopeShape& shape) {
  if (shape.segments < 1) throw std::invalid_argument("generate_rope: at least one segment is needed");
  SpringNetwork rope;
  for (int i = 0; i <= shape.segments; ++i) {
    const double s = double(i) / shape.segments;
    Point3 point;
    for (int k = 0; k < 3; ++k) point[k] = (1 - s) * shape.from[k] + s * shape.to[k];
    rope.vertices.push_back(point);
  }
  rope.masses.assign(rope.vertices.size(), 0.0);
  for (int i = 0; i < shape.segments; ++i)
    add_bar(i, i + 1, SpringKind::structural, shape.strength, shape.linear_density, rope);
  return rope;
}

SpringNetwork generate_cloth(const ClothShape& shape) {
  const auto [m, n] = shape.cells;
  if (m < 1 || n < 1) throw std::invalid_argument("generate_cloth: at least one cell is needed");
  const auto vertex = [m = m](int i, int j) { return j * (m + 1) + i; };
  const bool upright = shape.plane == ClothShape::Plane::upright;

  SpringNetwork cloth;
  cloth.strength_of_kind = {1, shape.shear, shape.bending};
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= m; ++i) {
      const double x = i * shape.size[0] / m, across = j * shape.size[1] / n;
      cloth.vertices.push_back({x, upright ? across : 0, upright ? 0 : across});
    }

  cloth.masses.assign(cloth.vertices.size(), 0.0);
  const double cell_mass = shape.area_density * shape.size[0] * shape.size[1] / m / n;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const std::array corner = {vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), vertex(i + 1, j + 1)};
      add_mass(cell_mass, corner, cloth);
      // Seen from above, y up; upright from the side of +z.
      std::array first = {corner[0], corner[2], corner[1]}, second = {corner[1], corner[2], corner[3]};
      if (upright) std::swap(first[1], first[2]), std::swap(second[1], second[2]);
      cloth.triangles.push_back(first);
      cloth.triangles.push_back(second);
    }
  }

  // Springs of one kind along the direction (di, dj), from every vertex where they fit.
  const auto add_springs = [&, m = m, n = n](int di, int dj, SpringKind kind) {
    if (cloth.strength_of_kind[static_cast<std::size_t>(kind)] == 0) return;
    for (int j = 0; j + dj <= n; ++j)
      for (int i = std::max(0, -di); i + std::max(0, di) <= m; ++i)
        add_spring(vertex(i, j), vertex(i + di, j + dj), kind, shape.strength, cloth);
  };
  add_springs(1, 0, SpringKind::structural);
  add_springs(0, 1, SpringKind::structural);
  add_springs(1, 1, SpringKind::shear);
  add_springs(-1, 1, SpringKind::shear);
  add_springs(2, 0, SpringKind::bending);
  add_springs(0, 2, SpringKind::bending);
  return cloth;
}

SpringNetwork generate_girder(const GirderShape& shape) {
  if (shape.bays < 1) throw std::invalid_argument("generate_girder: at least one bay is needed");
  const auto [length, height, width] = shape.size;
  SpringNetwork girder;
  girder.strength_of_kind = {1, shape.shear, 0};
  for (int i = 0; i <= shape.bays; ++i) {
    const double x = i * length / shape.bays;
    for (const Point3& p : {Point3{x, 0, 0}, {x, 0, width}, {x, height, width}, {x, height, 0}})
      girder.vertices.push_back(p);
  }
  girder.masses.assign(girder.vertices.size(), 0.0);
  const auto bar = [&](int a, int b, SpringKind kind) {
    if (kind == SpringKind::structural || shape.shear > 0)
      add_bar(a, b, kind, shape.strength, shape.linear_density, girder);
  };
  for (int i = 0; i <= shape.bays; ++i) {
    const int frame = 4 * i, next = frame + 4;
    for (int c = 0; c < 4; ++c) bar(frame + c, frame + (c + 1) % 4, SpringKind::structural);
    bar(frame, frame + 2, SpringKind::shear);
    bar(frame + 1, frame + 3, SpringKind::shear);
    if (i == shape.bays) break;
    for (int c = 0; c < 4; ++c) {
      bar(frame + c, next + c, SpringKind::structural);
      bar(frame + c, next + (c + 1) % 4, SpringKind::shear);
      bar(frame + (c + 1) % 4, next + c, SpringKind::shear);
    }
  }
  return girder;
}

}  // namespace phiflex

#include "phiflex/energy/spring_network.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace phiflex {
namespace {

double distance(const Point3& a, const Point3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// A spring at rest between two vertices; `factor` scales its strength.
void add_spring(int a, int b, SpringKind kind, const SpringStrength& strength, double factor,
                SpringNetwork& network) {
  const double rest_length = distance(network.vertices[a], network.vertices[b]);
  network.springs.push_back({a, b, factor * strength.constant(rest_length), rest_length});
  network.kinds.push_back(kind);
}

}  // namespace

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
  for (int i = 0; i < shape.segments; ++i) {
    add_spring(i, i + 1, SpringKind::structural, shape.strength, 1, rope);
    const double mass = shape.linear_density * rope.springs.back().rest_length;
    rope.masses[i] += mass / 2;
    rope.masses[i + 1] += mass / 2;
  }
  return rope;
}

SpringNetwork generate_cloth(const ClothShape& shape) {
  const auto [m, n] = shape.cells;
  if (m < 1 || n < 1) throw std::invalid_argument("generate_cloth: at least one cell is needed");
  const auto vertex = [m = m](int i, int j) { return j * (m + 1) + i; };

  SpringNetwork cloth;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= m; ++i) cloth.vertices.push_back({i * shape.size[0] / m, 0, j * shape.size[1] / n});

  cloth.masses.assign(cloth.vertices.size(), 0.0);
  const double cell_mass = shape.area_density * shape.size[0] * shape.size[1] / m / n;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const int corner[4] = {vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), vertex(i + 1, j + 1)};
      for (int v : corner) cloth.masses[v] += cell_mass / 4;
      cloth.triangles.push_back({corner[0], corner[2], corner[1]});  // seen from above, y up
      cloth.triangles.push_back({corner[1], corner[2], corner[3]});
    }
  }

  // Springs of one kind along the direction (di, dj), from every vertex where they fit.
  const auto add_springs = [&, m = m, n = n](int di, int dj, SpringKind kind, double factor) {
    if (factor == 0) return;
    for (int j = 0; j + dj <= n; ++j)
      for (int i = std::max(0, -di); i + std::max(0, di) <= m; ++i)
        add_spring(vertex(i, j), vertex(i + di, j + dj), kind, shape.strength, factor, cloth);
  };
  add_springs(1, 0, SpringKind::structural, 1);
  add_springs(0, 1, SpringKind::structural, 1);
  add_springs(1, 1, SpringKind::shear, shape.shear);
  add_springs(-1, 1, SpringKind::shear, shape.shear);
  add_springs(2, 0, SpringKind::bending, shape.bending);
  add_springs(0, 2, SpringKind::bending, shape.bending);
  return cloth;
}

}  // namespace phiflex

#include "phiflex/energy/fibre.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace phiflex {
namespace {

using Vec = Vec3<double>;

// Two unit vectors that make a right-handed frame with the unit vector t.
std::array<Vec, 2> across(const Vec& t) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(t[i]) < std::abs(t[least])) least = i;
  Vec axis{0, 0, 0};
  axis[least] = 1;
  Vec u = cross(axis, t);
  u = (1 / norm(u)) * u;
  return {u, cross(t, u)};
}

double distance(const SpringNetwork& network, int a, int b) {
  const Point3 &p = network.vertices[a], &q = network.vertices[b];
  return norm(Vec{p[0] - q[0], p[1] - q[1], p[2] - q[2]});
}

void add_fibre(const FibreRoot& root, const FibreShape& shape, SpringNetwork& network) {
  const Vec along{root.direction[0], root.direction[1], root.direction[2]};
  if (!(norm(along) > 0)) throw std::invalid_argument("generate_fibres: a fibre without direction");
  const Vec t = (1 / norm(along)) * along;
  const auto [u, v] = across(t);
  const double L = shape.length / shape.segments;
  const auto thickness = [&](double s) {  // s from 0 at the root to 1 at the tip
    return (1 - s) * shape.thickness[0] + s * shape.thickness[1];
  };

  const int first = static_cast<int>(network.vertices.size());
  constexpr double kCorner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int i = 0; i <= shape.segments; ++i) {
    const double half = thickness(double(i) / shape.segments) / std::sqrt(12.0);  // b/2 by (1)
    for (const auto& [cu, cv] : kCorner) {
      Point3 point;
      for (int k = 0; k < 3; ++k) point[k] = root.point[k] + i * L * t[k] + half * (cu * u[k] + cv * v[k]);
      network.vertices.push_back(point);
      network.masses.push_back(0);
    }
    const int section = first + 4 * i;
    const SpringStrength plate{SpringStrength::Measure::per_length, 0.5 * shape.young * L};
    for (int c = 0; c < 4; ++c)
      add_spring(section + c, section + (c + 1) % 4, SpringKind::structural, plate, network);
    add_spring(section, section + 2, SpringKind::structural, plate, network);
    add_spring(section + 1, section + 3, SpringKind::structural, plate, network);
  }

  for (int i = 0; i < shape.segments; ++i) {
    const int low = first + 4 * i, high = low + 4;
    const double w0 = thickness(double(i) / shape.segments), w1 = thickness((i + 1.0) / shape.segments);
    const double w = 0.5 * (w0 + w1), b2 = w * w / 3;
    const SpringStrength axial{SpringStrength::Measure::per_length, 0.25 * shape.young * w * w / L};  // (2)
    const double scissor =
        shape.shear_modulus * 0.140577 * w * w * w * w * (L * L + b2) / (4 * L * b2 * b2);  // (3)
    const double mass = shape.density * L * (w0 * w0 + w0 * w1 + w1 * w1) / 3;
    add_mass(mass, std::array{low, low + 1, low + 2, low + 3, high, high + 1, high + 2, high + 3}, network);
    for (int c = 0; c < 4; ++c) {
      const int next = (c + 1) % 4;
      add_spring(low + c, high + c, SpringKind::structural, axial, network);
      const double difference =
          distance(network, low + c, high + next) - distance(network, low + next, high + c);
      network.scissors.push_back({low + c, high + next, low + next, high + c, scissor, difference});
      network.triangles.push_back({low + c, low + next, high + next});  // seen from outside
      network.triangles.push_back({low + c, high + next, high + c});
    }
  }
  const int last = first + 4 * shape.segments;
  for (const auto& cap : {std::array{first, first + 2, first + 1},
                          {first, first + 3, first + 2},
                          {last, last + 1, last + 2},
                          {last, last + 2, last + 3}})
    network.triangles.push_back(cap);
}

}  // namespace

SpringNetwork generate_fibres(std::span<const FibreRoot> roots, const FibreShape& shape) {
  if (shape.segments < 1) throw std::invalid_argument("generate_fibres: at least one segment is needed");
  SpringNetwork network;
  const std::size_t segments = shape.segments * roots.size();
  network.vertices.reserve(4 * (segments + roots.size()));
  network.masses.reserve(4 * (segments + roots.size()));
  network.springs.reserve(10 * segments + 6 * roots.size());
  network.kinds.reserve(10 * segments + 6 * roots.size());
  network.scissors.reserve(4 * segments);
  network.triangles.reserve(8 * segments + 4 * roots.size());
  for (const FibreRoot& root : roots) add_fibre(root, shape, network);
  return network;
}

}  // namespace phiflex

// Whether an edge passes through a triangle, by the exact signs of five volumes: nothing that the contact room
// computes, and no tolerance. Numbers are sums of doubles that do not overlap (Shewchuk: Adaptive Precision
// Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997); they are needed only where rounding could
// decide a sign.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex::testing {

class ExactSum {
 public:
  void add(double value) {
    std::vector<double> grown;
    for (const double part : parts_) {
      const double sum = value + part, other = sum - value;
      const double lost = (value - (sum - other)) + (part - other);
      if (lost != 0) grown.push_back(lost);
      value = sum;
    }
    if (value != 0) grown.push_back(value);
    parts_ = std::move(grown);
  }
  void add_product(double factor, const ExactSum& a, const ExactSum& b) {  // factor: 1 or -1
    for (const double x : a.parts_)
      for (const double y : b.parts_) {
        const double product = x * y;
        add(factor * std::fma(x, y, -product));
        add(factor * product);
      }
  }
  int sign() const { return parts_.empty() ? 0 : parts_.back() > 0 ? 1 : -1; }

 private:
  std::vector<double> parts_;  // ascending in size
};

// -1, 0 or 1: the sign of det (b - a, c - a, d - a).
inline int exact_side(const Vector& x, int a, int b, int c, int d) {
  const auto at = [&](int v) { return Eigen::Vector3d(x.segment<3>(3 * Index(v))); };
  const Eigen::Vector3d p = at(b) - at(a), q = at(c) - at(a), r = at(d) - at(a);
  const double volume = p.cross(q).dot(r), size = p.norm() * q.norm() * r.norm();
  const double far = std::max({at(a).norm(), at(b).norm(), at(c).norm(), at(d).norm()});
  const double shift = far * (p.norm() * q.norm() + q.norm() * r.norm() + r.norm() * p.norm());
  if (std::abs(volume) > 1e-14 * (size + shift)) return volume > 0 ? 1 : -1;
  std::array<std::array<ExactSum, 3>, 3> e;
  const std::array<int, 3> ends = {b, c, d};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      e[k][i].add(x[3 * Index(ends[k]) + Index(i)]);
      e[k][i].add(-x[3 * Index(a) + Index(i)]);
    }
  ExactSum det;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    ExactSum minor;
    minor.add_product(1, e[1][j], e[2][k]);
    minor.add_product(-1, e[1][k], e[2][j]);
    det.add_product(1, e[0][i], minor);
  }
  return det.sign();
}

inline bool crosses_exactly(const Vector& x, const std::array<int, 2>& edge,
                            const std::array<int, 3>& triangle) {
  for (const int v : edge)
    if (v == triangle[0] || v == triangle[1] || v == triangle[2]) return false;
  for (Index i = 0; i < 3; ++i) {  // boxes apart
    const double p = x[3 * edge[0] + i], q = x[3 * edge[1] + i];
    const double a = x[3 * triangle[0] + i], b = x[3 * triangle[1] + i], c = x[3 * triangle[2] + i];
    if (std::max(p, q) < std::min({a, b, c}) || std::min(p, q) > std::max({a, b, c})) return false;
  }
  const auto [p, q] = edge;
  const auto [a, b, c] = triangle;
  if (exact_side(x, a, b, c, p) * exact_side(x, a, b, c, q) >= 0) return false;
  const int ab = exact_side(x, p, q, a, b), bc = exact_side(x, p, q, b, c), ca = exact_side(x, p, q, c, a);
  return (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
}

// How many edges of these triangles pass through another of them that they share no vertex with.
inline int count_exact_crossings(const Vector& x, const std::vector<std::array<int, 3>>& triangles) {
  int count = 0;
  for (const auto& s : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::array<int, 2> edge = {s[k], s[(k + 1) % 3]};
      if (edge[0] > edge[1]) continue;  // closed surfaces have every edge in both directions
      for (const auto& t : triangles) count += crosses_exactly(x, edge, t);
    }
  return count;
}

}  // namespace phiflex::testing

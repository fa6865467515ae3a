// A curve y(x) through given points, with everything that a material made of such curves asks of it.
//
// Between the knots x_0 < ... < x_n the natural cubic spline, with t = x - x_i, d = x_(i+1) - x_i and the
// second derivatives m_i that make y'' continuous and m_0 = m_n = 0:
//
//   y = y_i + t (s - d (2 m_i + m_(i+1))/6) + t^2 m_i/2 + t^3 (m_(i+1) - m_i)/(6 d),  s = (y_(i+1) - y_i)/d  (1)
//
// and beyond them the tangent. As y'' is zero at both ends, y'' is continuous everywhere.
//
//   integral(x) = int_1^x y                                                                               (2)
//   mean_slope(a, b) = (y(b) - y(a))/(b - a) = sum over pieces of (b_p - a_p)/(b - a) y_p[a_p, b_p]       (3)
//
// In (3) a_p and b_p are a and b moved into piece p and y_p[., .] is the divided difference of its
// polynomial, carried out: nothing cancels when a and b are near each other, across a knot or not.
#pragma once

#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "phiflex/base/pack.h"

namespace phiflex {

class CubicSpline {
 public:
  // Throws std::invalid_argument unless there are two knots or more, ascending, with one value each.
  CubicSpline(std::span<const double> knots, std::span<const double> values);

  template <class Real>
  struct Point {
    Real integral, value, slope;
  };
  // at and mean_slope are loops over the pieces, and functions of their own: kernels call them 7 to 20 times.
  template <class Real>
  [[gnu::noinline]] Point<Real> at(const Real& x) const {
    Real origin(pieces_[0].origin), c[5];
    for (int k = 0; k < 5; ++k) c[k] = Real(pieces_[0].c[k]);
    for (std::size_t p = 1; p < pieces_.size(); ++p) {
      const MaskOf<Real> beyond = x > Real(pieces_[p].left);
      origin = select(beyond, Real(pieces_[p].origin), origin);
      for (int k = 0; k < 5; ++k) c[k] = select(beyond, Real(pieces_[p].c[k]), c[k]);
    }
    const Real t = x - origin;
    return {
        c[0] + t * (c[1] + t * (Real(1.0 / 2) * c[2] + t * (Real(1.0 / 3) * c[3] + t * Real(0.25) * c[4]))),
        c[1] + t * (c[2] + t * (c[3] + t * c[4])), c[2] + t * (Real(2.0) * c[3] + t * Real(3.0) * c[4])};
  }
  template <class Real>
  [[gnu::noinline]] Real mean_slope(const Real& a, const Real& b) const {  // (3)
    const Real low = min(a, b), high = max(a, b);
    Real sum(0.0);
    for (const Piece& piece : pieces_) {
      const Real from = min(max(low, Real(piece.left)), Real(piece.right));
      const Real to = min(max(high, Real(piece.left)), Real(piece.right));
      const Real s = from - Real(piece.origin), t = to - Real(piece.origin);
      sum += (to - from) *
             (Real(piece.c[2]) + Real(piece.c[3]) * (s + t) + Real(piece.c[4]) * (s * s + s * t + t * t));
    }
    return select(high > low, sum / (high - low), at(a).slope);
  }

  double first_knot() const { return pieces_.front().right; }
  double last_knot() const { return pieces_.back().left; }

 private:
  // integral = c0 + c1 t + c2 t^2/2 + c3 t^3/3 + c4 t^4/4, t = x - origin, for left < x <= right.
  struct Piece {
    double left, right, origin;
    double c[5];
  };
  std::vector<Piece> pieces_;  // the first and the last are the tangents
};

inline CubicSpline::CubicSpline(std::span<const double> knots, std::span<const double> values) {
  const std::size_t n = knots.size();
  if (n < 2 || values.size() != n) throw std::invalid_argument("CubicSpline: sizes do not fit");
  for (std::size_t i = 1; i < n; ++i)
    if (!(knots[i - 1] < knots[i])) throw std::invalid_argument("CubicSpline: the knots do not ascend");

  // d_(i-1) m_(i-1) + 2 (d_(i-1) + d_i) m_i + d_i m_(i+1) = 6 (s_i - s_(i-1)), by elimination from the left.
  std::vector<double> m(n, 0.0), pivot(n, 1.0);
  const auto d = [&](std::size_t i) { return knots[i + 1] - knots[i]; };
  const auto s = [&](std::size_t i) { return (values[i + 1] - values[i]) / d(i); };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double factor = i > 1 ? d(i - 1) / pivot[i - 1] : 0.0;
    pivot[i] = 2 * (d(i - 1) + d(i)) - factor * (i > 1 ? d(i - 1) : 0.0);
    m[i] = 6 * (s(i) - s(i - 1)) - factor * m[i - 1];
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] = (m[i] - d(i) * m[i + 1]) / pivot[i];

  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double first_slope = s(0) - d(0) * m[1] / 6, last_slope = s(n - 2) + d(n - 2) * m[n - 2] / 6;
  pieces_.push_back({-infinity, knots[0], knots[0], {0, values[0], first_slope, 0, 0}});
  for (std::size_t i = 0; i + 1 < n; ++i)  // (1)
    pieces_.push_back(
        {knots[i],
         knots[i + 1],
         knots[i],
         {0, values[i], s(i) - d(i) * (2 * m[i] + m[i + 1]) / 6, m[i] / 2, (m[i + 1] - m[i]) / (6 * d(i))}});
  pieces_.push_back({knots[n - 1], infinity, knots[n - 1], {0, values[n - 1], last_slope, 0, 0}});
  for (std::size_t p = 2; p < pieces_.size(); ++p) {
    const Piece& before = pieces_[p - 1];
    const double t = before.right - before.origin;
    pieces_[p].c[0] =
        before.c[0] + t * (before.c[1] + t * (before.c[2] / 2 + t * (before.c[3] / 3 + t * before.c[4] / 4)));
  }
  const double at_rest = at(1.0).integral;
  for (Piece& piece : pieces_) piece.c[0] -= at_rest;  // (2)
}

}  // namespace phiflex

// The barrier of a squared distance, x = D/dhat^2, and its chord between the ends of a step. With u = 1 - x,
//
//   beta(x) = u^3/x for x < 1, else 0:    twice continuously differentiable, convex, decreasing            (1)
//   beta' = -u^2 (1 + 2 x)/x^2,    beta'' = 2 u (1 + x + x^2)/x^3                                          (2)
//
// It grows like 1/x: a state of energy E stays at distances with W beta(x) <= E. The logarithm of Li et al.
// (Incremental Potential Contact, 2020) would go down to exp(-E/W), below rounding in an impact without losses.
//
// Chord (beta(b) - beta(a))/(b - a) and its derivative by b, with u = 1 - a, v = 1 - b:
//
//   a, b < 1:     -(u^2 b + v^2 a + u v)/(a b),      (u + a v (1 + b))/(a b^2)                             (3)
//   a < 1 <= b:   -u^3/(a (b - a)),                  u^3/(a (b - a)^2)                                     (4)
//   b < 1 <= a:   -v^3/(b (a - b)),                  v^2 ((1 + b)(a - b) + b (a - 1))/(b^2 (a - b)^2)      (5)
//
// (3) is the quotient of polynomials divided out: every summand has the sign of the sum, so that all digits are kept
//     for
// any a and b, equal ones too. The chord is never positive, its derivative never negative. By convexity
//
//   (beta'(b) - chord) (b - a) = (b - a)^2 (d chord/db) >= 0                                                (6)
//
// is what a step takes that uses the slope at its end in place of the chord.
#pragma once

namespace phiflex {

// For x > 0.
constexpr double barrier(double x) {
  const double u = 1 - x;
  return x < 1 ? u * u * u / x : 0;
}
constexpr double barrier_slope(double x) {
  const double u = 1 - x;
  return x < 1 ? -u * u * (1 + 2 * x) / (x * x) : 0;
}
constexpr double barrier_curvature(double x) {
  return x < 1 ? 2 * (1 - x) * (1 + x + x * x) / (x * x * x) : 0;
}

struct BarrierChord {
  double value = 0;  // (3) to (5), <= 0
  double slope = 0;  // by b, >= 0
};

constexpr BarrierChord barrier_chord(double a, double b) {
  const double u = 1 - a, v = 1 - b;
  if (a < 1 && b < 1)
    return {-(u * u * b + v * v * a + u * v) / (a * b), (u + a * v * (1 + b)) / (a * b * b)};  // (3)
  if (a < 1) {
    const double way = u - v;
    return {-u * u * u / (a * way), u * u * u / (a * way * way)};  // (4)
  }
  if (b < 1) {
    const double way = v - u;
    return {-v * v * v / (b * way), v * v * ((1 + b) * way - b * u) / (b * b * way * way)};  // (5)
  }
  return {};
}

// The factor of the barrier of two edges that are nearly parallel, a function of c = |e_a x e_b|^2 (Li et al.,
// Incremental Potential Contact, 2020): with t = c/c0,
//
//   m = t (2 - t) for t < 1, else 1;    m' = 2 (1 - t)/c0                                                   (7)
//   chord:  (2 - s - t)/c0 for s, t < 1;    (1 - s)^2/((t - s) c0) for s < 1 <= t                           (8)
//
// Without it the distance of parallel edges has a gradient that jumps. c0 > 0.
constexpr double mollifier(double c, double c0) {
  const double t = c / c0;
  return t < 1 ? t * (2 - t) : 1;
}
constexpr double mollifier_slope(double c, double c0) {
  const double t = c / c0;
  return t < 1 ? 2 * (1 - t) / c0 : 0;
}
constexpr double mollifier_chord(double c, double c_next, double c0) {
  const double s = (c < c_next ? c : c_next) / c0, t = (c < c_next ? c_next : c) / c0;
  if (t < 1) return (2 - s - t) / c0;
  return s < 1 ? (1 - s) * (1 - s) / ((t - s) * c0) : 0;
}

}  // namespace phiflex

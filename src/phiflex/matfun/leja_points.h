// Newton interpolation of the exponential, in real arithmetic, on an ellipse that is symmetric about the real
// axis: centre c, semi-axes a (real) and b (imaginary), capacity g = (a + b)/2. With x = (z - c)/g,
//
//   e^(s z) = e^(s c) ( cosh(k x) + x sinh(k x)/x ),   k = s g                                            (1)
//
// both functions being even in x: functions of y = x^2, interpolated at points y_0, y_1, ... of
//
//   y = f (2 + xi),   f = (a - b)/(a + b),   xi in [-2, 2],                                               (2)
//
// the squares of the focal interval of the ellipse. For b > a the points x are imaginary, in conjugate pairs,
// and still everything is real; for a = b the points coincide and this is the Taylor series about the centre.
//
//   e^(s z) ~ sum_i (even_i + odd_i x) prod_{l < i} (x^2 - y_l)                                           (3)
//
// Leja points xi make the products in (3) grow as slowly as possible: xi_i maximizes prod_{l < i} |xi - xi_l|.
// The capacity of [-2, 2] is 1, so are the sizes of the products on the ellipse, about, and rounding errors
// relative to the largest coefficient are harmless. The coefficients are the first columns of functions of the
// bidiagonal matrix of Opitz,
//
//   even = cosh(k sqrt(Y)) e_1,   odd = sinh(k sqrt(Y))/sqrt(Y) e_1,   Y = diag(y) + the lower diagonal of ones,
//
// which solve  odd' = even, even' = Y odd  in k: no differences are divided (Caliari: Accurate evaluation of
// divided differences for polynomial interpolation of exponential propagators, 2007).                     (4)
#pragma once

#include <array>

namespace phiflex {

inline constexpr int kLejaPairs = 64;  // points y; the interpolation has twice that degree

const std::array<double, kLejaPairs>& leja_points();  // xi, on [-2, 2]

struct NewtonExponential {
  std::array<double, kLejaPairs> y, even, odd;
  // s c = shift, k and f as in (1), (2).
  void compute(double shift, double k, double f);
};

}  // namespace phiflex

// Dual numbers: a + b e with e^2 = 0. A function computed with x + e carries its derivative at x,
//
//   f(x + e) = f(x) + f'(x) e,                                                                            (1)
//
// exact to rounding. Dual<Dual<double>> carries second derivatives. Comparisons look at values only.
#pragma once

#include <cmath>

#include "phiflex/base/pack.h"

namespace phiflex {

template <class Real = double>
struct Dual {
  Real value;
  Real slope;

  Dual() = default;
  Dual(double x) : value(x), slope(0.0) {}
  Dual(Real x, Real dx) : value(x), slope(dx) {}

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const Real quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
};

template <class Real>
Dual<Real> select(bool mask, const Dual<Real>& yes, const Dual<Real>& no) {
  return mask ? yes : no;
}
template <class Real>
Dual<Real> sqrt(const Dual<Real>& x) {
  const Real root = sqrt(x.value);
  return {root, x.slope / (root + root)};
}
template <class Real>
Dual<Real> log(const Dual<Real>& x) {
  return {log(x.value), x.slope / x.value};
}
template <class Real>
Dual<Real> cbrt(const Dual<Real>& x) {
  const Real root = cbrt(x.value);
  return {root, x.slope / (Real(3.0) * root * root)};
}
template <class Real>
Dual<Real> abs(const Dual<Real>& x) {
  return select(x < Dual<Real>(0.0), -x, x);
}
template <class Real>
Dual<Real> min(const Dual<Real>& a, const Dual<Real>& b) {
  return select(a < b, a, b);
}
template <class Real>
Dual<Real> max(const Dual<Real>& a, const Dual<Real>& b) {
  return select(a > b, a, b);
}

}  // namespace phiflex

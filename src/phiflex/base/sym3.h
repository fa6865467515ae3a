// Symmetric matrices of size three over any number type, by their six different entries in the order
// 00, 11, 22, 12, 02, 01.
#pragma once

#include "phiflex/base/mat3.h"

namespace phiflex {

template <class Real>
struct Sym3 {
  Real e[6];
  PHIFLEX_HD const Real& operator()(int i, int j) const { return e[i == j ? i : 6 - i - j]; }
  PHIFLEX_HD Real& operator()(int i, int j) { return e[i == j ? i : 6 - i - j]; }

  PHIFLEX_HD static Sym3 zero() { return scaled_identity(Real(0.0)); }
  PHIFLEX_HD static Sym3 scaled_identity(const Real& s) { return {s, s, s, Real(0.0), Real(0.0), Real(0.0)}; }
  // Entry k is one, off the diagonal both of its places.
  PHIFLEX_HD static Sym3 unit(int k) {
    Sym3 a = zero();
    a.e[k] = Real(1.0);
    return a;
  }

  PHIFLEX_HD friend Sym3 operator+(const Sym3& a, const Sym3& b) {
    Sym3 c;
    for (int k = 0; k < 6; ++k) c.e[k] = a.e[k] + b.e[k];
    return c;
  }
  PHIFLEX_HD friend Sym3 operator-(const Sym3& a, const Sym3& b) {
    Sym3 c;
    for (int k = 0; k < 6; ++k) c.e[k] = a.e[k] - b.e[k];
    return c;
  }
  PHIFLEX_HD friend Sym3 operator*(const Real& s, const Sym3& a) {
    Sym3 c;
    for (int k = 0; k < 6; ++k) c.e[k] = s * a.e[k];
    return c;
  }
  PHIFLEX_HD friend Vec3<Real> operator*(const Sym3& a, const Vec3<Real>& x) {
    return {a.e[0] * x[0] + a.e[5] * x[1] + a.e[4] * x[2], a.e[5] * x[0] + a.e[1] * x[1] + a.e[3] * x[2],
            a.e[4] * x[0] + a.e[3] * x[1] + a.e[2] * x[2]};
  }
  PHIFLEX_HD Sym3& operator+=(const Sym3& b) { return *this = *this + b; }
};

template <class Real>
PHIFLEX_HD Mat3<Real> full(const Sym3<Real>& a) {
  return {a.e[0], a.e[5], a.e[4], a.e[5], a.e[1], a.e[3], a.e[4], a.e[3], a.e[2]};
}
template <class Real>
PHIFLEX_HD Sym3<Real> symmetric_part(const Mat3<Real>& a) {
  const Real half(0.5);
  return {a(0, 0),
          a(1, 1),
          a(2, 2),
          half * (a(1, 2) + a(2, 1)),
          half * (a(0, 2) + a(2, 0)),
          half * (a(0, 1) + a(1, 0))};
}
// F'F.
template <class Real>
PHIFLEX_HD Sym3<Real> gram(const Mat3<Real>& F) {
  const auto columns = [&](int i, int j) {
    return F(0, i) * F(0, j) + F(1, i) * F(1, j) + F(2, i) * F(2, j);
  };
  return {columns(0, 0), columns(1, 1), columns(2, 2), columns(1, 2), columns(0, 2), columns(0, 1)};
}
template <class Real>
PHIFLEX_HD Real trace(const Sym3<Real>& a) {
  return a.e[0] + a.e[1] + a.e[2];
}
// A:B, the sum of products of all nine entries.
template <class Real>
PHIFLEX_HD Real contract(const Sym3<Real>& a, const Sym3<Real>& b) {
  return (a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2]) +
         Real(2.0) * (a.e[3] * b.e[3] + a.e[4] * b.e[4] + a.e[5] * b.e[5]);
}
template <class Real>
PHIFLEX_HD Sym3<Real> cofactor(const Sym3<Real>& a) {
  return {a.e[1] * a.e[2] - a.e[3] * a.e[3], a.e[0] * a.e[2] - a.e[4] * a.e[4],
          a.e[0] * a.e[1] - a.e[5] * a.e[5], a.e[4] * a.e[5] - a.e[0] * a.e[3],
          a.e[3] * a.e[5] - a.e[1] * a.e[4], a.e[3] * a.e[4] - a.e[2] * a.e[5]};
}
// The derivative of cof(A) in direction dA.
template <class Real>
PHIFLEX_HD Sym3<Real> cofactor_derivative(const Sym3<Real>& a, const Sym3<Real>& d) {
  const Real two(2.0);
  return {a.e[1] * d.e[2] + d.e[1] * a.e[2] - two * a.e[3] * d.e[3],
          a.e[0] * d.e[2] + d.e[0] * a.e[2] - two * a.e[4] * d.e[4],
          a.e[0] * d.e[1] + d.e[0] * a.e[1] - two * a.e[5] * d.e[5],
          a.e[4] * d.e[5] + d.e[4] * a.e[5] - a.e[0] * d.e[3] - d.e[0] * a.e[3],
          a.e[3] * d.e[5] + d.e[3] * a.e[5] - a.e[1] * d.e[4] - d.e[1] * a.e[4],
          a.e[3] * d.e[4] + d.e[3] * a.e[4] - a.e[2] * d.e[5] - d.e[2] * a.e[5]};
}
// det A from A and its cofactor matrix.
template <class Real>
PHIFLEX_HD Real determinant(const Sym3<Real>& a, const Sym3<Real>& cofactor) {
  return a.e[0] * cofactor.e[0] + a.e[5] * cofactor.e[5] + a.e[4] * cofactor.e[4];
}

}  // namespace phiflex

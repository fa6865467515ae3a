// Vectors and matrices of size three over any number type (double, a dual number, Pack<W>).
// Matrices are stored by rows: m(i, j) is row i, column j. Vectors are columns.
#pragma once

#include "phiflex/base/pack.h"

namespace phiflex {

template <class Real>
struct Vec3 {
  Real e[3];
  PHIFLEX_HD Real& operator[](int i) { return e[i]; }
  PHIFLEX_HD const Real& operator[](int i) const { return e[i]; }

  PHIFLEX_HD friend Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  }
  PHIFLEX_HD friend Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  PHIFLEX_HD friend Vec3 operator-(const Vec3& a) { return {-a[0], -a[1], -a[2]}; }
  PHIFLEX_HD friend Vec3 operator*(const Real& s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
  PHIFLEX_HD Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  PHIFLEX_HD Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
};

template <class Real>
PHIFLEX_HD Real dot(const Vec3<Real>& a, const Vec3<Real>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class Real>
PHIFLEX_HD Vec3<Real> cross(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class Real>
PHIFLEX_HD Real norm(const Vec3<Real>& a) {
  return sqrt(dot(a, a));
}

template <class Real>
struct Mat3 {
  Real e[9];
  PHIFLEX_HD Real& operator()(int i, int j) { return e[3 * i + j]; }
  PHIFLEX_HD const Real& operator()(int i, int j) const { return e[3 * i + j]; }

  PHIFLEX_HD static Mat3 zero() {
    Mat3 m;
    for (Real& x : m.e) x = Real(0.0);
    return m;
  }
  PHIFLEX_HD static Mat3 identity() { return scaled_identity(Real(1.0)); }
  PHIFLEX_HD static Mat3 scaled_identity(const Real& s) {
    Mat3 m = zero();
    m(0, 0) = m(1, 1) = m(2, 2) = s;
    return m;
  }

  PHIFLEX_HD friend Mat3 operator+(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int k = 0; k < 9; ++k) c.e[k] = a.e[k] + b.e[k];
    return c;
  }
  PHIFLEX_HD friend Mat3 operator-(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int k = 0; k < 9; ++k) c.e[k] = a.e[k] - b.e[k];
    return c;
  }
  PHIFLEX_HD friend Mat3 operator*(const Real& s, const Mat3& a) {
    Mat3 c;
    for (int k = 0; k < 9; ++k) c.e[k] = s * a.e[k];
    return c;
  }
  PHIFLEX_HD friend Mat3 operator*(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
    return c;
  }
  PHIFLEX_HD friend Vec3<Real> operator*(const Mat3& a, const Vec3<Real>& x) {
    return {a(0, 0) * x[0] + a(0, 1) * x[1] + a(0, 2) * x[2],
            a(1, 0) * x[0] + a(1, 1) * x[1] + a(1, 2) * x[2],
            a(2, 0) * x[0] + a(2, 1) * x[1] + a(2, 2) * x[2]};
  }
  PHIFLEX_HD Mat3& operator+=(const Mat3& b) { return *this = *this + b; }
  PHIFLEX_HD Mat3& operator-=(const Mat3& b) { return *this = *this - b; }
};

template <class Real>
PHIFLEX_HD Mat3<Real> transpose(const Mat3<Real>& a) {
  Mat3<Real> t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t(i, j) = a(j, i);
  return t;
}
template <class Real>
PHIFLEX_HD Real trace(const Mat3<Real>& a) {
  return a(0, 0) + a(1, 1) + a(2, 2);
}
// A:B, the sum of products of entries.
template <class Real>
PHIFLEX_HD Real contract(const Mat3<Real>& a, const Mat3<Real>& b) {
  Real sum = a.e[0] * b.e[0];
  for (int k = 1; k < 9; ++k) sum = sum + a.e[k] * b.e[k];
  return sum;
}
template <class Real>
PHIFLEX_HD Mat3<Real> outer(const Vec3<Real>& a, const Vec3<Real>& b) {
  Mat3<Real> m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = a[i] * b[j];
  return m;
}
template <class Real>
PHIFLEX_HD Mat3<Real> diagonal(const Vec3<Real>& d) {
  Mat3<Real> m = Mat3<Real>::zero();
  for (int i = 0; i < 3; ++i) m(i, i) = d[i];
  return m;
}
template <class Real>
PHIFLEX_HD Vec3<Real> column(const Mat3<Real>& a, int j) {
  return {a(0, j), a(1, j), a(2, j)};
}
template <class Real>
PHIFLEX_HD Mat3<Real> from_columns(const Vec3<Real>& a, const Vec3<Real>& b, const Vec3<Real>& c) {
  return {a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]};
}
// The cofactor matrix: cof(A) = det(A) A^-T, defined for singular A too; d det(A) = cof(A):dA.
template <class Real>
PHIFLEX_HD Mat3<Real> cofactor(const Mat3<Real>& a) {
  return {a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1), a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2),
          a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0), a(0, 2) * a(2, 1) - a(0, 1) * a(2, 2),
          a(0, 0) * a(2, 2) - a(0, 2) * a(2, 0), a(0, 1) * a(2, 0) - a(0, 0) * a(2, 1),
          a(0, 1) * a(1, 2) - a(0, 2) * a(1, 1), a(0, 2) * a(1, 0) - a(0, 0) * a(1, 2),
          a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0)};
}
// The derivative of cof(A) in direction dA; cof is quadratic, so this is linear in A as well.
template <class Real>
PHIFLEX_HD Mat3<Real> cofactor_derivative(const Mat3<Real>& a, const Mat3<Real>& da) {
  Mat3<Real> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c(i, j) =
          da(i1, j1) * a(i2, j2) + a(i1, j1) * da(i2, j2) - da(i1, j2) * a(i2, j1) - a(i1, j2) * da(i2, j1);
    }
  return c;
}
template <class Real>
PHIFLEX_HD Real determinant(const Mat3<Real>& a) {
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) -
         a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}
template <class Real>
PHIFLEX_HD Mat3<Real> inverse(const Mat3<Real>& a) {
  return (Real(1.0) / determinant(a)) * transpose(cofactor(a));
}

}  // namespace phiflex

// The singular value decomposition of 3x3 matrices, on any number type, with rotations on both sides:
//
//   F = U diag(s) V',   U, V rotations,   s_0 >= s_1 >= |s_2|,   sign of s_2 = sign of det F              (1)
//   F = R S,            R = U V' a rotation (also for inverted F),   S = V diag(s) V'                     (2)
//
// One-sided Jacobi (Hestenes): rotate pairs of columns of B = F V until all are orthogonal,
//
//   [b_p b_q] <- [c b_p - t c b_q,  t c b_p + c b_q],   c = 1/sqrt(1 + t^2),
//   t = 2g sign(d) / (|d| + sqrt(d^2 + 4 g^2)),   g = b_p.b_q,   d = b_q.b_q - b_p.b_p                    (3)
//
// then s_i = |b_i|, u_i = b_i/s_i, and u_2 = u_0 x u_1. Unlike the eigenvectors of F'F this loses nothing on
// small singular values: |F - U diag(s) V'| is a few roundings of |F| for every F, singular or zero.
// Hestenes, Inversion of matrices by biorthogonalization and related results (1958).
//
// The angles shrink quadratically: after a sweep in which every pair had both its cosine and its tangent t
// below the root of the rounding unit nothing is left to do. Such a lane stays as it is while its neighbours
// go on, so the result of a lane does not depend on the others.
#pragma once

#include "phiflex/base/mat3.h"

namespace phiflex {

template <class Real>
struct Svd3 {
  Mat3<Real> U;
  Vec3<Real> s;
  Mat3<Real> V;
  PHIFLEX_HD Mat3<Real> rotation() const { return U * transpose(V); }  // R of (2)
};

namespace svd_detail {

template <class Real>
PHIFLEX_HD Vec3<Real> select_each(MaskOf<Real> mask, const Vec3<Real>& yes, const Vec3<Real>& no) {
  return {select(mask, yes[0], no[0]), select(mask, yes[1], no[1]), select(mask, yes[2], no[2])};
}

// Step (3) on columns p and q of B and V, in the active lanes; true where another sweep is needed after it.
template <class Real>
PHIFLEX_HD MaskOf<Real> orthogonalize(MaskOf<Real> active, Vec3<Real>& bp, Vec3<Real>& bq, Vec3<Real>& vp,
                                      Vec3<Real>& vq) {
  constexpr double unit = 0x1p-52, cosine_rounding = 0x1p-50;
  const Real a = dot(bp, bp), b = dot(bq, bq), g = dot(bp, bq), d = b - a;
  const MaskOf<Real> oblique = g * g > Real(cosine_rounding * cosine_rounding) * (a * b);
  const MaskOf<Real> needed = active & oblique;
  const Real sign = select(d < Real(0.0), Real(-2.0), Real(2.0));
  const Real t = select(needed, sign * g / (abs(d) + sqrt(d * d + Real(4.0) * g * g)), Real(0.0));
  const Real c = Real(1.0) / sqrt(Real(1.0) + t * t), tc = t * c;
  const Vec3<Real> b_old = bp, v_old = vp;
  bp = c * bp - tc * bq;
  bq = tc * b_old + c * bq;
  vp = c * vp - tc * vq;
  vq = tc * v_old + c * vq;
  const MaskOf<Real> turned = t * t > Real(unit), tilted = g * g > Real(unit) * (a * b);
  return needed & (turned | tilted);
}

// Exchanges the columns where the second is longer; the sign keeps V a rotation.
template <class Real>
PHIFLEX_HD void sort_pair(Vec3<Real>& bp, Vec3<Real>& bq, Vec3<Real>& vp, Vec3<Real>& vq) {
  const MaskOf<Real> wrong = dot(bp, bp) < dot(bq, bq);
  const Vec3<Real> b_old = bp, v_old = vp;
  bp = select_each(wrong, bq, bp);
  bq = select_each(wrong, -b_old, bq);
  vp = select_each(wrong, vq, vp);
  vq = select_each(wrong, -v_old, vq);
}

// A unit vector orthogonal to the unit vector u (Duff et al., Building an
// orthonormal basis, revisited, 2017).
template <class Real>
PHIFLEX_HD Vec3<Real> orthogonal_to(const Vec3<Real>& u) {
  const Real sign = select(u[2] < Real(0.0), Real(-1.0), Real(1.0));
  const Real a = Real(-1.0) / (sign + u[2]);
  return {Real(1.0) + sign * u[0] * u[0] * a, sign * u[0] * u[1] * a, -sign * u[0]};
}

}  // namespace svd_detail

template <class Real>
PHIFLEX_HD Svd3<Real> svd3(const Mat3<Real>& F) {
  using namespace svd_detail;
  // Entries of size one at most, so that squares neither overflow nor vanish.
  Real size = abs(F.e[0]);
  for (int k = 1; k < 9; ++k) size = max(size, abs(F.e[k]));
  size = select(size > Real(0.0), size, Real(1.0));
  const Mat3<Real> scaled = (Real(1.0) / size) * F;
  Vec3<Real> b[3], v[3];
  for (int j = 0; j < 3; ++j) {
    b[j] = column(scaled, j);
    v[j] = column(Mat3<Real>::identity(), j);
  }

  // 3 or 4 sweeps from any start; the limit is a guard.
  constexpr int sweep_limit = 16;
  MaskOf<Real> active = Real(0.0) < Real(1.0);
  for (int sweep = 0; sweep < sweep_limit && any(active); ++sweep) {
    const MaskOf<Real> r01 = orthogonalize(active, b[0], b[1], v[0], v[1]);
    const MaskOf<Real> r02 = orthogonalize(active, b[0], b[2], v[0], v[2]);
    const MaskOf<Real> r12 = orthogonalize(active, b[1], b[2], v[1], v[2]);
    active = r01 | r02 | r12;
  }
  sort_pair(b[0], b[1], v[0], v[1]);
  sort_pair(b[0], b[2], v[0], v[2]);
  sort_pair(b[1], b[2], v[1], v[2]);

  // Columns below `nothing` have no direction: any orthogonal one serves, at an error of that size.
  constexpr double nothing = 1e-120;
  const Real square0 = dot(b[0], b[0]);
  const Real s0 = select(square0 > Real(nothing * nothing), sqrt(square0), Real(0.0));
  const Vec3<Real> u0 =
      select_each(s0 > Real(0.0), (Real(1.0) / s0) * b[0], Vec3<Real>{Real(1.0), Real(0.0), Real(0.0)});
  const Vec3<Real> b1 = b[1] - dot(u0, b[1]) * u0;
  const Real square1 = dot(b1, b1);
  const Real s1 = select(square1 > Real(nothing * nothing), sqrt(square1), Real(0.0));
  const Vec3<Real> u1 = select_each(s1 > Real(0.0), (Real(1.0) / s1) * b1, orthogonal_to(u0));
  const Vec3<Real> u2 = cross(u0, u1);
  return {from_columns(u0, u1, u2), size * Vec3<Real>{s0, s1, dot(u2, b[2])}, from_columns(v[0], v[1], v[2])};
}

}  // namespace phiflex

// The second derivative of an isotropic energy psi(s_0, s_1, s_2), in the frame of F = U diag(s) V'.
//
// With dF' = U' dF V and dP' = U' dP V, and (i, j, k) a permutation of (0, 1, 2):
//
//   dP'_ii = sum_j A_ij dF'_jj,   A_ij = psi_ij                          (scaling)                        (1)
//   dP'_ij = p_k dF'_ij + q_k dF'_ji                                     (pair opposite to k)             (2)
//   p_k = (flip_k + twist_k)/2,   q_k = (flip_k - twist_k)/2                                              (3)
//   flip_k = (psi_i - psi_j)/(s_i - s_j),   twist_k = (psi_i + psi_j)/(s_i + s_j)                         (4)
//
// so the eigenvalues are those of A, the three flips and the three twists, and the projection onto positive
// semidefinite matrices replaces A, flip_k and twist_k by their positive parts. A law gives (4) in closed
// form, with the quotients carried out: equal stretches are no special case.
// Smith, de Goes, Kim, Analytic eigensystems for isotropic distortion energies (2019).
#pragma once

#include "phiflex/material/material.h"
#include "phiflex/material/svd3.h"

namespace phiflex {

template <class Real>
struct PrincipalCurvature {
  Mat3<Real> scaling;  // A, symmetric
  Real flip[3], twist[3];
};

// (1) to (3) as an operator on dF.
template <class Real>
class PrincipalHessian {
 public:
  PHIFLEX_HD PrincipalHessian(const Mat3<Real>& U, const Mat3<Real>& V, const PrincipalCurvature<Real>& c)
      : U_(U), V_(V), A_(c.scaling) {
    for (int k = 0; k < 3; ++k) {
      p_[k] = Real(0.5) * (c.flip[k] + c.twist[k]);
      q_[k] = Real(0.5) * (c.flip[k] - c.twist[k]);
    }
  }

  PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const {
    const Mat3<Real> x = transpose(U_) * dF * V_;
    Mat3<Real> y;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      y(i, i) = A_(i, 0) * x(0, 0) + A_(i, 1) * x(1, 1) + A_(i, 2) * x(2, 2);
      y(i, j) = p_[k] * x(i, j) + q_[k] * x(j, i);
      y(j, i) = p_[k] * x(j, i) + q_[k] * x(i, j);
    }
    return U_ * y * transpose(V_);
  }

  // With a' = V'a and b' = V'b, (1) gives A_ij a'_i b'_j and (2) gives p_k a'_j b'_j at (i, i) and
  // q_k a'_j b'_i at (i, j).
  PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {
    const Mat3<Real> Vt = transpose(V_);
    const Vec3<Real> x = Vt * a, y = Vt * b;
    Mat3<Real> m;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      m(i, i) = A_(i, i) * x[i] * y[i] + p_[k] * x[j] * y[j] + p_[j] * x[k] * y[k];
      m(i, j) = A_(i, j) * x[i] * y[j] + q_[k] * x[j] * y[i];
      m(j, i) = A_(j, i) * x[j] * y[i] + q_[k] * x[i] * y[j];
    }
    return U_ * m * transpose(U_);
  }

 private:
  Mat3<Real> U_, V_, A_;
  Real p_[3], q_[3];
};

// Removes the negative part of a curvature. `changed` marks the lanes where it was more than rounding.
template <class Real>
struct PositiveCurvature {
  PrincipalCurvature<Real> curvature;
  MaskOf<Real> changed;

  PHIFLEX_HD explicit PositiveCurvature(const PrincipalCurvature<Real>& c)
      : curvature(c), changed(Real(1.0) < Real(0.0)) {
    const Real zero(0.0);
    Real largest = zero, least = zero;
    for (int k = 0; k < 3; ++k) {
      largest = max(largest, max(c.flip[k], max(c.twist[k], abs(c.scaling(k, k)))));
      least = min(least, min(c.flip[k], c.twist[k]));
      curvature.flip[k] = max(c.flip[k], zero);
      curvature.twist[k] = max(c.twist[k], zero);
    }
    if (any(!positive_definite(c.scaling))) {
      // |A| = V |s| V' for a symmetric A = U diag(s) V'; the positive part is (A + |A|)/2.
      const Svd3<Real> svd = svd3(c.scaling);
      const Vec3<Real> size = {abs(svd.s[0]), abs(svd.s[1]), abs(svd.s[2])};
      const Mat3<Real> absolute = svd.V * diagonal(size) * transpose(svd.V);
      const Real negative = Real(0.5) * (trace(c.scaling) - (size[0] + size[1] + size[2]));
      const auto negative_lanes = negative < Real(-kRounding) * size[0];
      for (int e = 0; e < 9; ++e)
        curvature.scaling.e[e] =
            select(negative_lanes, Real(0.5) * (c.scaling.e[e] + absolute.e[e]), c.scaling.e[e]);
      largest = max(largest, size[0]);
      least = min(least, negative);
    }
    changed = least < Real(-kRounding) * largest;
  }

 private:
  static constexpr double kRounding = 1e-12;  // of the largest eigenvalue: thousands of roundings

  // All leading minors are positive.
  PHIFLEX_HD static MaskOf<Real> positive_definite(const Mat3<Real>& a) {
    const Real zero(0.0);
    const MaskOf<Real> first = a(0, 0) > zero, second = a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0) > zero;
    const MaskOf<Real> third = determinant(a) > zero;
    return first & second & third;
  }
};

// The projected second derivative of any law that states its curvature(p, s).
template <class Law, class Real>
class ProjectedHessian {
 public:
  PHIFLEX_HD ProjectedHessian(const LawModuli<Law, Real>& p, const Mat3<Real>& F)
      : ProjectedHessian(p, svd3(F)) {}
  PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const { return hessian_.dP(dF); }
  PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const { return hessian_.block(a, b); }
  PHIFLEX_HD MaskOf<Real> changed() const { return positive_.changed; }

 private:
  PHIFLEX_HD ProjectedHessian(const LawModuli<Law, Real>& p, const Svd3<Real>& f)
      : positive_(Law::curvature(p, f.s)), hessian_(f.U, f.V, positive_.curvature) {}
  PositiveCurvature<Real> positive_;
  PrincipalHessian<Real> hessian_;
};

}  // namespace phiflex

// Corotated linear elasticity: linear elasticity in the frame of F = R U, R the nearest rotation.
//
//   psi = mu |F - R|^2 + lambda/2 T^2,   T = tr(U) - 3                                                    (1)
//   P = 2 mu (F - R) + lambda T R                                                                         (2)
//
// R is a rotation for inverted F too (svd3.h), so that an inverted element is pulled back. In principal
// stretches, with (i, j, k) a permutation of (0, 1, 2):
//
//   psi_ij = 2 mu d_ij + lambda,   flip_k = 2 mu,   twist_k = 2 mu + 2 (lambda T - 2 mu)/(s_i + s_j)      (3)
//
// which includes the derivative of R exactly. R jumps where s_i + s_j = 0 (F flattened and turned inside
// out): there the second derivative does not exist, and (3) divides by kLeastSum instead.
//
// Where J > 0 the law is a function of C = U^2 and needs the invariants of U alone, i1 = tr U, i2 = tr cof U,
// i3 = det U, which those of C give without eigenvalues (I1, I2, I3 in the same way):
//
//   psi = mu (I1 - 2 i1 + 3) + lambda/2 (i1 - 3)^2,   S = 2 mu 1 + (lambda (i1 - 3) - 2 mu) U^-1          (4)
//   i3^2 = I3,   i1^2 = I1 + 2 i2,   i2^2 = I2 + 2 i1 i3                                                  (5)
//   U = (C + i2 1)^-1 (i1 C + i3 1)                                            (Cayley and Hamilton)      (6)
//   dU = (C + i2 1)^-1 (di1 C + i1 dC + di3 1 - (dC + di2 1) U)                                           (7)
//
// i1 is the largest root of p(z) = (z^2 - I1)^2 - 4 (I2 + 2 i3 z). The roots are +-s_0 +- s_1 +- s_2 with an
// even number of minus signs, all real, and the largest is simple: Newton's method from above falls onto it.
// Sifakis, Barbic, FEM simulation of 3D deformable solids (2012); the derivative of R as in Smith, de Goes,
// Kim, Analytic eigensystems for isotropic distortion energies (2019); (6) as in Ting, Determination of
// C^1/2, C^-1/2 and more general isotropic tensor functions of C (1985).
#pragma once

#include "phiflex/base/sym3.h"
#include "phiflex/material/principal.h"

namespace phiflex {

struct Corotated : YoungPoissonLaw {
  static constexpr std::string_view name = "corotated";
  static constexpr std::string_view summary =
      "corotated linear elasticity: mu |F - R|^2 + lambda/2 tr(R'F - 1)^2; large rotations, inversion "
      "allowed";
  static constexpr std::string_view citation = "sifakis2012fem";
  static constexpr bool needs_positive_J = false;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;
  static constexpr LawProperties properties{.singular_vectors = true};

  static Lame<double> at_rest(Lame<double> p) { return p; }

  template <class Real>
  class At {
   public:
    PHIFLEX_HD At(const Lame<Real>& p, const Mat3<Real>& F) : At(p, F, svd3(F)) {}
    PHIFLEX_HD Real psi() const {
      Real squares(0.0);  // |F - R|^2
      for (int i = 0; i < 3; ++i) squares += (s_[i] - Real(1.0)) * (s_[i] - Real(1.0));
      const Real T = growth(s_);
      return p_.mu * squares + Real(0.5) * p_.lambda * T * T;
    }
    PHIFLEX_HD Mat3<Real> P() const {  // (2)
      return Real(2.0) * p_.mu * F_ + (p_.lambda * growth(s_) - Real(2.0) * p_.mu) * R_;
    }
    PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const { return hessian_.dP(dF); }
    PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {
      return hessian_.block(a, b);
    }

   private:
    PHIFLEX_HD At(const Lame<Real>& p, const Mat3<Real>& F, const Svd3<Real>& f)
        : p_(p), F_(F), R_(f.rotation()), s_(f.s), hessian_(f.U, f.V, curvature(p, f.s)) {}
    Lame<Real> p_;
    Mat3<Real> F_, R_;
    Vec3<Real> s_;
    PrincipalHessian<Real> hessian_;
  };

  template <class Real>
  using Projected = ProjectedHessian<Corotated, Real>;

  // (4) to (7).
  template <class Real>
  class OfStrain {
   public:
    PHIFLEX_HD OfStrain(const Lame<Real>& p, const Sym3<Real>& C)
        : p_(p), C_(C), cofactor_(cofactor(C)), I1_(trace(C)) {
      const Real I2 = trace(cofactor_);
      i3_ = sqrt(determinant(C, cofactor_));
      i1_ = trace_of_root(I1_, I2, i3_);
      i2_ = Real(0.5) * (i1_ * i1_ - I1_);
      const Sym3<Real> sum = C + Sym3<Real>::scaled_identity(i2_), minors = cofactor(sum);
      inverse_sum_ = (Real(1.0) / determinant(sum, minors)) * full(minors);
      U_ = symmetric_part(inverse_sum_ * full(i1_ * C + Sym3<Real>::scaled_identity(i3_)));  // (6)
      inverse_ = (Real(1.0) / i3_) * cofactor(U_);
    }
    PHIFLEX_HD Real psi() const {
      const Real T = i1_ - Real(3.0);
      return p_.mu * (I1_ - Real(2.0) * i1_ + Real(3.0)) + Real(0.5) * p_.lambda * T * T;
    }
    PHIFLEX_HD Sym3<Real> S() const {
      return Sym3<Real>::scaled_identity(Real(2.0) * p_.mu) + factor() * inverse_;
    }
    PHIFLEX_HD Sym3<Real> dS(const Sym3<Real>& dC) const {
      // (5) differentiated: i1 di1 = dI1/2 + di2 and i2 di2 = dI2/2 + i3 di1 + i1 di3.
      const Real half(0.5);
      const Real dI1 = trace(dC), dI2 = I1_ * dI1 - contract(C_, dC);
      const Real di3 = half * contract(cofactor_, dC) / i3_;
      const Real di1 = (half * (i2_ * dI1 + dI2) + i1_ * di3) / (i1_ * i2_ - i3_);
      const Real di2 = i1_ * di1 - half * dI1;
      const Mat3<Real> U = full(U_), inverse = full(inverse_);
      const Mat3<Real> right = full(di1 * C_ + i1_ * dC + Sym3<Real>::scaled_identity(di3)) -
                               full(dC + Sym3<Real>::scaled_identity(di2)) * U;
      const Mat3<Real> dU = inverse_sum_ * right;  // (7)
      return (p_.lambda * di1) * inverse_ - factor() * symmetric_part(inverse * dU * inverse);
    }

   private:
    PHIFLEX_HD Real factor() const { return p_.lambda * (i1_ - Real(3.0)) - Real(2.0) * p_.mu; }

    PHIFLEX_HD static Real trace_of_root(const Real& I1, const Real& I2, const Real& i3) {
      Real z = sqrt(Real(3.0) * I1);
      for (int round = 0; round < kMostRounds; ++round) {
        const Real square = z * z - I1;
        const Real step = Real(0.25) * (square * square - Real(4.0) * I2 - Real(8.0) * i3 * z) /
                          (square * z - Real(2.0) * i3);
        z = z - step;
        if (!any(abs(step) > Real(kRounding) * z)) break;
      }
      return z;
    }
    static constexpr int kMostRounds = 60;
    static constexpr double kRounding = 0x1p-51;

    Lame<Real> p_;
    Sym3<Real> C_, cofactor_;
    Real I1_, i1_, i2_, i3_;
    Mat3<Real> inverse_sum_;  // (C + i2 1)^-1
    Sym3<Real> U_, inverse_;  // and U^-1
  };

  template <class Real>
  PHIFLEX_HD static PrincipalCurvature<Real> curvature(const Lame<Real>& p, const Vec3<Real>& s) {  // (3)
    const Real stiff = Real(2.0) * p.mu;
    const Real turning = Real(2.0) * (p.lambda * growth(s) - stiff);
    PrincipalCurvature<Real> c;
    for (int k = 0; k < 3; ++k) {
      const Real sum = max(s[(k + 1) % 3] + s[(k + 2) % 3], Real(kLeastSum));
      c.flip[k] = stiff;
      c.twist[k] = stiff + turning / sum;
      for (int j = 0; j < 3; ++j) c.scaling(k, j) = j == k ? stiff + p.lambda : p.lambda;
    }
    return c;
  }

 private:
  static constexpr double kLeastSum = 1e-8;

  template <class Real>
  PHIFLEX_HD static Real growth(const Vec3<Real>& s) {  // T of (1)
    return s[0] + s[1] + s[2] - Real(3.0);
  }
};

}  // namespace phiflex

// Corotated linear elasticity: linear elasticity in the frame of F = R S, R the nearest rotation.
//
//   psi = mu |F - R|^2 + lambda/2 T^2,   T = tr(S) - 3                                                    (1)
//   P = 2 mu (F - R) + lambda T R                                                                         (2)
//
// R is a rotation for inverted F too (svd3.h), so that an inverted element is pulled back. In principal
// stretches, with (i, j, k) a permutation of (0, 1, 2):
//
//   psi_ij = 2 mu d_ij + lambda,   flip_k = 2 mu,   twist_k = 2 mu + 2 (lambda T - 2 mu)/(s_i + s_j)      (3)
//
// which includes the derivative of R exactly. R jumps where s_i + s_j = 0 (F flattened and turned inside
// out): there the second derivative does not exist, and (3) divides by kLeastSum instead.
// Sifakis, Barbic, FEM simulation of 3D deformable solids (2012); the derivative of R as in Smith, de Goes,
// Kim, Analytic eigensystems for isotropic distortion energies (2019).
#pragma once

#include "phiflex/material/principal.h"

namespace phiflex {

struct Corotated {
  static constexpr std::string_view name = "corotated";
  static constexpr std::string_view summary =
      "corotated linear elasticity: mu |F - R|^2 + lambda/2 tr(R'F - 1)^2; large rotations, inversion "
      "allowed";
  static constexpr std::string_view citation = "sifakis2012fem";
  static constexpr bool needs_positive_J = false;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;

  static Lame<double> parameters(double young, double poisson) { return lame_from_young(young, poisson); }
  static Lame<double> at_rest(Lame<double> p) { return p; }

  template <class Real>
  class At {
   public:
    At(const Lame<Real>& p, const Mat3<Real>& F) : At(p, F, svd3(F)) {}
    Real psi() const {
      Real squares(0.0);  // |F - R|^2
      for (int i = 0; i < 3; ++i) squares += (s_[i] - Real(1.0)) * (s_[i] - Real(1.0));
      const Real T = growth(s_);
      return p_.mu * squares + Real(0.5) * p_.lambda * T * T;
    }
    Mat3<Real> P() const {  // (2)
      return Real(2.0) * p_.mu * F_ + (p_.lambda * growth(s_) - Real(2.0) * p_.mu) * R_;
    }
    Mat3<Real> dP(const Mat3<Real>& dF) const { return hessian_.dP(dF); }
    Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const { return hessian_.block(a, b); }

   private:
    At(const Lame<Real>& p, const Mat3<Real>& F, const Svd3<Real>& f)
        : p_(p), F_(F), R_(f.rotation()), s_(f.s), hessian_(f.U, f.V, curvature(p, f.s)) {}
    Lame<Real> p_;
    Mat3<Real> F_, R_;
    Vec3<Real> s_;
    PrincipalHessian<Real> hessian_;
  };

  template <class Real>
  using Projected = ProjectedHessian<Corotated, Real>;

  template <class Real>
  static PrincipalCurvature<Real> curvature(const Lame<Real>& p, const Vec3<Real>& s) {  // (3)
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
  static Real growth(const Vec3<Real>& s) {  // T of (1)
    return s[0] + s[1] + s[2] - Real(3.0);
  }
};

}  // namespace phiflex

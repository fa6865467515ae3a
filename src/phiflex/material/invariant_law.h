// Laws of the form psi(I, J) with I = tr(F'F) and J = det F: each states psi and its partial derivatives, and
// everything else follows here.
//
// With C = cof F = dJ/dF, w = F (a x b) and subscripts for partial derivatives of psi:
//
//   P      = 2 psi_I F + psi_J C                                                                          (1)
//   dP[dF] = 2 psi_I dF + psi_J dC[dF] + (4 psi_II F:dF + 2 psi_IJ C:dF) F
//            + (2 psi_IJ F:dF + psi_JJ C:dF) C                                                            (2)
//   block(a, b) = 2 psi_I (a.b) 1 + psi_J [ik -> e_ikm w_m]
//            + 4 psi_II Fa (Fb)' + 2 psi_IJ (Fa (Cb)' + Ca (Fb)') + psi_JJ Ca (Cb)'                       (3)
//
// (3) because the second derivative of det F along x a' and y b' is (x cross y) . F (a x b).
// In principal stretches, with J_i = s_j s_k for (i, j, k) a permutation of (0, 1, 2):
//
//   psi_i  = 2 psi_I s_i + psi_J J_i,   flip_k = 2 psi_I - psi_J s_k,   twist_k = 2 psi_I + psi_J s_k     (4)
//   psi_ij = 2 psi_I d_ij + psi_J s_k (1 - d_ij) + 4 psi_II s_i s_j + 2 psi_IJ (s_i J_j + s_j J_i)
//            + psi_JJ J_i J_j                                                                             (5)
//
// A law gives
//   energy(p, I, J) -> psi,   derivatives(p, I, J) -> InvariantDerivatives,
//   invariants_couple: false promises psi_II = psi_IJ = 0, and their terms are left out.
#pragma once

#include "phiflex/base/sym3.h"
#include "phiflex/material/principal.h"

namespace phiflex {

template <class Real>
struct InvariantDerivatives {
  Real I, J, II, IJ, JJ;
};

template <class Law, class Real>
class InvariantAt {
 public:
  PHIFLEX_HD InvariantAt(const Lame<Real>& p, const Mat3<Real>& F)
      : p_(p),
        F_(F),
        C_(cofactor(F)),
        I_(contract(F, F)),
        J_(F(0, 0) * C_(0, 0) + F(0, 1) * C_(0, 1) + F(0, 2) * C_(0, 2)),
        d_(Law::derivatives(p, I_, J_)) {}

  PHIFLEX_HD Real psi() const { return Law::energy(p_, I_, J_); }
  PHIFLEX_HD Mat3<Real> P() const { return Real(2.0) * d_.I * F_ + d_.J * C_; }  // (1)

  PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const {  // (2)
    const Real dJ = contract(C_, dF);
    Mat3<Real> y = Real(2.0) * d_.I * dF + d_.J * cofactor_derivative(F_, dF);
    if constexpr (Law::invariants_couple) {
      const Real half_dI = contract(F_, dF);
      y += (Real(4.0) * d_.II * half_dI + Real(2.0) * d_.IJ * dJ) * F_;
      y += (Real(2.0) * d_.IJ * half_dI + d_.JJ * dJ) * C_;
    } else {
      y += (d_.JJ * dJ) * C_;
    }
    return y;
  }

  PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {  // (3)
    const Vec3<Real> Ca = C_ * a, Cb = C_ * b;
    Vec3<Real> right = d_.JJ * Cb;
    Mat3<Real> m;
    if constexpr (Law::invariants_couple) {
      const Vec3<Real> Fa = F_ * a, Fb = F_ * b;
      right += Real(2.0) * d_.IJ * Fb;
      m = outer(Ca, right) + outer(Fa, Real(4.0) * d_.II * Fb + Real(2.0) * d_.IJ * Cb);
    } else {
      m = outer(Ca, right);
    }
    const Real same = Real(2.0) * d_.I * dot(a, b);
    const Vec3<Real> w = d_.J * (F_ * cross(a, b));
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      m(i, i) += same;
      m(i, j) += w[k];
      m(j, i) -= w[k];
    }
    return m;
  }

 private:
  Lame<Real> p_;
  Mat3<Real> F_, C_;
  Real I_, J_;
  InvariantDerivatives<Real> d_;
};

// The law as a function of C (strain_stress.h): I = tr C, J = sqrt(det C),
//   S = 2 psi_I 1 + (psi_J/J) cof C,   dI = tr dC,   dJ = (cof C):dC/(2J),                                (6)
//   dS = 2 (psi_II dI + psi_IJ dJ) 1 + (psi_IJ dI + psi_JJ dJ - (psi_J/J) dJ)/J cof C + (psi_J/J) dcof[dC]  (7)
template <class Law, class Real>
class InvariantOfStrain {
 public:
  PHIFLEX_HD InvariantOfStrain(const Lame<Real>& p, const Sym3<Real>& C)
      : p_(p),
        C_(C),
        cofactor_(cofactor(C)),
        I_(trace(C)),
        J_(sqrt(determinant(C, cofactor_))),
        d_(Law::derivatives(p, I_, J_)),
        slope_(d_.J * (Real(1.0) / J_)) {}  // most laws divide by J as well: one division serves both

  PHIFLEX_HD Real psi() const { return Law::energy(p_, I_, J_); }
  PHIFLEX_HD Sym3<Real> S() const {  // (6)
    return Sym3<Real>::scaled_identity(Real(2.0) * d_.I) + slope_ * cofactor_;
  }
  PHIFLEX_HD Sym3<Real> dS(const Sym3<Real>& dC) const {  // (7)
    const Real dI = trace(dC), dJ = Real(0.5) * contract(cofactor_, dC) / J_;
    return Sym3<Real>::scaled_identity(Real(2.0) * (d_.II * dI + d_.IJ * dJ)) +
           ((d_.IJ * dI + (d_.JJ - slope_) * dJ) / J_) * cofactor_ + slope_ * cofactor_derivative(C_, dC);
  }

 private:
  Lame<Real> p_;
  Sym3<Real> C_, cofactor_;
  Real I_, J_;
  InvariantDerivatives<Real> d_;
  Real slope_;  // psi_J/J
};

// (4) and (5).
template <class Law, class Real>
PHIFLEX_HD PrincipalCurvature<Real> invariant_curvature(const Lame<Real>& p, const Vec3<Real>& s) {
  const Vec3<Real> Js = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
  const auto d = Law::derivatives(p, dot(s, s), s[0] * Js[0]);
  PrincipalCurvature<Real> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Real own = i == j ? Real(2.0) * d.I : d.J * s[3 - i - j];
      c.scaling(i, j) = own + Real(4.0) * d.II * s[i] * s[j] +
                        Real(2.0) * d.IJ * (s[i] * Js[j] + s[j] * Js[i]) + d.JJ * Js[i] * Js[j];
    }
  for (int k = 0; k < 3; ++k) {
    c.flip[k] = Real(2.0) * d.I - d.J * s[k];
    c.twist[k] = Real(2.0) * d.I + d.J * s[k];
  }
  return c;
}

// What makes Law, which states energy and derivatives, a material.
template <class Law>
struct InvariantLaw {
  template <class Real>
  using At = InvariantAt<Law, Real>;
  template <class Real>
  using Projected = ProjectedHessian<Law, Real>;
  template <class Real>
  using OfStrain = InvariantOfStrain<Law, Real>;
  template <class Real>
  PHIFLEX_HD static PrincipalCurvature<Real> curvature(const Lame<Real>& p, const Vec3<Real>& s) {
    return invariant_curvature<Law>(p, s);
  }
};

}  // namespace phiflex

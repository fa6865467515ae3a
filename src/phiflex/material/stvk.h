// Saint Venant-Kirchhoff solid: linear elasticity in Green's strain. Weak under strong compression.
//
//   psi = mu E:E + lambda/2 (tr E)^2,   E = (F'F - 1)/2                                                   (1)
//   P = F S,   S = 2 mu E + lambda tr(E) 1                                                                (2)
//   dP[dF] = dF S + F dS,   dS = mu (F'dF + dF'F) + lambda (F:dF) 1                                       (3)
//   block(a, b) = (a.S b) 1 + mu ((a.b) F F' + Fb (Fa)') + lambda Fa (Fb)'                                (4)
//
// In principal stretches, with T = tr E and (i, j, k) a permutation of (0, 1, 2):
//
//   psi_i = s_i (mu (s_i^2 - 1) + lambda T),   psi_ij = lambda s_i s_j + d_ij (mu (3 s_i^2 - 1) + lambda T)
//   flip_k, twist_k = mu (s_i^2 +- s_i s_j + s_j^2 - 1) + lambda T                                        (5)
#pragma once

#include "phiflex/material/principal.h"
#include "phiflex/material/strain_stress.h"

namespace phiflex {

struct Stvk : YoungPoissonLaw {
  static constexpr std::string_view name = "stvk";
  static constexpr std::string_view summary =
      "Saint Venant-Kirchhoff: linear in Green's strain; rotations are exact, strong compression is weak";
  static constexpr std::string_view citation = "sifakis2012fem";
  static constexpr bool needs_positive_J = false;
  static constexpr FunctionOfC function_of_C = FunctionOfC::everywhere;
  static constexpr LawProperties properties{.quadratic = true};

  static Lame<double> at_rest(Lame<double> p) { return p; }

  template <class Real>
  class At {
   public:
    PHIFLEX_HD At(const Lame<Real>& p, const Mat3<Real>& F)
        : p_(p), F_(F), E_(Real(0.5) * (transpose(F) * F - Mat3<Real>::identity())), S_(stress(E_)) {}
    PHIFLEX_HD Real psi() const { return Real(0.5) * contract(S_, E_); }
    PHIFLEX_HD Mat3<Real> P() const { return F_ * S_; }
    PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const {  // (3)
      const Mat3<Real> half = transpose(F_) * dF;
      return dF * S_ + F_ * stress(Real(0.5) * (half + transpose(half)));
    }
    PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {  // (4)
      const Vec3<Real> Fa = F_ * a, Fb = F_ * b;
      return Mat3<Real>::scaled_identity(dot(a, S_ * b)) + (p_.mu * dot(a, b)) * (F_ * transpose(F_)) +
             outer(Fb, p_.mu * Fa) + outer(Fa, p_.lambda * Fb);
    }

   private:
    PHIFLEX_HD Mat3<Real> stress(const Mat3<Real>& E) const {
      return Real(2.0) * p_.mu * E + Mat3<Real>::scaled_identity(p_.lambda * trace(E));
    }
    Lame<Real> p_;
    Mat3<Real> F_, E_, S_;
  };

  template <class Real>
  using Projected = ProjectedHessian<Stvk, Real>;

  // The law as a function of C (strain_stress.h), (1) and (2).
  template <class Real>
  class OfStrain {
   public:
    PHIFLEX_HD OfStrain(const Lame<Real>& p, const Sym3<Real>& C)
        : p_(p), E_(Real(0.5) * (C - Sym3<Real>::scaled_identity(Real(1.0)))) {}
    PHIFLEX_HD Real psi() const { return Real(0.5) * contract(S(), E_); }
    PHIFLEX_HD Sym3<Real> S() const { return rest_stress(p_, E_); }
    PHIFLEX_HD Sym3<Real> dS(const Sym3<Real>& dC) const { return rest_stress(p_, Real(0.5) * dC); }

   private:
    Lame<Real> p_;
    Sym3<Real> E_;
  };

  template <class Real>
  PHIFLEX_HD static PrincipalCurvature<Real> curvature(const Lame<Real>& p, const Vec3<Real>& s) {  // (5)
    const Real pressure = Real(0.5) * p.lambda * (dot(s, s) - Real(3.0));
    PrincipalCurvature<Real> c;
    c.scaling = outer(p.lambda * s, s);
    for (int k = 0; k < 3; ++k) {
      const Real si = s[(k + 1) % 3], sj = s[(k + 2) % 3];
      c.scaling(k, k) += p.mu * (Real(3.0) * s[k] * s[k] - Real(1.0)) + pressure;
      const Real squares = p.mu * (si * si + sj * sj - Real(1.0)) + pressure;
      c.flip[k] = squares + p.mu * si * sj;
      c.twist[k] = squares - p.mu * si * sj;
    }
    return c;
  }
};

}  // namespace phiflex

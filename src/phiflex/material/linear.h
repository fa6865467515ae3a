// Linear elasticity (small strain), for small displacements without rotation:
//
//   psi = mu e:e + lambda/2 (tr e)^2,   e = (F + F')/2 - 1,   P = 2 mu e + lambda tr(e) 1                 (1)
//   block(a, b) = mu ((a.b) 1 + b a') + lambda a b'                                                       (2)
//
// The second derivative is constant, and positive semidefinite for every -1 < Poisson's ratio < 1/2.
#pragma once

#include "phiflex/material/material.h"

namespace phiflex {

struct Linear : YoungPoissonLaw {
  static constexpr std::string_view name = "linear";
  static constexpr std::string_view summary =
      "linear elasticity in small strain: cheap, exact for small motion, wrong under rotation";
  static constexpr std::string_view citation = "sifakis2012fem";
  static constexpr bool needs_positive_J = false;
  static constexpr FunctionOfC function_of_C = FunctionOfC::nowhere;
  static constexpr LawProperties properties{.quadratic = true};

  static Lame<double> at_rest(Lame<double> p) { return p; }

  template <class Real>
  class At {
   public:
    PHIFLEX_HD At(const Lame<Real>& p, const Mat3<Real>& F)
        : p_(p), e_(symmetric_part(F) - Mat3<Real>::identity()) {}
    PHIFLEX_HD Real psi() const {
      const Real volume = trace(e_);
      return p_.mu * contract(e_, e_) + Real(0.5) * p_.lambda * volume * volume;
    }
    PHIFLEX_HD Mat3<Real> P() const { return stress(e_); }
    PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const { return stress(symmetric_part(dF)); }
    PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {  // (2)
      return Mat3<Real>::scaled_identity(p_.mu * dot(a, b)) + outer(b, p_.mu * a) + outer(a, p_.lambda * b);
    }

   private:
    PHIFLEX_HD static Mat3<Real> symmetric_part(const Mat3<Real>& F) {
      return Real(0.5) * (F + transpose(F));
    }
    PHIFLEX_HD Mat3<Real> stress(const Mat3<Real>& e) const {
      return Real(2.0) * p_.mu * e + Mat3<Real>::scaled_identity(p_.lambda * trace(e));
    }
    Lame<Real> p_;
    Mat3<Real> e_;
  };

  template <class Real>
  class Projected : public At<Real> {
   public:
    using At<Real>::At;
    PHIFLEX_HD MaskOf<Real> changed() const { return Real(1.0) < Real(0.0); }
  };
};

}  // namespace phiflex

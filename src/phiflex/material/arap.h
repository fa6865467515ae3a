// As rigid as possible: the distance to the nearest rotation.
//
//   psi = mu |F - R|^2                                                                                    (1)
//
// This is the corotated law without lambda. Near rest psi = mu e:e, linear elasticity with lambda = 0, that
// is with Poisson's ratio 0 and Young's modulus 2 mu: hence mu = young/2, and `poisson` plays no part.
// Chao, Pinkall, Sanan, Schroder, A simple geometric model for elastic deformations (2010).
#pragma once

#include "phiflex/material/corotated.h"

namespace phiflex {

struct Arap : YoungPoissonLaw {
  static constexpr std::string_view name = "arap";
  static constexpr std::string_view summary =
      "as rigid as possible: young/2 |F - R|^2; Poisson's ratio is 0 whatever is given";
  static constexpr std::string_view citation = "chao2010arap";
  static constexpr bool needs_positive_J = false;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;
  static constexpr LawProperties properties{
      .singular_vectors = true, .volume_part = false, .at_rest = LawProperties::Moduli::poisson_is_zero};

  static Lame<double> moduli(const Parameters<double>& p) { return {p.young / 2, 0.0}; }
  static Lame<double> at_rest(Lame<double> p) { return {p.mu, 0.0}; }

  template <class Real>
  class At : public Corotated::At<Real> {
   public:
    PHIFLEX_HD At(const Lame<Real>& p, const Mat3<Real>& F) : Corotated::At<Real>({p.mu, Real(0.0)}, F) {}
  };
  template <class Real>
  class OfStrain : public Corotated::OfStrain<Real> {
   public:
    PHIFLEX_HD OfStrain(const Lame<Real>& p, const Sym3<Real>& C)
        : Corotated::OfStrain<Real>({p.mu, Real(0.0)}, C) {}
  };
  template <class Real>
  class Projected : public Corotated::Projected<Real> {
   public:
    PHIFLEX_HD Projected(const Lame<Real>& p, const Mat3<Real>& F)
        : Corotated::Projected<Real>({p.mu, Real(0.0)}, F) {}
  };
};

}  // namespace phiflex

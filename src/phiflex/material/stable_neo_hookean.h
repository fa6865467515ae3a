// Stable neo-Hookean solid, defined for every F, inverted and flat ones included:
//
//   psi = m/2 (I - 3) - m/2 ln((I + 1)/4) + l/2 (J - a)^2 - l/2 (1 - a)^2,   I = tr(F'F),   J = det F     (1)
//   a = 1 + 3m/(4l)   makes rest free of stress (rest-stable)                                             (2)
//   m = 4/3 mu,   l = lambda + 5/6 mu   make mu and lambda those of linear elasticity at rest             (3)
//
// With (2) and (3) the last two terms are l/2 (J - 1)^2 - mu (J - 1), which needs no division by l.
// Smith, de Goes, Kim, Stable neo-Hookean flesh simulation (2018); here with psi = 0 at rest.
#pragma once

#include "phiflex/material/invariant_law.h"

namespace phiflex {

struct StableNeoHookean : YoungPoissonLaw, InvariantLaw<StableNeoHookean> {
  static constexpr std::string_view name = "stable-neo-hookean";
  static constexpr std::string_view summary =
      "neo-Hookean that stays finite and recovers when elements flatten or invert (Smith et al. 2018)";
  static constexpr std::string_view citation = "smith2018stable";
  static constexpr bool needs_positive_J = false;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;
  static constexpr bool invariants_couple = true;

  static Lame<double> at_rest(Lame<double> p) { return p; }

  template <class Real>
  PHIFLEX_HD static Real energy(const Lame<Real>& p, const Real& I, const Real& J) {
    const Real stretch = I - Real(3.0), volume = J - Real(1.0);
    return Real(2.0 / 3) * p.mu * (stretch - log(Real(0.25) * (I + Real(1.0)))) +
           (Real(0.5) * bulk(p) * volume - p.mu) * volume;
  }
  template <class Real>
  PHIFLEX_HD static InvariantDerivatives<Real> derivatives(const Lame<Real>& p, const Real& I,
                                                           const Real& J) {
    const Real inverse = Real(1.0) / (I + Real(1.0));
    return {.I = Real(2.0 / 3) * p.mu * I * inverse,
            .J = bulk(p) * (J - Real(1.0)) - p.mu,
            .II = Real(2.0 / 3) * p.mu * inverse * inverse,
            .IJ = Real(0.0),
            .JJ = bulk(p)};
  }

 private:
  template <class Real>
  PHIFLEX_HD static Real bulk(const Lame<Real>& p) {  // l of (3)
    return p.lambda + Real(5.0 / 6) * p.mu;
  }
};

}  // namespace phiflex

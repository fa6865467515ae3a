// Neo-Hookean solid whose shear part sees no volume:
//
//   psi = mu/2 (J^(-2/3) I - 3) + lambda/2 (J - 1)^2,   I = tr(F'F),   J = det F > 0                      (1)
//
// Near rest the first term is mu |dev strain|^2, so that lambda is the bulk modulus: the material is the
// linear one with Lame parameters mu and lambda - 2 mu/3. It is the law of the code of the papers this
// engine follows.
#pragma once

#include "phiflex/material/invariant_law.h"

namespace phiflex {

struct NeoHookeanIsochoric : YoungPoissonLaw, InvariantLaw<NeoHookeanIsochoric> {
  static constexpr std::string_view name = "neo-hookean-isochoric";
  static constexpr std::string_view summary =
      "neo-hookean with \"volumetric\": \"isochoric\": mu/2 (J^(-2/3) tr(F'F) - 3) + lambda/2 (J - 1)^2";
  static constexpr std::string_view citation = "chen2020siere";
  static constexpr bool needs_positive_J = true;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;
  static constexpr LawProperties properties{.at_rest = LawProperties::Moduli::lambda_is_bulk,
                                            .form_of = "neo-hookean"};
  static constexpr bool invariants_couple = true;

  static Lame<double> at_rest(Lame<double> p) { return {p.mu, p.lambda - 2 * p.mu / 3}; }

  template <class Real>
  PHIFLEX_HD static Real energy(const Lame<Real>& p, const Real& I, const Real& J) {
    const Real volume = J - Real(1.0);
    const Real psi = Real(0.5) * (p.mu * (shrink(J) * I - Real(3.0)) + p.lambda * volume * volume);
    return select(J > Real(0.0), psi, Real(std::numeric_limits<double>::infinity()));
  }
  template <class Real>
  PHIFLEX_HD static InvariantDerivatives<Real> derivatives(const Lame<Real>& p, const Real& I,
                                                           const Real& J) {
    const Real inverse_J = Real(1.0) / J;
    const Real m = p.mu * shrink(J);
    const Real mixed = Real(-1.0 / 3) * m * inverse_J;
    return {.I = Real(0.5) * m,
            .J = mixed * I + p.lambda * (J - Real(1.0)),
            .II = Real(0.0),
            .IJ = mixed,
            .JJ = Real(-5.0 / 3) * mixed * I * inverse_J + p.lambda};
  }

 private:
  // J^(-2/3), NaN outside the domain.
  template <class Real>
  PHIFLEX_HD static Real shrink(const Real& J) {
    const Real root = cbrt(J);
    return select(J > Real(0.0), Real(1.0) / (root * root), Real(std::numeric_limits<double>::quiet_NaN()));
  }
};

}  // namespace phiflex

// Compressible neo-Hookean solid, logarithmic in the volume:
//
//   psi = mu/2 (I - 3) - mu ln J + lambda/2 (ln J)^2,   I = tr(F'F),   J = det F > 0                      (1)
//
// mu and lambda are those of linear elasticity at rest.
// Sifakis, Barbic, FEM simulation of 3D deformable solids (2012).
#pragma once

#include "phiflex/material/invariant_law.h"

namespace phiflex {

struct NeoHookean : YoungPoissonLaw, InvariantLaw<NeoHookean> {
  static constexpr std::string_view name = "neo-hookean";
  static constexpr std::string_view summary =
      "compressible neo-Hookean: mu/2 (tr(F'F) - 3) - mu ln J + lambda/2 (ln J)^2";
  static constexpr std::string_view citation = "sifakis2012fem";
  static constexpr bool needs_positive_J = true;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;
  static constexpr bool invariants_couple = false;

  static Lame<double> at_rest(Lame<double> p) { return p; }

  template <class Real>
  PHIFLEX_HD static Real energy(const Lame<Real>& p, const Real& I, const Real& J) {
    const Real log_J = log(J);
    const Real psi = Real(0.5) * p.mu * (I - Real(3.0)) + (Real(0.5) * p.lambda * log_J - p.mu) * log_J;
    return select(J > Real(0.0), psi, Real(std::numeric_limits<double>::infinity()));
  }
  // Where J < 0 the logarithm makes all derivatives in J NaN; at J = 0 the division does.
  template <class Real>
  PHIFLEX_HD static InvariantDerivatives<Real> derivatives(const Lame<Real>& p, const Real&, const Real& J) {
    const Real inverse_J = Real(1.0) / J;
    const Real slope = p.lambda * log(J) - p.mu;
    return {.I = Real(0.5) * p.mu,
            .J = slope * inverse_J,
            .II = Real(0.0),
            .IJ = Real(0.0),
            .JJ = (p.lambda - slope) * inverse_J * inverse_J};
  }
};

}  // namespace phiflex

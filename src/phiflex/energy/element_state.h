// How an element is deformed and stressed, as means over its integration points q with the weights w_q:
//
//   J     = sum w_q det F_q                                    volume over rest volume                       (1)
//   C     = sum w_q F_q' F_q                                   right Cauchy-Green tensor                     (2)
//   sigma = sum w_q sym(P_q F_q') / J                          Cauchy stress, mean over the deformed volume  (3)
//
// P F' is symmetric for every law but `linear`, whose stress does not turn with the body.
#pragma once

#include <array>

#include "phiflex/base/sym3.h"

namespace phiflex {

struct ElementState {
  double volume =
      0;  // at rest, m^3 (of plane bodies for 1 m of thickness); 0: an element without stress, a spring
  double J = 1;
  Sym3<double> C = Sym3<double>::scaled_identity(1);
  Sym3<double> stress = Sym3<double>::zero();  // Pa
};

double von_mises(const Sym3<double>& stress);                   // Pa
std::array<double, 3> principal_values(const Sym3<double>& a);  // descending
// Descending; the smallest is negative where J is.
std::array<double, 3> principal_stretches(const ElementState& state);
Sym3<double> green_strain(const Sym3<double>& C);  // (C - 1) / 2

}  // namespace phiflex

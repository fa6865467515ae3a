// Settings of the energy-momentum steps (em_method.h).
#pragma once

#include "phiflex/integrate/newton_options.h"

namespace phiflex {

struct EmOptions {
  NewtonOptions newton;            // of the last resort, and of the solver's own matrix
  double em_tolerance = 1e-3;      // (3) of em_solver.h, relative
  double energy_tolerance = 1e-4;  // of the energy of a step, relative
  double dissipation = 1;          // the dial, 1/3..1; 1: none
  int substeps = 0;                // in a step; 0: as the motion asks for
};

template <class V>
void fields(V& v, EmOptions& o) {
  v(option::solver, o.newton.tangent.solver);
  v({.key = "em_tolerance",
     .doc = "`em`, `emx`: the solver stops when its update is this small, relative to the step's change of "
            "velocity",
     .range = tolerance_range},
    o.em_tolerance);
  v({.key = "energy_tolerance",
     .doc = "`em`, `emx`: and when the step's error of energy is this small, relative to its kinetic energy",
     .range = tolerance_range},
    o.energy_tolerance);
  v({.key = "dissipation",
     .doc = "`em`, `emx`: the damping dial: 1 keeps the energy, 1/3 takes most from what a step cannot "
            "resolve",
     .range = {.low = 0.333, .high = 1}},
    o.dissipation);
  v(option::substeps, o.substeps);
  v(option::halve_step, o.newton.halve_step);
  v(option::project_hessian, o.newton.tangent.project_hessian);
  v(option::newton_tolerance, o.newton.newton_tolerance);
  v(option::newton_limit, o.newton.newton_limit);
}

}  // namespace phiflex

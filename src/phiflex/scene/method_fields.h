// The keys of time and method (field.h).
#pragma once

#include "phiflex/scene/field.h"
#include "phiflex/scene/method_spec.h"

namespace phiflex {

template <class V>
void fields(V& v, TimeSpec& s) {
  v({.key = "step", .doc = "length h of a time step", .unit = "s", .range = ranges::positive, .need = Need::required},
    s.step);
  v({.key = "end",
     .doc = "end of the simulation, a whole number of steps; it starts at 0",
     .unit = "s",
     .range = ranges::positive,
     .need = Need::required},
    s.end);
}

template <class V>
void fields(V& v, EvaluatorSpec& s) {
  v({.key = "type", .doc = "name of the evaluator, or `auto`", .need = Need::required}, s.type);
  v({.key = "m",
     .doc = "vectors of a Krylov basis: all of them for `expv` (30 when left out), the first try for `phipm` "
            "and "
            "`kiops`",
     .range = {.low = 2, .high = 1000}},
    s.m);
  v({.key = "tolerance",
     .doc = "relative error in place of the method's `tolerance`; for `expv` Expokit's own, absolute and per "
            "second",
     .range = tolerance_range},
    s.tolerance);
  v({.key = "largest_basis",
     .doc = "most vectors of the state's size held at once; a longer way is cut into substeps",
     .range = {.low = 4, .high = 10000}},
    s.largest_basis);
  v({.key = "inner_product",
     .doc = "of the bases of general evaluators: that of the step's error norm, or the energy"},
    s.inner_product);
}

template <class V>
void fields(V& v, IntegratorSpec& s) {
  v({.key = "type", .doc = "name of the method; `phiflex list integrators` shows them"}, s.type);
  v({.key = "newton_tolerance",
     .doc = "Newton's method stops when its update is this small, relative to the step",
     .range = tolerance_range},
    s.newton_tolerance);
  v({.key = "newton_limit", .doc = "largest number of Newton iterations in a step", .range = at_least_one},
    s.newton_limit);
  v({.key = "project_hessian",
     .doc = "fall back to the projected (positive semidefinite) stiffness when the step's matrix is not "
            "positive definite; `ere`: when the stiffness is indefinite and what grows outgrows the step"},
    s.project_hessian);
  v({.key = "hessian_correction",
     .doc =
         "what Newton's method does where its matrix is not positive definite: take the projected stiffness "
         "(unless `project_hessian` is false), or raise the diagonal until it can be factorized"},
    s.hessian_correction);
  v({.key = "halve_step", .doc = "fall back to smaller steps when Newton's method does not converge"},
    s.halve_step);
  v({.key = "rho_infinity",
     .doc = "`generalized-alpha`: spectral radius at infinity, 1 keeps high frequencies, 0 removes them",
     .range = {.low = 0, .high = 1}},
    s.rho_infinity);
  v({.key = "beta",
     .doc = "`newmark`: weight of the new acceleration in the position",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1}},
    s.beta);
  v({.key = "gamma",
     .doc = "`newmark`: weight of the new acceleration in the velocity",
     .range = {.low = 0, .high = 1}},
    s.gamma);
  v({.key = "p",
     .doc = "`zheng`: weight of the rest shape's stiffness; stable at any step from 1/4 on",
     .range = {.low = 0, .high = 1000}},
    s.p);
  v({.key = "q",
     .doc = "`zheng`: weight of the rest shape's damping; stable at any step from 1 on, second order for 1 "
            "alone",
     .range = {.low = 0, .high = 1000}},
    s.q);
  v({.key = "r",
     .doc = "`zheng`: weight of the mass; any value but 1 changes the frequencies",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1000}},
    s.r);
  v({.key = "lambda",
     .doc = "`gui`: 4 is `chen-ricles`; stable at any step up to 4, least period error near 12",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1000}},
    s.lambda);
  v({.key = "linear_tolerance",
     .doc = "relative residual at which a solve preconditioned by a kept factorization stops",
     .range = tolerance_range},
    s.linear_tolerance);
  v({.key = "solver",
     .doc = "of linear systems of implicit steps: a factorization, or a multigrid for bodies that are too "
            "large for one; "
            "`auto` decides by counted work and memory, and says so"},
    s.solver);
  v({.key = "refactor",
     .doc = "`auto` keeps a factorization while that saves work, `always` makes a new one every time"},
    s.refactor);
  v({.key = "modes",
     .doc = "`siere`, `emx`: how many of the lowest modes move exactly; 0 is `si` and `em`",
     .range = {.low = 0, .high = 1000}},
    s.modes);
  v({.key = "modes_tolerance", .doc = "`siere`: relative residual of the modes", .range = tolerance_range},
    s.modes_tolerance);
  v({.key = "form",
     .doc = "`siere`: how its linear system is solved: `one-solve` takes the modes out of the right side, "
            "`woodbury` "
            "is the low-rank update of the original paper, 2 modes + 1 solves"},
    s.form);
  v({.key = "evaluator",
     .doc =
         "exponential methods: how matrix functions are evaluated, a name (`phiflex list evaluators`) or an "
         "object with its settings"},
    s.evaluator);
  v({.key = "tolerance",
     .doc = "exponential methods: error of matrix functions, relative to the step's update",
     .range = tolerance_range},
    s.tolerance);
  v({.key = "error_tolerance",
     .doc =
         "methods with an error estimate: error of a step, relative to its update; steps are divided as that "
         "asks, 0 keeps them as they are",
     .range = {.low = 0, .high = 1}},
    s.error_tolerance);
  v({.key = "filter", .doc = "`gautschi`: the pair of filters"}, s.filter);
  v({.key = "em_tolerance",
     .doc = "`em`, `emx`: the solver stops when its update is this small, relative to the step's change of "
            "velocity",
     .range = tolerance_range},
    s.em_tolerance);
  v({.key = "energy_tolerance",
     .doc = "`em`, `emx`: and when the step's error of energy is this small, relative to its kinetic energy",
     .range = tolerance_range},
    s.energy_tolerance);
  v({.key = "dissipation",
     .doc = "`em`, `emx`: the damping dial: 1 keeps the energy, 1/3 takes most from what a step cannot "
            "resolve",
     .range = {.low = 0.333, .high = 1}},
    s.dissipation);
  v({.key = "substeps",
     .doc = "`em`, `emx`, `verlet`: equal substeps in a step; 0 takes as many as the motion, or stability, "
            "asks for",
     .range = {.low = 0, .high = 1000000}},
    s.substeps);
}

}  // namespace phiflex

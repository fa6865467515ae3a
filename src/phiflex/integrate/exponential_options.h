// Settings of methods that evaluate matrix functions (tangent_phi.h).
#pragma once

#include "phiflex/integrate/shared_options.h"

namespace phiflex {

struct ExponentialOptions {
  EvaluatorChoice evaluator =
      "auto";               // a name of the evaluators' catalogue, or auto; or one with its settings
  double tolerance = 1e-4;  // of matrix functions, relative
  double motion_tolerance =
      0;  // of the rational evaluator, where errors count as displacements; 0: it has `tolerance`
  LinearSolver solver =
      LinearSolver::automatic;  // of the rational evaluator, for systems that have positions

  EvaluatorSettings settings() const {
    const EvaluatorSettings* given = std::get_if<EvaluatorSettings>(&evaluator);
    return given ? *given : EvaluatorSettings{.type = std::get<std::string>(evaluator)};
  }
  // Digits of the functions themselves: a motion needs no more than 1e-4 of them.
  bool asks_for_functions() const { return tolerance < 1e-4 || settings().tolerance.has_value(); }
  MechanicalPhiOptions phi() const {
    const EvaluatorSettings given = settings();
    return {.tolerance = tolerance,
            .basis = static_cast<int>(given.m.value_or(0)),
            .largest_basis = static_cast<int>(given.largest_basis),
            .own_tolerance = given.tolerance.value_or(0),
            .motion_tolerance = asks_for_functions() ? 0 : motion_tolerance,
            .product = given.inner_product};
  }
};

template <class V>
void fields(V& v, ExponentialOptions& o) {
  v({.key = "evaluator",
     .doc =
         "exponential methods: how matrix functions are evaluated, a name (`phiflex list evaluators`) or an "
         "object with its settings"},
    o.evaluator);
  v({.key = "tolerance",
     .doc = "exponential methods: error of matrix functions, relative to the step's update",
     .range = tolerance_range},
    o.tolerance);
  v(option::solver, o.solver);
}

// Of those with an error estimate.
struct EstimatingOptions : ExponentialOptions {
  double error_tolerance = 0;  // of a step, relative; 0: the step is fixed
};

template <class V>
void fields(V& v, EstimatingOptions& o) {
  fields(v, static_cast<ExponentialOptions&>(o));
  v({.key = "error_tolerance",
     .doc =
         "methods with an error estimate: error of a step, relative to its update; steps are divided as that "
         "asks, 0 keeps them as they are",
     .range = {.low = 0, .high = 1}},
    o.error_tolerance);
}

}  // namespace phiflex

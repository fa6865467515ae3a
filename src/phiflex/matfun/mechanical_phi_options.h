// What evaluators of phi-functions of mechanical systems can be told (catalogue.h).
#pragma once

namespace phiflex {

enum class BasisProduct { step_norm, energy };
struct MechanicalPhiOptions {
  double tolerance = 1e-4;
  int basis = 0;           // of general evaluators; 0: their default
  int largest_basis = 60;  // vectors of the state's size
  // Of the evaluator's own settings; 0: there is none. It takes the place of `tolerance`, but for an evaluator with
  // absolute_tolerance, whose own it is.
  double own_tolerance = 0;
  // Of steps of a motion with the rational evaluator, where errors count as displacements (recycled_rational.h); 0: it
  // has `tolerance` in the norm of M, as the others.
  double motion_tolerance = 0;
  BasisProduct product = BasisProduct::step_norm;  // general evaluators: the inner product of their bases
};

}  // namespace phiflex

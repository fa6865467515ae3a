// What a step says of itself. A failed step leaves the state it was given untouched.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "phiflex/base/work.h"
#include "phiflex/system/state.h"
#include "phiflex/system/two_state_force.h"

namespace phiflex {

enum class [[nodiscard]] StepStatus{
    ok,
    not_finite,     // a force or an update is not a finite number (an element left its material's domain)
    not_converged,  // Newton's method or a linear solve did not reach its tolerance, halved steps included
    not_stable,     // no number of explicit substeps is stable up to the end of the step
    not_accurate,   // the estimated error of the shortest substeps is above its tolerance
    not_positive_definite,   // the step's matrix cannot be factorized, not even with the projected stiffness
    function_not_evaluated,  // a matrix function did not reach its tolerance
    modes_not_found,         // an eigen-solve did not reach its tolerance
    refused,                 // the method is not made for what the system has become
    rubs_too_hard,           // friction between bodies turns slips around in the shortest steps
    not_free,                // bodies cannot be kept from passing through each other in the shortest steps
    diverged,                // the energy exceeds the limit relative to the available energy
};

constexpr std::string_view describe(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return "ok";
    case StepStatus::not_finite:
      return "a value is not finite";
    case StepStatus::not_converged:
      return "the step's solve did not converge";
    case StepStatus::not_stable:
      return "the motion stiffens faster than explicit substeps can follow";
    case StepStatus::not_accurate:
      return "the error stays above its tolerance in the shortest substeps";
    case StepStatus::not_positive_definite:
      return "the step's matrix is not positive definite";
    case StepStatus::function_not_evaluated:
      return "a matrix function could not be evaluated to its tolerance";
    case StepStatus::modes_not_found:
      return "the modes could not be found to their tolerance";
    case StepStatus::refused:
      return "the method refuses the released bodies";
    case StepStatus::rubs_too_hard:
      return "friction between bodies is too stiff for explicit steps: a larger `slip_speed` makes it softer";
    case StepStatus::not_free:
      return "bodies would pass through each other or through an obstacle, however short the step";
    case StepStatus::diverged:
      return "the motion diverged";
  }
  return "unknown";
}

// A state at which the step took the damping force, and its weight: the damping force of the step is the weighted sum
// of those at its points, and does work along q+ - q. The state belongs to the method or is one of the ends of the
// step; it lives until the next step.
struct DampingPoint {
  const State* at = nullptr;
  double weight = 0;
};
using DampingPoints = std::array<DampingPoint, 3>;

// Of methods that carry forces from step to step, the damping force R of the step is, with a force z that is carried,
//
//   z+ = kept z + weighted sum of those at the points,   R = before z + after z+
struct DampingMemory {
  double kept = 0, before = 0, after = 1;
  bool starts = false;  // z is the damping force at the beginning of the step; else what the step before left
};

struct [[nodiscard]] StepReport {
  StepStatus status = StepStatus::ok;
  Work work;
  std::optional<double> error_estimate;  // relative, for methods with an embedded pair
  double cost = 0;                       // counted, in products with K, for methods that control their step
  std::string_view evaluator;            // of matrix functions, the default's choice; empty: none was used
  double function_error = 0;             // the largest estimated error of a matrix function, relative
  double eigen_residual = 0;             // of the modes that were used: relative residual, or angle in energy
  std::optional<StepWork> step_work;     // exact, of methods that know it
  DampingPoints damping;  // of methods whose damping is such a sum; null: not known, or no more points
  std::optional<DampingMemory> damping_memory;  // with the points
  // What the method's own energy E*, which never rises, holds beyond kinetic and potential energy; J. Empty:
  // it has none.
  std::optional<double> modified_energy;
};

}  // namespace phiflex

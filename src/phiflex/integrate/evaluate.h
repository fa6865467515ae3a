// A force, or the acceleration M^-1 f, at a state: counted, and checked to be finite.
#pragma once

#include <cmath>

#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

inline StepStatus evaluate_force(const MechanicalSystem& system, const State& at, Vector& f, Work& work) {
  ++work.force_evaluations;
  system.force(at, f);
  return all_finite(system.mass().team(), f) ? StepStatus::ok : StepStatus::not_finite;
}

inline StepStatus evaluate_acceleration(const MechanicalSystem& system, const State& at, Vector& f, Vector& a,
                                        Work& work) {
  const StepStatus status = evaluate_force(system, at, f, work);
  if (status == StepStatus::ok) system.mass().solve(f, a);
  return status;
}

// Corrections d of a velocity with h |d|_M below this are rounding of positions: 1e-12 of the bodies' extent for every
// kilogram, m kg^(1/2).
inline double position_floor(const MechanicalSystem& system) {
  return 1e-12 * system.extent() * std::sqrt(sum(system.mass().team(), system.mass().diagonal().sum()));
}

inline StepStatus check_finite(const MechanicalSystem& system, const State& state) {
  const bool finite = state.q.allFinite() && state.v.allFinite();
  return any(system.mass().team(), !finite) ? StepStatus::not_finite : StepStatus::ok;
}

// For methods that do not evaluate the force where they end: the potential is infinite outside the domain.
inline StepStatus check_inside_domain(const MechanicalSystem& system, const State& state) {
  const StepStatus status = check_finite(system, state);
  if (status != StepStatus::ok) return status;
  return std::isfinite(system.potential_energy(state)) ? StepStatus::ok : StepStatus::not_finite;
}

}  // namespace phiflex

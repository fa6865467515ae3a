// A force, or the acceleration M^-1 f, at a state: counted, and checked to be finite.
#pragma once

#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

inline StepStatus evaluate_force(const MechanicalSystem& system, const State& at, Vector& f, Work& work) {
  ++work.force_evaluations;
  system.force(at, f);
  return f.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

inline StepStatus evaluate_acceleration(const MechanicalSystem& system, const State& at, Vector& f, Vector& a,
                                        Work& work) {
  const StepStatus status = evaluate_force(system, at, f, work);
  if (status == StepStatus::ok) system.mass().solve(f, a);
  return status;
}

inline StepStatus check_finite(const State& state) {
  return state.q.allFinite() && state.v.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

}  // namespace phiflex

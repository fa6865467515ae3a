// An implicit stage (implicit_stage.h) with its force linearized at the current state (t, q, v):
//
//   M (w - w0) = s [f + (ts - t) g - K (q0 + rho w - q) - D (v0 + sigma w - v)]                           (1)
//
// with ts the time of the stage and w = start + dw, so that
//
//   (M + s sigma D + s rho K) dw = s [f + (ts - t) g - K (qs - q) - D (vs - v)] - M (start - w0)          (2)
//
// where (qs, vs) is the stage's state at w = start. It is one step of Newton's method for the pair (q, v)
// from the current state, exact when f is linear: `si` by itself, and where the
// other implicit methods start.
#pragma once

#include "phiflex/integrate/implicit_stage.h"
#include "phiflex/integrate/tangent_solver.h"

namespace phiflex {

class LinearizedStage {
 public:
  LinearizedStage(const MechanicalSystem& system, const TangentOptions& options, double tolerance)
      : system_(system), tangent_(system, options, tolerance) {}

  // f is the force at now. Falls back to the projected K, on both sides of (2), when options allow it.
  StepStatus solve(const ImplicitStage& stage, const State& now, const Vector& f, Vector& dw, Work& work);
  TangentSolver& tangent_solver() { return tangent_; }
  const TangentSolver& tangent_solver() const { return tangent_; }

 private:
  void form_right_hand_side(const ImplicitStage& stage, const State& now, const Vector& f, Work& work);

  const MechanicalSystem& system_;
  TangentSolver tangent_;
  State at_;
  Vector rhs_, product_;
};

}  // namespace phiflex

// Newton's method for an implicit stage (implicit_stage.h):
//
//   r(w) = M (w - w0) - s f(t, q0 + rho w, v0 + sigma w) = 0                                              (1)
//   A d = -r,   A = M + s sigma D + s rho K,   w <- w + alpha d                                           (2)
//
// Start: the stage linearized at the current state (what `si` computes), drawn back towards the current
// positions, where the force is finite, until it is finite.
//
// Line search: alpha = 1, 1/2, 1/4, ... until the force is finite and
//
//   d'r(w + alpha d) <= |d'r(w)|/2                                                                        (3)
//
// On a system with contacts alpha begins at 0.9 of the free part of the way (MechanicalSystem::free_way), so that every
// iterate is reached along free ways, and d is cut to a tenth of the extent, or to the length of the step itself; A has
// the blocks of the contacts beside it.
//
// For a conservative force r is the gradient of the incremental potential, and (3) says that the step did not
// climb its far slope (Matthies and Strang: The solution of nonlinear finite element equations, 1979). It
// needs no potential, so that damping and drag are served too.
//
// Stop: the residual, scaled by mass and stiffness, is the correction d, and the error left after it is
// estimated from the contraction theta = |d|_M/|d_before|_M (Hairer and Wanner: Solving Ordinary Differential
// Equations II, section IV.8):
//
//   min(1, max(theta/(1 - theta), eta)) |d|_M <= tolerance (|w|_M + |w0|_M + |v0|_M)                      (4)
//   or  h |d|_M <= 1e-12 extent sqrt(sum of masses)                                                       (5)
//
// with eta the relative tolerance of the linear solves. (M^-1 r itself would not do: rounding in the stiffest
// directions of f keeps it above any tolerance.) extent: the largest side of the bodies
// at rest. Corrections below (5) are rounding of positions.
//
// Where A is not positive definite, either the projected stiffness takes the place of K, or, as in the
// Newton-Raphson baseline of Michels, Luan and Tokman (A Stiffly Accurate Integrator for Elastodynamic Problems,
// 2017), the diagonal is raised until the factorization succeeds (Nocedal and Wright: Numerical Optimization,
// 2006, section 3.4):
//
//   A + tau M,   tau = 0.1, 1, 10, ...                                                                    (6)
//
// (with a lumped mass a diagonal). d is then shorter than Newton's, and does not stop the iteration by (4).
//
// The tangent is assembled at each iterate; its factorization is kept over iterations and steps as the
// preconditioner of conjugate gradients as long as that is less work.
#pragma once

#include "phiflex/integrate/linearized_stage.h"
#include "phiflex/integrate/newton_options.h"

namespace phiflex {

class NewtonSolver {
 public:
  NewtonSolver(const MechanicalSystem& system, const NewtonOptions& options);

  // f is the force at now; w is defined when the status is ok.
  StepStatus solve(const ImplicitStage& stage, const State& now, const Vector& f, Vector& w, Work& work);

  const KeptInverse& kept() const { return linearized_.tangent_solver().kept(); }
  void save(ArchiveWriter& out) const { linearized_.tangent_solver().save(out); }
  void load(ArchiveReader& in) { linearized_.tangent_solver().load(in); }

 private:
  struct Search {
    StepStatus status;
    double alpha;
  };
  // d_ by (2), with the correction of A where it needs one.
  struct Direction {
    SolveStatus status;
    bool raised;  // by (6)
  };
  Direction find_direction(const ImplicitStage& stage, Work& work);
  Search advance_along_d(const ImplicitStage& stage, double slope_limit, Work& work);
  // As advance_along_d from the state `now`, whatever the slope: held vertices and obstacles move along the way.
  Search begin_along_d(const ImplicitStage& stage, const State& now, Work& work);
  double free_way(const ImplicitStage& stage, const State& from, const Vector& w);
  void limit_d(const ImplicitStage& stage);
  bool evaluate(const ImplicitStage& stage, Work& work);
  bool converged(const ImplicitStage& stage, double size, double size_before) const;
  double norm(const Vector& x) const;  // |x|_M

  const MechanicalSystem& system_;
  double tolerance_;
  int limit_;
  HessianCorrection correction_;
  double position_floor_;  // of (5)
  LinearizedStage linearized_;
  State at_;  // the stage's state at trial_
  State to_;
  Vector w_, trial_, d_, r_, r_trial_, force_, change_;
};

}  // namespace phiflex

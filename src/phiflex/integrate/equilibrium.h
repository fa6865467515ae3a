// Static equilibrium of a system at a time t: the positions at which no force is left,
//
//   f(t, q, 0) = 0                                                                                        (1)
//
// by Newton's method, damped in the metric of the mass where it needs to be (pseudo-transient continuation,
// Kelley and Keyes: Convergence analysis of pseudo-transient continuation, 1998):
//
//   (K + tau M) d = f,     q <- q + alpha d                                                               (2)
//
// tau is 0 as long as that works. It is raised, tenfold from the value that moves the fastest vertex by a tenth
// of the bodies' size, when K and its projection are not positive definite, when a vertex would move by more
// than half of that size, or when the line search fails; after a full step it is lowered again. alpha = 1, 1/2, 1/4,
// ... until the force is finite and
//
//   -d'f(q + alpha d) <= |d'f(q)|/2                                                                       (3)
//
// as in newton.h: no potential is needed, so that loads which have none are served. Converged:
//
//   |f| <= 1e-10 F,  F = |f| at the start,   or  |d|_inf <= 1e-12 extent in a full step with tau = 0      (4)
//
// where the second leaves an error of the square of that; or |f| <= 1e-6 F and five steps in a row did not halve it:
// what is left is rounding.
//
// Where that fails, the loads come step by step, s from 0 to 1, each step from the equilibrium before:
//
//   f(t, q, 0) = (1 - s) f_0,     f_0 the force at the start                                              (5)
//
// which is s times the loads where these are constant and the start is the rest shape. Steps of s begin with 1/4, are
// doubled by a success and halved by a failure, 1/64 at least; where that one fails, s is the share that was reached.
#pragma once

#include <cstdint>

#include "phiflex/base/work.h"
#include "phiflex/integrate/tangent_solver.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

struct EquilibriumReport {
  StepStatus status = StepStatus::ok;  // not_converged: there may be no equilibrium
  int iterations = 0;
  double force = 0;     // |f| that is left, N
  double residual = 0;  // relative to F
  double moved = 0;     // largest change of a coordinate, m
  double reached = 1;   // s of (5), at q; 1 where the status is ok
  Work work;
};

inline constexpr int kEquilibriumLimit = 300;  // iterations; and as many again by steps of the loads

// From at.q at time at.t to the equilibrium; at.v does not count and stays. Where the status is not ok, at.q is
// the equilibrium of the share of the loads that was reached.
EquilibriumReport find_equilibrium(const MechanicalSystem& system, State& at);

}  // namespace phiflex

// Explicit methods made by pole placement (discrete control theory): one matrix alpha of the rest shape
// divides the acceleration in both updates, a = M^-1 f(t, q, v),
//
//   v+ = v + h alpha a,   q+ = q + h v + h^2 alpha a                                                      (1)
//   alpha = S^-1 M,       S = M + h/2 D0 + h^2/lambda K0,    D0, K0 at rest                               (2)
//
// so that S (v+ - v) = h f and q+ = q + h v+. With q eliminated, v = (q - q-)/h and (1) is
// S (q+ - 2q + q-) = h^2 f(t, q, v): positions obey (1) of zheng.cpp with p = 1/lambda, q = r = 1. The roots
// for an oscillator have modulus one at any step if lambda <= 4, else for h w < 2/sqrt(1 - 4/lambda); its
// period is wrong by the factor 1 - (1/24 - 1/(2 lambda)) (h w)^2. The velocity, though, is that of the
// middle of a step: from given (q, v) the order is 1, and modes with h w >> 1 overshoot by h w/4 times what
// their velocity means.
#pragma once

#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/plain_method.h"
#include "phiflex/integrate/rest_solver.h"

namespace phiflex {

class AlphaMethod final : public PlainMethod {
 public:
  AlphaMethod(const MechanicalSystem& system, const RestOptions& options, const MethodInfo& info,
              double lambda)
      : system_(system), info_(info), lambda_(lambda), S_(system, options) {}
  const MethodInfo& info() const override { return info_; }
  void save(ArchiveWriter& out) const override { S_.save(out); }
  void load(ArchiveReader& in) override { S_.load(in); }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    StepStatus status = evaluate_force(system_, now, f_, work);
    if (status != StepStatus::ok) return status;
    status = S_.prepare({.a = 1, .b = h / 2, .c = h * h / lambda_}, now, work);  // (2)
    if (status == StepStatus::ok) status = S_.solve(f_, dv_, work);
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.v = now.v + h * dv_;     // (1)
    next.q = now.q + h * next.v;  // (1)
    return check_finite(system_, next);
  }

  const MechanicalSystem& system_;
  MethodInfo info_;
  double lambda_;
  RestSolver S_;
  Vector f_, dv_;
};

}  // namespace phiflex

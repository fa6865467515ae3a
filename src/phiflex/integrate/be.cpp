// Backward Euler:
//
//   v+ = v + h M^-1 f(t + h, q + h v+, v+)                                                                (1)
//   q+ = q + h v+                                                                                         (2)
//
// by Newton's method from the result of `si`.
// Hairer, Wanner: Solving Ordinary Differential Equations II, 1996, section IV.3.
#include "phiflex/integrate/newton_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kBeInfo{.name = "be",
                             .summary = "backward Euler: robust, strong numerical damping",
                             .order = 1,
                             .l_stable = true,
                             .citation = "hairer1996ode",
                             .contact = ContactStep::solved,
                             .auto_role = AutoRole::last_resort,
                             .on_ranks = UsualStep{.forces = 3, .matrices = 3, .iterations = 24}};

class BackwardEuler final : public NewtonMethod {
 public:
  BackwardEuler(const MechanicalSystem& system, const NewtonOptions& options)
      : NewtonMethod(system, options) {}
  const MethodInfo& info() const override { return kBeInfo; }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    StepStatus status = evaluate_force(system_, now, f_, work);
    if (status != StepStatus::ok) return status;
    set_backward_euler(now, h, stage_);
    status = newton_.solve(stage_, now, f_, next.v, work);  // (1)
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.q = now.q + h * next.v;  // (2)
    return check_finite(system_, next);
  }
  DampingPoints damping_points(const State&, const State& next) override {
    return {{{&next, 1}}};  // (1)
  }
};

}  // namespace

MethodEntry be_method() {
  return method_entry<BackwardEuler>(kBeInfo);
}

}  // namespace phiflex

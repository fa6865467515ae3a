// Backward Euler:
//
//   v+ = v + h M^-1 f(t + h, q + h v+, v+)                                                                (1)
//   q+ = q + h v+                                                                                         (2)
//
// by Newton's method from the result of `si`.
// Hairer, Wanner: Solving Ordinary Differential Equations II, 1996, section IV.3.
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/halving.h"
#include "phiflex/integrate/methods.h"
#include "phiflex/integrate/newton.h"

namespace phiflex {
namespace {

constexpr MethodInfo kInfo{.name = "be",
                           .summary = "backward Euler: robust, strong numerical damping",
                           .order = 1,
                           .l_stable = true,
                           .citation = "hairer1996ode"};

class BackwardEuler final : public Integrator {
 public:
  BackwardEuler(const MechanicalSystem& system, const IntegratorOptions& options)
      : system_(system), newton_(system, options), halving_(options.halve_step) {}
  const MethodInfo& info() const override { return kInfo; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    const auto once = [this](auto&&... arguments) { return advance(arguments...); };
    report.status = halving_.advance(once, now, h, next, report.work);
    return report;
  }
  void save(ArchiveWriter& out) const override { newton_.save(out); }
  void load(ArchiveReader& in) override { newton_.load(in); }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) {
    StepStatus status = evaluate_force(system_, now, f_, work);
    if (status != StepStatus::ok) return status;
    set_backward_euler(now, h, stage_);
    status = newton_.solve(stage_, now, f_, next.v, work);  // (1)
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.q = now.q + h * next.v;  // (2)
    return check_finite(next);
  }

  const MechanicalSystem& system_;
  NewtonSolver newton_;
  Halving halving_;
  ImplicitStage stage_;
  Vector f_;
};

}  // namespace

MethodEntry be_method() {
  return {&kInfo, newton_option_names, make_method<BackwardEuler>};
}

}  // namespace phiflex

// The classical Runge-Kutta method of order 4 on u = (q, v), F(t, u) = (v, M^-1 f(t, q, v)):
//
//   k1 = F(t, u)                                                                                          (1)
//   k2 = F(t + h/2, u + h/2 k1),   k3 = F(t + h/2, u + h/2 k2)                                            (2)
//   k4 = F(t + h, u + h k3)                                                                               (3)
//   u+ = u + h/6 (k1 + 2 k2 + 2 k3 + k4)                                                                  (4)
//
// On the imaginary axis it is stable up to h w = 2 sqrt 2.
// Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, 1993, section II.1.
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/plain_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kRk4Info{.name = "rk4",
                              .summary = "explicit, four forces per step; stable for h w_max < 2.83",
                              .order = 4,
                              .conditionally_stable = true,
                              .stability_limit = 2.8284271247461903,
                              .citation = "hairer1993ode",
                              .contact = ContactStep::explicit_force,
                              .on_ranks = UsualStep{.forces = 4}};

class RungeKutta4 final : public PlainMethod {
 public:
  RungeKutta4(const MechanicalSystem& system, const IntegratorOptions&) : system_(system) {}
  const MethodInfo& info() const override { return kRk4Info; }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    constexpr double kNode[] = {0, 0.5, 0.5, 1};
    constexpr double kWeight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    next.q = now.q;
    next.v = now.v;
    stage_ = now;
    for (int i = 0; i < 4; ++i) {
      if (i > 0) {  // (2), (3): u + c h k, where stage_.v is still the position part of k
        const double ch = kNode[i] * h;
        stage_.t = now.t + ch;
        stage_.q = now.q + ch * stage_.v;
        stage_.v = now.v + ch * a_;
      }
      const StepStatus status = evaluate_acceleration(system_, stage_, f_, a_, work);
      if (status != StepStatus::ok) return status;
      next.q += kWeight[i] * h * stage_.v;  // (4)
      next.v += kWeight[i] * h * a_;
    }
    next.t = now.t + h;
    return check_finite(system_, next);
  }

  const MechanicalSystem& system_;
  State stage_;
  Vector f_, a_;
};

}  // namespace

MethodEntry rk4_method() {
  return {&kRk4Info, {}, make_method<RungeKutta4>};
}

}  // namespace phiflex

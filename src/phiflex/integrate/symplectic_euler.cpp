// Symplectic Euler:
//
//   v+ = v + h M^-1 f(t, q, v)                                                                            (1)
//   q+ = q + h v+                                                                                         (2)
//
// Forces that depend on the velocity are taken explicitly, at v.
// Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, section VI.3.
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/plain_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kSymplecticEulerInfo{.name = "symplectic-euler",
                                          .summary = "explicit, one force per step; stable for h w_max < 2",
                                          .order = 1,
                                          .symplectic = true,
                                          .conditionally_stable = true,
                                          .stability_limit = 2,
                                          .citation = "hairer2006geometric",
                                          .contact = ContactStep::explicit_force,
                                          .on_ranks = UsualStep{}};

class SymplecticEuler final : public PlainMethod {
 public:
  SymplecticEuler(const MechanicalSystem& system, const IntegratorOptions&) : system_(system) {}
  const MethodInfo& info() const override { return kSymplecticEulerInfo; }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    const StepStatus status = evaluate_acceleration(system_, now, f_, a_, work);
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.v = now.v + h * a_;      // (1)
    next.q = now.q + h * next.v;  // (2)
    return check_finite(system_, next);
  }

  const MechanicalSystem& system_;
  Vector f_, a_;
};

}  // namespace

MethodEntry symplectic_euler_method() {
  return {&kSymplecticEulerInfo, {}, make_method<SymplecticEuler>};
}

}  // namespace phiflex

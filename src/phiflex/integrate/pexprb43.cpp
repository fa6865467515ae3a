// The parallel exponential Rosenbrock method of order 4 with an embedded method of order 3: both stages come
// from the linearized flow, and so from one basis. With R_i the remainder of linearized_flow.h at U_i,
//
//   U_2 = U(h/2),   U_3 = U(h)                                                                            (1)
//   u3  = U_3 + h phi_3(h J) (16 R_2 - 2 R_3)                             order 3                         (2)
//   u+  = u3 + h phi_4(h J) (-48 R_2 + 12 R_3)                            order 4                         (3)
//
// Luan, Ostermann: Parallel exponential Rosenbrock methods, 2016.
#include "phiflex/integrate/adaptive_step.h"
#include "phiflex/integrate/exponential_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kPexprb43Info{
    .name = "pexprb43",
    .summary = "exponential Rosenbrock, order 4 with an error estimate, small error constant",
    .order = 4,
    .exact_on_linear = true,
    .conserves_linear_energy = true,
    .embedded_order = 3,
    .citation = "luan2016parallel",
    .contact = ContactStep::resolved};

class Pexprb43 final : public ExponentialMethod {
 public:
  Pexprb43(const MechanicalSystem& system, const EstimatingOptions& options)
      : ExponentialMethod(system, options), estimate_(options.error_tolerance > 0) {}
  const MethodInfo& info() const override { return kPexprb43Info; }

 private:
  StepStatus increment(double h, Vector& dw, StepReport& report) override {
    const std::array tau = {h / 2, h};
    const auto U = flow_.flow(tau, report);  // (1)
    if (!U.ok()) return U.status();
    const auto R = flow_.remainders(tau, U.value(), report);
    if (!R.ok()) return R.status();
    u3_ = (16 * R.value()[0] - 2 * R.value()[1]) / (h * h);
    u4_ = (-48 * R.value()[0] + 12 * R.value()[1]) / (h * h * h);
    if (!estimate_) {
      const auto both = flow_.correction(h, u3_, u4_, report);
      if (!both.ok()) return both.status();
      dw = U.value()[1] + both.value();  // (2) and (3) at once
      return StepStatus::ok;
    }
    const auto third = flow_.correction(h, u3_, {}, report);
    if (!third.ok()) return third.status();
    dw = U.value()[1] + third.value();  // (2)
    const auto fourth = flow_.correction(h, {}, u4_, report);
    if (!fourth.ok()) return fourth.status();
    dw += fourth.value();  // (3)
    report.error_estimate = flow_.relative_norm(fourth.value(), dw, h);
    return StepStatus::ok;
  }

  bool estimate_;
  Vector u3_, u4_;
};

}  // namespace

MethodEntry pexprb43_method() {
  return {&kPexprb43Info, described_options<EstimatingOptions>(), make_method_with_estimate<Pexprb43>};
}

}  // namespace phiflex

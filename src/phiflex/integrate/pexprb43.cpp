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
    .citation = "luan2016parallel"};

class Pexprb43 final : public ExponentialMethod {
 public:
  Pexprb43(const MechanicalSystem& system, const IntegratorOptions& options)
      : ExponentialMethod(system, options), estimate_(options.error_tolerance > 0) {}
  const MethodInfo& info() const override { return kPexprb43Info; }

 private:
  StepStatus increment(double h, Vector& dw, StepReport& report) override {
    const std::array tau = {h / 2, h};
    StepStatus status = flow_.flow(tau, stages_, report);  // (1)
    for (int i = 0; i < 2 && status == StepStatus::ok; ++i)
      status = flow_.remainder(tau[i], stages_[i], R_[i], report);
    if (status != StepStatus::ok) return status;
    u3_ = (16 * R_[0] - 2 * R_[1]) / (h * h);
    u4_ = (-48 * R_[0] + 12 * R_[1]) / (h * h * h);
    dw = stages_[1];
    if (!estimate_) {
      status = flow_.correction(h, u3_, u4_, correction_, report);
      dw += correction_;  // (2) and (3) at once
      return status;
    }
    status = flow_.correction(h, u3_, {}, correction_, report);
    if (status != StepStatus::ok) return status;
    dw += correction_;  // (2)
    status = flow_.correction(h, {}, u4_, correction_, report);
    if (status != StepStatus::ok) return status;
    dw += correction_;  // (3)
    report.error_estimate = flow_.relative_norm(correction_, dw, h);
    return StepStatus::ok;
  }

  bool estimate_;
  std::array<Vector, 2> stages_, R_;
  Vector u3_, u4_, correction_;
};

}  // namespace

MethodEntry pexprb43_method() {
  return {&kPexprb43Info, estimating_option_names, make_method_with_estimate<Pexprb43>};
}

}  // namespace phiflex

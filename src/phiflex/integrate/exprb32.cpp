// The exponential Rosenbrock method of order 3 with an embedded method of order 2 (`ere`): with R the
// remainder of linearized_flow.h,
//
//   U  = u + h phi_1(h J) F + h^2 phi_2(h J) G                                                            (1)
//   u+ = U + 2 h phi_3(h J) R(h, U)                                                                       (2)
//
// The last term is the difference of the two and serves as the estimate of the error.
// Hochbruck, Ostermann, Schweitzer: Exponential Rosenbrock-type methods, 2009.
#include "phiflex/integrate/adaptive_step.h"
#include "phiflex/integrate/exponential_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kExprb32Info{.name = "exprb32",
                                  .summary = "exponential Rosenbrock, order 3, with an error estimate",
                                  .order = 3,
                                  .exact_on_linear = true,
                                  .conserves_linear_energy = true,
                                  .embedded_order = 2,
                                  .citation = "hochbruck2009rosenbrock",
                                  .contact = ContactStep::resolved};

class Exprb32 final : public ExponentialMethod {
 public:
  using ExponentialMethod::ExponentialMethod;
  const MethodInfo& info() const override { return kExprb32Info; }

 private:
  StepStatus increment(double h, Vector& dw, StepReport& report) override {
    const auto U = flow_.flow({&h, 1}, report);  // (1)
    if (!U.ok()) return U.status();
    const auto R = flow_.remainders({&h, 1}, U.value(), report);
    if (!R.ok()) return R.status();
    u3_ = 2 / (h * h) * R.value()[0];
    const auto correction = flow_.correction(h, u3_, {}, report);
    if (!correction.ok()) return correction.status();
    dw = U.value()[0] + correction.value();  // (2)
    report.error_estimate = flow_.relative_norm(correction.value(), dw, h);
    return StepStatus::ok;
  }

  Vector u3_;
};

}  // namespace

MethodEntry exprb32_method() {
  return {&kExprb32Info, described_options<EstimatingOptions>(), make_method_with_estimate<Exprb32>};
}

}  // namespace phiflex

// The exponential Rosenbrock method of order 4 with two stages: with c = 3/4 and the remainder R of
// linearized_flow.h,
//
//   U  = u + c h phi_1(c h J) F + (c h)^2 phi_2(c h J) G                                                  (1)
//   u+ = u + h phi_1(h J) F + h^2 phi_2(h J) G + 32/9 h phi_3(h J) R(c h, U)                              (2)
//
// Luan: Fourth-order two-stage explicit exponential integrators for time-dependent PDEs, 2017.
#include "phiflex/integrate/exponential_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kExprb42Info{.name = "exprb42",
                                  .summary = "exponential Rosenbrock, order 4 in two stages",
                                  .order = 4,
                                  .exact_on_linear = true,
                                  .conserves_linear_energy = true,
                                  .citation = "luan2017fourth",
                                  .contact = ContactStep::resolved};

class Exprb42 final : public ExponentialMethod {
 public:
  using ExponentialMethod::ExponentialMethod;
  const MethodInfo& info() const override { return kExprb42Info; }

 private:
  StepStatus increment(double h, Vector& dw, StepReport& report) override {
    const std::array tau = {0.75 * h, h};
    const auto U = flow_.flow(tau, report);  // (1) and the first terms of (2), from one basis
    if (!U.ok()) return U.status();
    const auto R = flow_.remainders({tau.data(), 1}, U.value(), report);
    if (!R.ok()) return R.status();
    u3_ = 32.0 / 9 / (h * h) * R.value()[0];
    const auto correction = flow_.correction(h, u3_, {}, report);
    if (!correction.ok()) return correction.status();
    dw = U.value()[1] + correction.value();  // (2)
    return StepStatus::ok;
  }

  Vector u3_;
};

}  // namespace

MethodEntry exprb42_method() {
  return method_entry<Exprb42>(kExprb42Info);
}

}  // namespace phiflex

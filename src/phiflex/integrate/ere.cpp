// The exponential Rosenbrock-Euler method: the system linearized at the current state, solved exactly,
//
//   u+ = u + h phi_1(h J) F + h^2 phi_2(h J) G                                                            (1)
//
// with F, J and G = dF/dt of linearized_flow.h.
// Chen, Ascher, Pai: Exponential Rosenbrock-Euler Integrators for Elastodynamic Simulation, 2018.
#include "phiflex/integrate/exponential_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kInfo{
    .name = "ere",
    .summary = "exponential Rosenbrock-Euler: exact on linear systems, no damping of its own",
    .order = 2,
    .exact_on_linear = true,
    .conserves_linear_energy = true,
    .citation = "chen2018ere"};

class ExponentialRosenbrockEuler final : public ExponentialMethod {
 public:
  using ExponentialMethod::ExponentialMethod;
  const MethodInfo& info() const override { return kInfo; }

 private:
  StepStatus increment(double h, Vector& dw, StepReport& report) override {
    return flow_.flow({&h, 1}, {&dw, 1}, report);  // (1)
  }
};

}  // namespace

MethodEntry ere_method() {
  return {&kInfo, exponential_option_names, make_method<ExponentialRosenbrockEuler>};
}

}  // namespace phiflex

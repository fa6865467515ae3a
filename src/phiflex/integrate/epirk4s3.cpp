// The stiffly accurate exponential propagation method of order 4 with three stages. With c = 1/8 and 1/9 and
// R_i the remainder of linearized_flow.h at U_i = U(c_i h), both stages and the last term from one basis:
//
//   u+ = U(h) + h (1892 phi_3 - 42336 phi_4)(h J) R_2 + h (1458 phi_3 - 34992 phi_4)(h J) (R_3 - 2 R_2)
//      = U(h) + h phi_3(h J) (-1024 R_2 + 1458 R_3) + h phi_4(h J) (27648 R_2 - 34992 R_3)                 (1)
//
// The weights are of the order of ten thousand: what they multiply must be accurate. With a Jacobian that is
// projected or lagged, or with evaluations at a loose tolerance, the method blows up.
// Michels, Luan, Tokman: A Stiffly Accurate Integrator for Elastodynamic Problems, 2017.
#include "phiflex/integrate/exponential_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kEpirk4s3Info{.name = "epirk4s3",
                           .summary = "stiffly accurate exponential propagation, order 4 in three stages",
                           .order = 4,
                           .exact_on_linear = true,
                           .conserves_linear_energy = true,
                           .citation = "michels2017stiffly"};

class Epirk4s3 final : public ExponentialMethod {
 public:
  using ExponentialMethod::ExponentialMethod;
  const MethodInfo& info() const override { return kEpirk4s3Info; }

 private:
  StepStatus increment(double h, Vector& dw, StepReport& report) override {
    const std::array tau = {h / 9, h / 8, h};
    StepStatus status = flow_.flow(tau, stages_, report);
    if (status == StepStatus::ok) status = flow_.remainder(tau[1], stages_[1], R2_, report);
    if (status == StepStatus::ok) status = flow_.remainder(tau[0], stages_[0], R3_, report);
    if (status != StepStatus::ok) return status;
    u3_ = (-1024 * R2_ + 1458 * R3_) / (h * h);
    u4_ = (27648 * R2_ - 34992 * R3_) / (h * h * h);
    status = flow_.correction(h, u3_, u4_, correction_, report);
    dw = stages_[2] + correction_;  // (1)
    return status;
  }

  std::array<Vector, 3> stages_;
  Vector R2_, R3_, u3_, u4_, correction_;
};

}  // namespace

MethodEntry epirk4s3_method() {
  return {&kEpirk4s3Info, exponential_option_names, make_method<Epirk4s3>};
}

}  // namespace phiflex

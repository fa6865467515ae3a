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

constexpr MethodInfo kEpirk4s3Info{
    .name = "epirk4s3",
    .summary = "stiffly accurate exponential propagation, order 4 in three stages",
    .order = 4,
    .exact_on_linear = true,
    .conserves_linear_energy = true,
    .citation = "michels2017stiffly",
    .contact = ContactStep::resolved,
    .largest_weight = 34992};

class Epirk4s3 final : public ExponentialMethod {
 public:
  using ExponentialMethod::ExponentialMethod;
  const MethodInfo& info() const override { return kEpirk4s3Info; }

 private:
  StepStatus increment(double h, Vector& dw, StepReport& report) override {
    const std::array tau = {h / 9, h / 8, h};
    const auto U = flow_.flow(tau, report);
    if (!U.ok()) return U.status();
    const auto R = flow_.remainders({tau.data(), 2}, U.value(), report);
    if (!R.ok()) return R.status();
    const Vector &R3 = R.value()[0], &R2 = R.value()[1];
    u3_ = (-1024 * R2 + 1458 * R3) / (h * h);
    u4_ = (27648 * R2 - 34992 * R3) / (h * h * h);
    const auto correction = flow_.correction(h, u3_, u4_, report);
    if (!correction.ok()) return correction.status();
    dw = U.value()[2] + correction.value();  // (1)
    return StepStatus::ok;
  }

  Vector u3_, u4_;
};

std::vector<std::string> epirk4s3_warnings(const MechanicalSystem& system, const IntegratorOptions&) {
  if (!system.has_contacts()) return {};
  return {
      "epirk4s3 weighs by ten thousand what its linearization leaves out, and barriers leave out much: an "
      "impact of two cubes "
      "lost 23 % of its energy, and with friction gained 30 %; em, pexprb43 and verlet meet contacts well"};
}

}  // namespace

MethodEntry epirk4s3_method() {
  MethodEntry entry = method_entry<Epirk4s3>(kEpirk4s3Info);
  entry.warnings = epirk4s3_warnings;
  return entry;
}

}  // namespace phiflex

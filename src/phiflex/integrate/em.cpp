// The energy-momentum step (em_method.h):
//
//   M (w - v) = h/2 f_em(q, q + h w),   q+ = q + h w,   v+ = 2 w - v                                      (1)
//
// On linear systems it is the midpoint rule; where parts turn it keeps what midpoint loses.
#include "phiflex/integrate/em_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kEmInfo{
    .name = "em",
    .summary = "energy-momentum step: energy and momenta are kept, however far parts turn",
    .order = 2,
    .reversible = true,
    .conserves_linear_energy = true,
    .objective_damping = true,
    .citation = "gonzalez1996time",
    .contact = ContactStep::guarded,
    .auto_role = AutoRole::implicit_step,
    .on_ranks = UsualStep{.forces = 2, .matrices = 1, .iterations = 13}};

class EnergyMomentum final : public EnergyMomentumMethod {
 public:
  EnergyMomentum(const MechanicalSystem& system, const EmOptions& options)
      : EnergyMomentumMethod(kEmInfo, system, options, nullptr) {}
};

}  // namespace

MethodEntry em_method() {
  return method_entry<EnergyMomentum>(kEmInfo);
}

}  // namespace phiflex

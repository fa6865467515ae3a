// The exponentially fitted energy-momentum step (em_method.h, modal_fit.h): its s lowest modes turn exactly,
//
//   M T (T w - v) = h/2 f_em(q, q + h w),   q+ = q + h w,   v+ = 2 T w - v                                (1)
//
// and the energy is kept as it is by `em`. With the dial, only modes that are not fitted are damped; E* is
// then no longer known to fall.
#include "phiflex/integrate/em_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kEmxInfo{
    .name = "emx",
    .summary = "energy-momentum step with its lowest modes moved exactly, for held bodies",
    .order = 2,
    .conserves_linear_energy = true,
    .held_bodies_only = true,
    .objective_damping = true,
    .citation = "gonzalez1996time",
    .contact = ContactStep::guarded,
    .auto_role = AutoRole::fitted_step};

struct EmxOptions {
  EmOptions em;
  int modes = option::default_modes;  // that move exactly
};
template <class V>
void fields(V& v, EmxOptions& o) {
  fields(v, o.em);
  v(option::modes, o.modes);
}

class FittedEnergyMomentum final : public EnergyMomentumMethod {
 public:
  using Options = EmxOptions;
  FittedEnergyMomentum(const MechanicalSystem& system, const EmxOptions& options)
      : EnergyMomentumMethod(kEmxInfo, system, options.em, make_fit(system, options)) {}

 private:
  static std::unique_ptr<ModalFit> make_fit(const MechanicalSystem& system, const EmxOptions& options) {
    if (system.dofs() == 0 || options.modes == 0) return nullptr;
    return std::make_unique<ModalFit>(system, options.modes, solver_for(system, options.em.newton.tangent));
  }
};

}  // namespace

MethodEntry emx_method() {
  return method_entry<FittedEnergyMomentum>(kEmxInfo);
}

}  // namespace phiflex

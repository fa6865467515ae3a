// The additive semi-implicit Euler method: only the stiff part K_s of the stiffness (system/tangent.h) is
// taken implicitly, the rest of the force explicitly,
//
//   (M + h D + h^2 K_s) dv = h (f + h g - h K_s v)                                                        (1)
//   v+ = v + dv,   q+ = q + h v+                                                                          (2)
//
// For springs K_s is the material stiffness, positive semidefinite in any state: no projection is ever needed
// where `si` meets the indefinite geometric stiffness of compressed springs. The rest being explicit bounds
// the step by its own frequencies, those of the transverse waves of a tight rope or cloth. (1) is `si` on a system
// whose tangent is (K_s, D, g); without a split it is `si` itself.
// Chen: Integrators for Elastodynamic Simulation with Stiffness and Stiffening, 2019, chapter 5.
#include "phiflex/integrate/additive_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kMssiInfo{
    .name = "mssi",
    .summary = "semi-implicit Euler with only the stiff part of the stiffness implicit",
    .order = 1,
    .l_stable = true,
    .citation = "chen2019thesis"};

std::vector<std::string> mssi_warnings(const MechanicalSystem& system, const IntegratorOptions&) {
  if (system.stiff_tangent(Definiteness::exact)) return {};
  return {
      "mssi: nothing here has a stiffness that is split into a stiff part and a rest (springs have): it is "
      "the same as si"};
}

}  // namespace

MethodEntry mssi_method() {
  return {&kMssiInfo, si_method().options, make_method<AdditiveSemiImplicitEuler<kMssiInfo>>, mssi_warnings};
}

}  // namespace phiflex

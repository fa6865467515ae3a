// Semi-implicit Euler for discontinuous elements: with K_s the stiffness of the elements alone,
//
//   (M + h D + h^2 K_s) dv = h (f + h g - h K_s v)                                                        (1)
//   v+ = v + dv,   q+ = q + h v+                                                                          (2)
//
// f holds the forces of elements and interfaces at the beginning of the step, so that what couples the elements acts
// explicitly and (1) falls apart into one small system for each element. The interfaces bound the step:
// h sqrt(eta l/m) < 2 in the order of magnitude, for the penalty eta, edges of length l and nodes of mass m. It is the
// additive method `mssi` on another split; the thesis prints (1) with the wrong sign of K_s and without - h K_s v.
// Chen: Integrators for Elastodynamic Simulation with Stiffness and Stiffening, 2019, section 5.3.2.
#include "phiflex/integrate/additive_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kDgsiInfo{
    .name = "dgsi",
    .summary =
        "semi-implicit Euler for discontinuous triangles: implicit inside elements, explicit between them",
    .order = 1,
    .l_stable = true,
    .citation = "chen2019thesis"};

std::vector<std::string> dgsi_warnings(const MechanicalSystem& system, const IntegratorOptions&) {
  if (system.stiff_tangent(Definiteness::exact)) return {};
  return {
      "dgsi: nothing here has elements that are coupled through interfaces (dg-bz and dg-ip have): it is the "
      "same "
      "as si"};
}

}  // namespace

MethodEntry dgsi_method() {
  return {&kDgsiInfo, si_method().options, make_method<AdditiveSemiImplicitEuler<kDgsiInfo>>, dgsi_warnings};
}

}  // namespace phiflex

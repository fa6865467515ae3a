// The entries of the catalogue, each defined in the method's own file.
#pragma once

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/contact_guard.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/shared_options.h"

namespace phiflex {

MethodEntry symplectic_euler_method();
MethodEntry rk4_method();
MethodEntry central_difference_method();
MethodEntry si_method();
MethodEntry be_method();
MethodEntry midpoint_method();
MethodEntry bdf2_method();
MethodEntry tr_bdf2_method();
MethodEntry newmark_method();
MethodEntry generalized_alpha_method();
MethodEntry zheng_method();
MethodEntry chen_ricles_method();
MethodEntry gui_method();
MethodEntry chang_method();
MethodEntry mssi_method();
MethodEntry ere_method();
MethodEntry exprb32_method();
MethodEntry exprb42_method();
MethodEntry pexprb43_method();
MethodEntry epirk4s3_method();
MethodEntry gautschi_method();
MethodEntry siere_method();
MethodEntry em_method();
MethodEntry emx_method();
MethodEntry verlet_method();

// A method with settings names their struct as its Options; one without takes the IntegratorOptions and ignores them.
template <class Method>
std::unique_ptr<Integrator> make_method(const MechanicalSystem& system, const IntegratorOptions& options) {
  if constexpr (requires { typename Method::Options; }) {
    return guard_contacts(std::make_unique<Method>(system, options.read<typename Method::Options>()), system);
  } else {
    return guard_contacts(std::make_unique<Method>(system, options), system);
  }
}

template <class Method>
MethodEntry method_entry(const MethodInfo& info) {
  return {&info, described_options<typename Method::Options>(), make_method<Method>};
}

}  // namespace phiflex

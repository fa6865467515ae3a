// How a method's file makes its entry of the catalogue: `MethodEntry NAME_method()`, which method_names.h lists.
#pragma once

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/contact_guard.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/shared_options.h"

namespace phiflex {

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

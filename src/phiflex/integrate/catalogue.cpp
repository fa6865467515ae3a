#include "phiflex/integrate/catalogue.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "phiflex/integrate/additive_method.h"
#include "phiflex/integrate/methods.h"

namespace phiflex {

std::span<const MethodEntry> integrator_catalogue() {
  static const std::array table = {
      symplectic_euler_method(),
      rk4_method(),
      central_difference_method(),
      si_method(),
      be_method(),
      midpoint_method(),
      bdf2_method(),
      newmark_method(),
      generalized_alpha_method(),
      ere_method(),
      exprb32_method(),
      exprb42_method(),
      pexprb43_method(),
      epirk4s3_method(),
      gautschi_method(),
      siere_method(),
      zheng_method(),
      chen_ricles_method(),
      gui_method(),
      chang_method(),
      mssi_method(),
      dgsi_method(),
      em_method(),
      emx_method(),
      verlet_method(),
  };
  return table;
}

const MethodEntry* find_integrator(std::string_view name) {
  const auto table = integrator_catalogue();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const MethodEntry& entry) { return entry.info->name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::unique_ptr<Integrator> make_integrator(std::string_view name, const MechanicalSystem& system,
                                            const IntegratorOptions& options) {
  const MethodEntry* entry = find_integrator(name);
  if (!entry) throw std::invalid_argument("there is no integrator called " + std::string(name));
  return entry->make(system, options);
}

}  // namespace phiflex

// All methods by name. A new method is one file and one line in catalogue.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/options.h"

namespace phiflex {

struct MethodEntry {
  const MethodInfo* info;
  std::span<const std::string_view> option_names;  // the scene's integrator keys this method reads
  std::unique_ptr<Integrator> (*make)(const MechanicalSystem&, const IntegratorOptions&);
  // What a user should know of the method with these options on this system, in sentences; null: nothing.
  std::vector<std::string> (*warnings)(const MechanicalSystem&, const IntegratorOptions&) = nullptr;
};

std::span<const MethodEntry> integrator_catalogue();
const MethodEntry* find_integrator(std::string_view name);  // null when there is none
// The system must outlive the integrator. Throws std::invalid_argument for an unknown name.
std::unique_ptr<Integrator> make_integrator(std::string_view name, const MechanicalSystem& system,
                                            const IntegratorOptions& options);

}  // namespace phiflex

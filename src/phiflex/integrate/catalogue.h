// All methods by name. A new method is one file and one line in catalogue.cpp.
#pragma once

#include <functional>
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
  std::function<std::unique_ptr<Integrator>(const MechanicalSystem&, const IntegratorOptions&)> make;
  // What a user should know of the method with these options on this system, in sentences; null: nothing.
  std::vector<std::string> (*warnings)(const MechanicalSystem&, const IntegratorOptions&) = nullptr;
};

std::span<const MethodEntry> integrator_catalogue();
// In the table by its name or an alias, or registered; null when there is none. The pointer stays valid.
const MethodEntry* find_integrator(std::string_view name);
// A method of the program's own, which scenes, comparisons and analyses then find by its name. info and option_names
// must live as long as the process. It takes the place of one that was registered before with the same name; the name
// of a method of the table is a std::invalid_argument. May be called from several threads.
void register_integrator(MethodEntry entry);
std::vector<const MethodEntry*> registered_integrators();  // by their names

// Names by which people know a method of the catalogue.
struct MethodAlias {
  std::string_view alias, name;
};
std::span<const MethodAlias> integrator_aliases();
// The system must outlive the integrator. Throws std::invalid_argument for an unknown name.
std::unique_ptr<Integrator> make_integrator(std::string_view name, const MechanicalSystem& system,
                                            const IntegratorOptions& options);

}  // namespace phiflex

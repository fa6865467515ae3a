// All methods by name. A new method is one file and one line in method_names.h. Include integrator.h as well to make
// one.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/integrate/method_info.h"
#include "phiflex/integrate/options.h"

namespace phiflex {

class Integrator;
class MechanicalSystem;

struct MethodEntry {
  const MethodInfo* info;
  std::vector<Option> options;  // those it reads, made from its struct by described_options()
  std::function<std::unique_ptr<Integrator>(const MechanicalSystem&, const IntegratorOptions&)> make;
  // What a user should know of the method with these options on this system, in sentences; null: nothing.
  std::vector<std::string> (*warnings)(const MechanicalSystem&, const IntegratorOptions&) = nullptr;
};

std::span<const MethodEntry> integrator_catalogue();
// The options of all methods, each key once: of the table in its order, then of registered methods.
std::vector<Option> integrator_options();
// The keys of a method in scenes.
std::vector<std::string> option_keys(const MethodEntry& method);
// In the table by its name or an alias, or registered; null when there is none. The pointer stays valid.
const MethodEntry* find_integrator(std::string_view name);
// A method of the program's own, which scenes, comparisons and analyses then find by its name. info must stay valid as
// long as the process. Its options may have keys of their own; one that a method of the table has is the same option.
// It takes the place of one that was registered before with the same name; the name of a method of the table is a
// std::invalid_argument. May be called from several threads.
void register_integrator(MethodEntry entry);
std::vector<const MethodEntry*> registered_integrators();  // by their names

// Names by which people know a method of the catalogue.
struct MethodAlias {
  std::string_view alias, name;
};
std::span<const MethodAlias> integrator_aliases();
// The system must outlive the integrator. Throws std::invalid_argument for an unknown name, for an option that no
// method has, and for a value that an option of this method may not have.
std::unique_ptr<Integrator> make_integrator(std::string_view name, const MechanicalSystem& system,
                                            const IntegratorOptions& options);

}  // namespace phiflex

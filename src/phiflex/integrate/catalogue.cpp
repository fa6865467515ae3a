#include "phiflex/integrate/catalogue.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <stdexcept>

#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/method_names.h"

namespace phiflex {

// Defined in the methods' own files.
#define PHIFLEX_DECLARE_METHOD(name) MethodEntry name##_method();
PHIFLEX_METHODS(PHIFLEX_DECLARE_METHOD)
#undef PHIFLEX_DECLARE_METHOD

namespace {

// Replaced entries are kept: pointers from find_integrator() stay valid.
struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<const MethodEntry>> entries;
  std::map<std::string_view, const MethodEntry*> by_name;
};
Registry& registry() {
  static Registry all;
  return all;
}

const MethodEntry* find_in_table(std::string_view name) {
  const auto table = integrator_catalogue();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const MethodEntry& entry) { return entry.info->name == name; });
  return found == table.end() ? nullptr : &*found;
}

const Option* find_option(std::span<const Option> options, std::string_view key) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const Option& option) { return option.key == key; });
  return found == options.end() ? nullptr : &*found;
}

void add_options(const MethodEntry& method, std::vector<Option>& all) {
  for (const Option& option : method.options)
    if (!find_option(all, option.key)) all.push_back(option);
}

const std::vector<Option>& table_options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> options;
    for (const MethodEntry& method : integrator_catalogue()) add_options(method, options);
    return options;
  }();
  return all;
}

// A key means the same in every method.
void check_options(const MethodEntry& method) {
  for (const Option& option : method.options) {
    const Option* known = find_option(table_options(), option.key);
    const bool same = !known || (known->kind == option.kind && known->range == option.range &&
                                 known->fallback == option.fallback && known->words == option.words);
    if (!same || std::string_view(option.key) == "type")
      throw std::invalid_argument("the option \"" + std::string(option.key) + "\" of \"" +
                                  std::string(method.info->name) +
                                  "\" has the key of another one, with another kind, range or default");
  }
}

}  // namespace

std::vector<Option> integrator_options() {
  std::vector<Option> all = table_options();
  for (const MethodEntry* method : registered_integrators()) add_options(*method, all);
  return all;
}

std::vector<std::string> option_keys(const MethodEntry& method) {
  std::vector<std::string> keys;
  for (const Option& option : method.options)
    if (option.in_scenes) keys.emplace_back(option.key);
  return keys;
}

std::span<const MethodEntry> integrator_catalogue() {
#define PHIFLEX_METHOD(name) name##_method(),
  static const std::vector<MethodEntry> table = {PHIFLEX_METHODS(PHIFLEX_METHOD)};
#undef PHIFLEX_METHOD
  return table;
}

std::span<const MethodAlias> integrator_aliases() {
  static constexpr std::array table = {
      MethodAlias{"backward-euler", "be"},      MethodAlias{"implicit-euler", "be"},
      MethodAlias{"newmark-beta", "newmark"},   MethodAlias{"implicit-midpoint", "midpoint"},
      MethodAlias{"velocity-verlet", "verlet"}, MethodAlias{"runge-kutta-4", "rk4"},
      MethodAlias{"energy-momentum", "em"},
  };
  return table;
}

const MethodEntry* find_integrator(std::string_view name) {
  for (const MethodAlias& known : integrator_aliases())
    if (known.alias == name) name = known.name;
  if (const MethodEntry* entry = find_in_table(name)) return entry;
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_name.find(name);
  return found == all.by_name.end() ? nullptr : found->second;
}

void register_integrator(MethodEntry entry) {
  if (find_in_table(entry.info->name))
    throw std::invalid_argument("\"" + std::string(entry.info->name) + "\" is a method of the catalogue");
  check_options(entry);
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.entries.push_back(std::make_unique<const MethodEntry>(std::move(entry)));
  const MethodEntry* added = all.entries.back().get();
  all.by_name.erase(added->info->name);  // the key is the old entry's text
  all.by_name.emplace(added->info->name, added);
}

std::vector<const MethodEntry*> registered_integrators() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::vector<const MethodEntry*> entries;
  for (const auto& [name, entry] : all.by_name) entries.push_back(entry);
  return entries;
}

std::unique_ptr<Integrator> make_integrator(std::string_view name, const MechanicalSystem& system,
                                            const IntegratorOptions& options) {
  const MethodEntry* entry = find_integrator(name);
  if (!entry) throw std::invalid_argument("there is no integrator called " + std::string(name));
  const std::vector<Option> known = integrator_options();
  for (const auto& [key, value] : options.values())
    if (!find_option(known, key)) throw std::invalid_argument("no integrator has the option \"" + key + "\"");
  return entry->make(system, options);
}

}  // namespace phiflex

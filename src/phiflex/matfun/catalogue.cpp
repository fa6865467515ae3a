#include "phiflex/matfun/catalogue.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "phiflex/matfun/auto_phi.h"
#include "phiflex/matfun/evaluator_names.h"
#include "phiflex/matfun/general_phi.h"
#include "phiflex/matfun/pencil_phi.h"

namespace phiflex {

// Defined in the evaluators' own files.
#define PHIFLEX_DECLARE_EVALUATOR(name) EvaluatorEntry name##_evaluator();
PHIFLEX_EVALUATORS(PHIFLEX_DECLARE_EVALUATOR)
#undef PHIFLEX_DECLARE_EVALUATOR

std::span<const EvaluatorEntry> evaluator_catalogue() {
#define PHIFLEX_EVALUATOR(name) name##_evaluator(),
  static const std::vector<EvaluatorEntry> table = {PHIFLEX_EVALUATORS(PHIFLEX_EVALUATOR)};
#undef PHIFLEX_EVALUATOR
  return table;
}

const EvaluatorEntry* find_evaluator(std::string_view name) {
  const auto table = evaluator_catalogue();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const EvaluatorEntry& entry) { return entry.info->name == name; });
  return found == table.end() ? nullptr : &*found;
}

bool takes_damping(std::string_view name, const std::optional<Rayleigh>& damping) {
  const EvaluatorEntry* entry = find_evaluator(name);
  return damping || !entry || !entry->info->needs_rayleigh_damping();
}

std::unique_ptr<MechanicalPhi> make_mechanical_phi(std::string_view name, const MechanicalPhiOptions& given) {
  const EvaluatorEntry* entry = find_evaluator(name);
  MechanicalPhiOptions options = given;
  if (given.own_tolerance > 0 && !(entry && entry->info->absolute_tolerance))
    options.tolerance = given.own_tolerance;
  if (name == "auto") return make_auto_phi(options);
  if (!entry) throw std::invalid_argument("there is no evaluator called " + std::string(name));
  if (entry->make_phi) return make_general_phi(entry->make_phi, entry->info->name, options);
  return std::make_unique<PencilPhi>(entry->make_pencil,
                                     PencilOptions{.tolerance = options.tolerance,
                                                   .largest_basis = options.largest_basis,
                                                   .motion_tolerance = options.motion_tolerance});
}

}  // namespace phiflex

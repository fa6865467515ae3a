#include "phiflex/matfun/catalogue.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "phiflex/matfun/evaluators.h"

namespace phiflex {

std::span<const EvaluatorEntry> evaluator_catalogue() {
  static const std::vector<EvaluatorEntry> table = {};
  return table;
}

const EvaluatorEntry* find_evaluator(std::string_view name) {
  const auto table = evaluator_catalogue();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const EvaluatorEntry& entry) { return entry.info->name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::unique_ptr<MechanicalPhi> make_mechanical_phi(std::string_view name, const MechanicalPhiOptions&) {
  throw std::invalid_argument("there is no evaluator called " + std::string(name));
}

}  // namespace phiflex

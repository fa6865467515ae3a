#include <nlohmann/json.hpp>

#include "phiflex/scene/check.h"
#include "phiflex/scene/fields.h"
#include "phiflex/scene/rules.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {

void require_valid(const Scene& scene, const std::string& file, const ReadOptions& options) {
  Findings findings;
  check_shape(nlohmann::json(to_json(scene)), scene_shape(), findings);
  if (!findings.full()) check_rules(scene, options, findings);
  std::vector<Problem> problems = findings.problems();
  for (Problem& problem : problems) problem.file = file;
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace phiflex

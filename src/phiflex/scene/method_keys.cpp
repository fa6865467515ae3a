#include <algorithm>
#include <iterator>
#include <string_view>

#include "phiflex/scene/method_fields.h"

namespace phiflex {

std::vector<MethodKey> method_keys() {
  static constexpr std::string_view first[] = {"newton_tolerance",
                                               "newton_limit",
                                               "project_hessian",
                                               "hessian_correction",
                                               "halve_step",
                                               "rho_infinity",
                                               "beta",
                                               "gamma",
                                               "p",
                                               "q",
                                               "r",
                                               "lambda",
                                               "linear_tolerance",
                                               "solver",
                                               "refactor",
                                               "modes",
                                               "modes_tolerance",
                                               "form",
                                               "evaluator",
                                               "tolerance",
                                               "error_tolerance",
                                               "filter",
                                               "em_tolerance",
                                               "energy_tolerance",
                                               "dissipation",
                                               "substeps"};
  const auto place = [](const MethodKey& key) {
    return std::find(std::begin(first), std::end(first), key.option.key) - std::begin(first);
  };
  std::vector<MethodKey> keys;
  for (Option& option : integrator_options())
    if (option.in_scenes) keys.push_back({std::move(option), false});
  for (MethodKey& key : keys) key.always_written = place(key) < std::ssize(first);
  std::stable_sort(keys.begin(), keys.end(),
                   [&](const MethodKey& a, const MethodKey& b) { return place(a) < place(b); });
  return keys;
}

}  // namespace phiflex

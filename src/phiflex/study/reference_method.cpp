#include "phiflex/study/reference_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/integrate/stable_step.h"
#include "phiflex/linalg/kept_inverse.h"
#include "phiflex/linalg/pencil.h"
#include "phiflex/run/choose_method.h"
#include "phiflex/run/simulation.h"
#include "phiflex/run/step_prices.h"

namespace phiflex {
namespace {

constexpr double most_explicit_steps = 64;  // for one of the finest steps compared

// w of (1); 0 when nothing can move or the initial state has no tangent.
double frequency_bound(const SceneModel& world) {
  const std::unique_ptr<DeformableModel> model = world.make_model(0);
  if (model->dofs() == 0) return 0;
  const std::unique_ptr<AssembledTangent> tangent = model->assembled_tangent(Definiteness::exact);
  tangent->update(world.initial_state(*model));
  const double w = std::sqrt(AssembledPencil(tangent->K(), model->mass()).norm());
  return std::isfinite(w) ? w : 0;
}

double stable_step(const MethodInfo& info, double w) {
  return info.conditionally_stable && w > 0 ? info.stability_limit / w : INFINITY;
}

const MethodEntry& most_accurate(double w, double finest_step) {
  const MethodEntry* best = nullptr;
  const auto rank = [](const MethodInfo& info) {
    return 2 * info.order + (info.conditionally_stable ? 1 : 0);
  };
  for (const MethodEntry& entry : integrator_catalogue()) {
    const bool applicable = stable_step(*entry.info, w) * most_explicit_steps >= finest_step;
    if (applicable && (!best || rank(*entry.info) > rank(*best->info))) best = &entry;
  }
  return *best;
}

// Tolerances of the solvers inside, far below the error of any step that is compared; for the keys that the
// method reads and the user has not set.
void add_tight_tolerances(const MethodEntry& entry, MethodVariant& method) {
  const std::pair<const char*, const char*> tight[] = {{"newton_tolerance", "1e-12"},
                                                       {"linear_tolerance", "1e-12"},
                                                       {"tolerance", "1e-10"},
                                                       {"em_tolerance", "1e-10"},
                                                       {"energy_tolerance", "1e-12"}};
  for (const auto& [key, value] : tight) {
    const bool reads =
        std::any_of(entry.options.begin(), entry.options.end(),
                    [&, key = key](const Option& option) { return std::string_view(option.key) == key; });
    const bool set = std::any_of(
        method.settings.begin(), method.settings.end(),
        [&, key = key](const std::string& text) { return text.starts_with(std::string(key) + "="); });
    if (reads && !set) method.settings.push_back(fmt::format("{}={}", key, value));
  }
}

// `asked`: null, or what is to serve. w: of (1).
ReferenceChoice choose_reference(double w, double finest_step, const MethodVariant* asked) {
  ReferenceChoice choice;
  if (asked) {
    choice.method = *asked;
    choice.reason = "as asked";
  } else {
    const MethodEntry& entry = most_accurate(w, finest_step);
    choice.method.name = entry.info->name;
    choice.reason = fmt::format("the most accurate applicable method, of order {}", entry.info->order);
  }
  const MethodEntry& entry = *find_integrator(general_method(choice.method.name));
  add_tight_tolerances(entry, choice.method);
  if (!choice.method.step) {
    double h = finest_step / 2;
    while (h > stable_step(*entry.info, w)) h /= 2;
    choice.method.step = h;
  }
  return choice;
}

// (2), of a method with a role of `auto`.
double cost_of_a_second(const DeformableModel& model, const State& start, StepPrices prices, AutoRole role,
                        double h) {
  if (role == AutoRole::explicit_step)
    return prices.explicit_step(std::max(1.0, explicit_substeps(model, start, h))) / h;
  prices.know(KeptInverse(model.pattern(), LinearSolver::automatic));
  return prices.energy_momentum_step() / h;
}

}  // namespace

std::vector<ReferenceChoice> reference_candidates(const SceneModel& world, double finest_step,
                                                  const MethodVariant* asked) {
  const double w = frequency_bound(world);
  std::vector<ReferenceChoice> candidates{choose_reference(w, finest_step, asked)};
  if (asked) return candidates;
  const std::unique_ptr<DeformableModel> model = world.make_model(world.start_time());
  if (model->dofs() == 0) return candidates;
  const State start = world.initial_state(*model);
  const StepPrices prices = scene_work(world, *model).prices;
  std::vector<std::pair<double, ReferenceChoice>> others;
  for (const AutoRole role : {AutoRole::explicit_step, AutoRole::implicit_step}) {
    const MethodVariant other{method_with(role), {}, {}};
    if (other.name == candidates[0].method.name) continue;
    ReferenceChoice choice = choose_reference(w, finest_step, &other);
    choice.reason = "in the place of one that did not keep its energy or its time";
    others.emplace_back(cost_of_a_second(*model, start, prices, role, *choice.method.step),
                        std::move(choice));
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [cost, choice] : others) candidates.push_back(std::move(choice));
  return candidates;
}

}  // namespace phiflex

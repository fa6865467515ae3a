#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "phiflex/base/problem_list.h"
#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/energy/obstacle_term.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/exponential_options.h"
#include "phiflex/integrate/newton_options.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/mpi/part.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

std::vector<std::string_view> methods_on_ranks() {
  std::vector<std::string_view> names;
  for (const MethodEntry& method : integrator_catalogue())
    if (method.info->on_ranks) names.push_back(method.info->name);
  return names;
}
std::vector<std::string_view> evaluators_on_ranks() {
  std::vector<std::string_view> names = {"auto"};
  for (const EvaluatorEntry& evaluator : evaluator_catalogue())
    if (evaluator.info->on_ranks) names.push_back(evaluator.info->name);
  return names;
}

bool takes_evaluator(const std::string& method) {
  const std::vector<std::string> keys = option_keys(*find_integrator(method));
  return std::find(keys.begin(), keys.end(), "evaluator") != keys.end();
}

// Whether each vertex meets it for itself.
bool is_of_vertices(const PotentialTerm& term) {
  return dynamic_cast<const GravityTerm*>(&term) || dynamic_cast<const ObstacleTerm*>(&term) ||
         dynamic_cast<const FloorTerm*>(&term);
}

std::string_view word_of(const ForceSpec& force) {
  return std::visit([](const auto& spec) { return std::string_view(spec.signature.word); }, force);
}

bool is_local(const ForceSpec& force) {
  return std::holds_alternative<UniformForce>(force) || std::holds_alternative<PointForce>(force) ||
         std::holds_alternative<RegionForce>(force) || std::holds_alternative<PressureForce>(force) ||
         std::holds_alternative<TractionForce>(force) || std::holds_alternative<WindForce>(force);
}

}  // namespace

void refuse_what_is_not_shared(const Scene& scene, const SceneModel& whole, int ranks) {
  ProblemList problems(whole.scene_file());
  const auto refuse = [&](std::string place, std::string_view what) {
    problems.problem(std::move(place), fmt::format("phiflex-mpi does not have {}; take `phiflex`", what));
  };
  const ModelParts& parts = whole.parts();
  for (std::size_t b = 0; b < whole.bodies().size(); ++b) {
    const std::string place = fmt::format("/bodies/{}", b);
    if (whole.bodies()[b].plane()) refuse(place, "plane bodies");
    if (whole.bodies()[b].springs()) refuse(place, "springs");
    if (!parts.terms[b].front().terms.branches.empty()) refuse(place, "viscoelastic bodies (`prony`)");
  }
  if (!parts.description.consistent.empty()) refuse("/bodies", "consistent masses: say \"mass\": \"lumped\"");
  if (scene.device != Device::cpu) refuse("/device", "graphics cards");
  if (scene.coarsening) refuse("/coarsening", "coarsening");
  for (std::size_t i = 0; i < scene.contacts.size(); ++i)
    if (std::holds_alternative<ParticlesContact>(scene.contacts[i]))
      refuse(fmt::format("/contacts/{}", i), "contacts between particles");
  const auto& terms = parts.description.shared_terms;
  if (!std::all_of(terms.begin(), terms.end(), [](const auto& term) { return is_of_vertices(*term); }))
    problems.problem(
        "/contacts",
        "phiflex-mpi does not have contact between bodies, which scenes of several bodies have by "
        "default: leave it out with { \"type\": \"bodies\", \"between\": \"none\", \"self\": "
        "false }, or take `phiflex`");
  for (std::size_t i = 0; i < scene.forces.size(); ++i)
    if (!is_local(scene.forces[i]))
      refuse(fmt::format("/forces/{}", i),
             fmt::format("forces of the type \"{}\"", word_of(scene.forces[i])));
  for (const TimedConstraint& timed : parts.constraints)
    if (timed.constraint.record) refuse("/constraints", "constraints that follow a recorded motion");
  if (scene.settle == Switch::on) refuse("/settle", "the search for an equilibrium");
  if (scene.output.measures == Switch::on || scene.output.modes > 0 || scene.output.condition == Switch::on)
    refuse("/output", "measures, modes and conditions of every step");
  if (!scene.output.fields.empty()) refuse("/output/fields", "further fields of elements");
  const std::vector<std::string_view> methods = methods_on_ranks(), evaluators = evaluators_on_ranks();
  const bool is_known = std::find(methods.begin(), methods.end(), scene.integrator.type) != methods.end();
  if (!is_known)
    problems.problem("/integrator/type", fmt::format("phiflex-mpi does not have \"{}\"; expected one of {}",
                                                     scene.integrator.type, fmt::join(methods, ", ")));
  if (const std::string evaluator = scene.integrator.options.read<ExponentialOptions>().settings().type;
      ranks > 1 && is_known && takes_evaluator(scene.integrator.type) &&
      std::find(evaluators.begin(), evaluators.end(), evaluator) == evaluators.end())
    problems.problem("/integrator/evaluator",
                     fmt::format("phiflex-mpi does not have \"{}\"; expected one of {}", evaluator,
                                 fmt::join(evaluators, ", ")));
  const TangentOptions tangent = scene.integrator.options.read<NewtonOptions>().tangent;
  if (ranks > 1 && tangent.solver == LinearSolver::factorization)
    refuse("/integrator/solver", "factorizations on several ranks; say \"multigrid\" or leave it out");
  if (ranks > 1 && tangent.factorization == Factorization::indefinite)
    refuse("/integrator/factorization", "factorizations on several ranks");
  problems.throw_if_any();
}

}  // namespace phiflex

#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "phiflex/scene/nearest.h"
#include "phiflex/scene/rule_context.h"

namespace phiflex {
namespace {

// A limit on what a few characters of a scene can ask for.
constexpr double most_steps = 1e9;

void check_time(RuleContext& rules) {
  const double step = rules.scene.time.step, end = rules.scene.time.end, start = start_of(rules.scene.time);
  if (!rules.findings.sound("/time")) return;
  const double steps = (end - start) / step;
  // A start that is a multiple of the step, and its end, are rounded as sums of that size.
  const double rounding = 1e-6 + 1e-12 * start / step;
  if (!(steps > 1 - rounding)) {
    rules.add("/time/end",
              fmt::format("{} s lies before the end of the first step; expected at least one step of {} s",
                          end, step));
  } else if (steps > most_steps) {
    rules.add("/time/end", fmt::format("{} s are {:.3g} steps of {} s; at most {:g} are allowed", end, steps,
                                       step, most_steps));
  } else if (std::abs(steps - std::round(steps)) > rounding) {
    // Rounding of end / step is below 1e9 * 2^-53 ~ 1e-7 steps; what exceeds 1e-6 was meant, or mistyped.
    rules.add(
        "/time/end",
        fmt::format(
            "{} s are {:.9g} steps of {} s; expected a whole number of steps, such as {:.12g} or {:.12g} s",
            end, steps, step, start + std::floor(steps) * step, start + std::ceil(steps) * step));
  }
}

void check_known(RuleContext& rules, const char* pointer, const std::string& name,
                 const std::vector<std::string>& names, const char* noun) {
  if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
  rules.add(pointer, fmt::format("{} is not {} of this version; expected one of {}{}", shown(name), noun,
                                 quoted_list(names), did_you_mean(name, names)));
}

void check_integrator(RuleContext& rules) {
  std::vector<std::string> names;
  for (const MethodWords& method : rules.known.integrators) names.push_back(method.name);
  check_known(rules, "/integrator/type", rules.scene.integrator.type, names, "an integrator");
  const OptionValue* evaluator = rules.scene.integrator.options.find("evaluator");
  if (!evaluator) return;
  if (const auto* name = std::get_if<std::string>(evaluator)) {
    check_known(rules, "/integrator/evaluator", *name, rules.known.evaluators, "an evaluator");
  } else if (const auto* settings = std::get_if<EvaluatorSettings>(evaluator)) {
    check_known(rules, "/integrator/evaluator/type", settings->type, rules.known.evaluators, "an evaluator");
  }
}

void check_unique(RuleContext& rules, const std::vector<std::string>& names, const char* key,
                  const char* noun) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!seen.insert(names[i]).second) {
      rules.add(
          fmt::format("/{}/{}/name", key, i),
          fmt::format("\"{}\" is the name of an earlier {}; expected a name of its own", names[i], noun));
    }
  }
}

}  // namespace

void check_rules(const Scene& scene, const ReadOptions& known, Findings& findings) {
  RuleContext rules(scene, known, findings);
  check_time(rules);
  check_integrator(rules);
  check_unique(rules, rules.body_names, "bodies", "body");
  rules.each("bodies", scene.bodies,
             [&](const BodySpec& body, const std::string& pointer) { check_body(rules, body, pointer); });
  std::vector<std::string> constraint_names;
  for (const ConstraintSpec& constraint : scene.constraints)
    constraint_names.push_back(std::visit([](const auto& kind) { return kind.name; }, constraint)
                                   .value_or(fmt::format("constraint{}", constraint_names.size())));
  check_unique(rules, constraint_names, "constraints", "constraint");
  rules.each("constraints", scene.constraints,
             [&](const ConstraintSpec& constraint, const std::string& pointer) {
               check_constraint(rules, constraint, pointer);
             });
  rules.each("forces", scene.forces,
             [&](const ForceSpec& force, const std::string& pointer) { check_force(rules, force, pointer); });
  rules.each("contacts", scene.contacts, [&](const ContactSpec& contact, const std::string& pointer) {
    check_contact(rules, contact, pointer);
  });
  std::vector<std::string> probe_names;
  for (const ProbeSpec& probe : scene.probes) probe_names.push_back(probe.name);
  check_unique(rules, probe_names, "probes", "probe");
  rules.each("probes", scene.probes, [&](const ProbeSpec& probe, const std::string& pointer) {
    rules.check_body_name(probe.body, pointer + "/body");
  });
  if (scene.coarsening) check_coarsening(rules, *scene.coarsening);
  check_plane(rules);
}

}  // namespace phiflex

#include "phiflex/scene/rule_context.h"

#include <utility>

#include "phiflex/scene/nearest.h"

namespace phiflex {

RuleContext::RuleContext(const Scene& scene_in, const ReadOptions& known_in, Findings& findings_in)
    : scene(scene_in), known(known_in), findings(findings_in) {
  for (const BodySpec& body : scene.bodies) {
    body_names.push_back(body.name);
    bodies.emplace(body.name, &body);
  }
  names_are_known = findings.sound("/bodies");
  if (!names_are_known) {
    names_are_known = !scene.bodies.empty();
    for (std::size_t i = 0; i < scene.bodies.size() && names_are_known; ++i) {
      names_are_known = findings.sound(fmt::format("/bodies/{}/name", i));
    }
  }
}

void RuleContext::add(const std::string& pointer, std::string message,
                      std::initializer_list<std::string> relies_on) {
  if (!findings.sound(pointer)) return;
  for (const std::string& place : relies_on) {
    if (!findings.sound(place)) return;
  }
  findings.add(pointer, std::move(message));
}

void RuleContext::check_body_name(const std::string& name, const std::string& pointer) {
  if (!names_are_known || bodies.contains(name)) return;
  add(pointer, fmt::format("{} is not a body of this scene; expected one of {}{}", shown(name),
                           quoted_list(body_names), did_you_mean(name, body_names)));
}

}  // namespace phiflex

#include "phiflex/scene/force_rules.h"

#include <fmt/format.h>

#include "phiflex/scene/motion_rules.h"
#include "phiflex/scene/where_rules.h"

namespace phiflex {
namespace {

void check_window(RuleContext& rules, const TimeWindow& window, const std::string& at) {
  if (window.until && *window.until <= window.from) {
    rules.add(at + "/until",
              fmt::format("{} s does not come after \"from\", {} s", *window.until, window.from),
              {at + "/from"});
  }
}

void check_in_time(RuleContext& rules, const ForceInTime& in_time, const std::string& at) {
  check_window(rules, in_time.window, at);
  check_ascending_times(rules, in_time.profile, at + "/profile");
}

void check_kind(RuleContext& rules, const UniformForce& force, const std::string& at) {
  if (force.body) rules.check_body_name(*force.body, at + "/body");
  check_in_time(rules, force.in_time, at);
}

void check_kind(RuleContext& rules, const PointForce& force, const std::string& at) {
  rules.check_body_name(force.body, at + "/body");
  if (force.where) check_where(rules, *force.where, Selects::vertices, at + "/where");
  check_in_time(rules, force.in_time, at);
}

void check_kind(RuleContext& rules, const RegionForce& force, const std::string& at) {
  rules.check_body_name(force.body, at + "/body");
  check_where(rules, force.where, Selects::either, at + "/where");
  check_in_time(rules, force.in_time, at);
  if (!force.force_density) return;
  const auto body = rules.bodies.find(force.body);
  if (body != rules.bodies.end() && body->second->springs) {
    rules.add(
        at + "/force_density",
        fmt::format("\"{}\" is made of springs and has no volume; expected \"force\" or \"acceleration\"",
                    force.body));
  }
}

// Of forces on selected vertices.
template <class Force>
void check_on_vertices(RuleContext& rules, const Force& force, const std::string& at) {
  rules.check_body_name(force.body, at + "/body");
  check_where(rules, force.where, Selects::vertices, at + "/where");
  check_in_time(rules, force.in_time, at);
}
void check_kind(RuleContext& rules, const PressureForce& force, const std::string& at) {
  check_on_vertices(rules, force, at);
}
void check_kind(RuleContext& rules, const TractionForce& force, const std::string& at) {
  check_on_vertices(rules, force, at);
}
void check_kind(RuleContext& rules, const TorqueForce& force, const std::string& at) {
  check_on_vertices(rules, force, at);
}

void check_kind(RuleContext& rules, const WindForce& wind, const std::string& at) {
  if (wind.body) rules.check_body_name(*wind.body, at + "/body");
  check_window(rules, wind.window, at);
}

void check_kind(RuleContext& rules, const StokesForce& fluid, const std::string& at) {
  rules.check_body_name(fluid.body, at + "/body");
  check_where(rules, fluid.where, Selects::vertices, at + "/where");
}

void check_kind(RuleContext& rules, const MotorForce& motor, const std::string& at) {
  rules.check_body_name(motor.body, at + "/body");
  check_where(rules, motor.rotor, Selects::vertices, at + "/rotor");
  check_where(rules, motor.stator, Selects::vertices, at + "/stator");
  check_window(rules, motor.window, at);
  if (motor.axis[0] == motor.axis[1])
    rules.add(at + "/axis", fmt::format("vertex {} twice is no axis; expected two vertices", motor.axis[0]));
}

}  // namespace

void check_force(RuleContext& rules, const ForceSpec& force, const std::string& at) {
  std::visit([&](const auto& kind) { check_kind(rules, kind, at); }, force);
}

}  // namespace phiflex

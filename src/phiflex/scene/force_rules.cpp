#include "phiflex/scene/force_rules.h"

#include <fmt/format.h>

#include "phiflex/scene/motion_rules.h"
#include "phiflex/scene/where_rules.h"

namespace phiflex {
namespace {

void check_window(RuleContext& rules, const TimeWindow& window, const std::string& pointer) {
  if (window.until && *window.until <= window.from) {
    rules.add(pointer + "/until",
              fmt::format("{} s does not come after \"from\", {} s", *window.until, window.from),
              {pointer + "/from"});
  }
}

void check_in_time(RuleContext& rules, const ForceInTime& in_time, const std::string& pointer) {
  check_window(rules, in_time.window, pointer);
  check_ascending_times(rules, in_time.profile, pointer + "/profile");
}

void check_kind(RuleContext& rules, const UniformForce& force, const std::string& pointer) {
  if (force.body) rules.check_body_name(*force.body, pointer + "/body");
  check_in_time(rules, force.in_time, pointer);
}

void check_kind(RuleContext& rules, const PointForce& force, const std::string& pointer) {
  rules.check_body_name(force.body, pointer + "/body");
  if (force.where) check_where(rules, *force.where, Selects::vertices, pointer + "/where");
  check_in_time(rules, force.in_time, pointer);
}

void check_kind(RuleContext& rules, const RegionForce& force, const std::string& pointer) {
  rules.check_body_name(force.body, pointer + "/body");
  check_where(rules, force.where, Selects::either, pointer + "/where");
  check_in_time(rules, force.in_time, pointer);
  if (!force.force_density) return;
  const auto body = rules.bodies.find(force.body);
  if (body != rules.bodies.end() && body->second->springs) {
    rules.add(
        pointer + "/force_density",
        fmt::format("\"{}\" is made of springs and has no volume; expected \"force\" or \"acceleration\"",
                    force.body));
  }
}

// Of forces on selected vertices.
template <class Force>
void check_on_vertices(RuleContext& rules, const Force& force, const std::string& pointer) {
  rules.check_body_name(force.body, pointer + "/body");
  check_where(rules, force.where, Selects::vertices, pointer + "/where");
  check_in_time(rules, force.in_time, pointer);
}
void check_kind(RuleContext& rules, const PressureForce& force, const std::string& pointer) {
  check_on_vertices(rules, force, pointer);
}
void check_kind(RuleContext& rules, const TractionForce& force, const std::string& pointer) {
  check_on_vertices(rules, force, pointer);
}
void check_kind(RuleContext& rules, const TorqueForce& force, const std::string& pointer) {
  check_on_vertices(rules, force, pointer);
}

void check_kind(RuleContext& rules, const WindForce& wind, const std::string& pointer) {
  if (wind.body) rules.check_body_name(*wind.body, pointer + "/body");
  check_window(rules, wind.window, pointer);
}

void check_kind(RuleContext& rules, const StokesForce& fluid, const std::string& pointer) {
  rules.check_body_name(fluid.body, pointer + "/body");
  check_where(rules, fluid.where, Selects::vertices, pointer + "/where");
}

void check_kind(RuleContext& rules, const MotorForce& motor, const std::string& pointer) {
  rules.check_body_name(motor.body, pointer + "/body");
  check_where(rules, motor.rotor, Selects::vertices, pointer + "/rotor");
  check_where(rules, motor.stator, Selects::vertices, pointer + "/stator");
  check_window(rules, motor.window, pointer);
  if (motor.axis[0] == motor.axis[1])
    rules.add(pointer + "/axis",
              fmt::format("vertex {} twice is no axis; expected two vertices", motor.axis[0]));
}

}  // namespace

void check_force(RuleContext& rules, const ForceSpec& force, const std::string& pointer) {
  std::visit([&](const auto& kind) { check_kind(rules, kind, pointer); }, force);
}

}  // namespace phiflex

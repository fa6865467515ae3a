#include "phiflex/scene/rules.h"

#include <fmt/format.h>

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

void check_kind(RuleContext& rules, const MuscleForce& muscle, const std::string& pointer) {
  rules.check_body_name(muscle.body, pointer + "/body");
  check_where(rules, muscle.where, Selects::elements, pointer + "/where");
  check_window(rules, muscle.window, pointer);
  check_ascending_times(rules, muscle.activation, pointer + "/activation");
  if (muscle.direction && is_zero(*muscle.direction))
    rules.add(pointer + "/direction", "has no length; expected a direction of the fibres");
  for (std::size_t i = 0; i < muscle.activation.size(); ++i)
    if (muscle.activation[i].factor < 0)
      rules.add(fmt::format("{}/activation/{}/factor", pointer, i),
                fmt::format("{} is not allowed; a muscle only pulls: expected a number >= 0",
                            muscle.activation[i].factor));
}

void check_kind(RuleContext& rules, const ChamberForce& chamber, const std::string& pointer) {
  rules.check_body_name(chamber.body, pointer + "/body");
  if (chamber.surface) check_where(rules, *chamber.surface, Selects::vertices, pointer + "/surface");
  check_window(rules, chamber.window, pointer);
  if (const auto* points = std::get_if<std::vector<PressurePoint>>(&chamber.pressure)) {
    check_ascending_times(rules, *points, pointer + "/pressure");
    if (points->empty())
      rules.add(pointer + "/pressure", "has no points; expected a number, or at least one point");
  }
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

void check_kind(RuleContext&, const GripsForce&, const std::string&) {}  // the file is read with the meshes

void check_kind(RuleContext& rules, const TableForce& force, const std::string& pointer) {
  if (force.body) rules.check_body_name(*force.body, pointer + "/body");
  if (force.where) check_where(rules, *force.where, Selects::either, pointer + "/where");
  if (force.where && !force.body)
    rules.add(pointer + "/where", "selects a part of a body; expected \"body\" beside it");
  check_window(rules, force.window, pointer);
}

}  // namespace

void check_force(RuleContext& rules, const ForceSpec& force, const std::string& pointer) {
  std::visit([&](const auto& kind) { check_kind(rules, kind, pointer); }, force);
}

}  // namespace phiflex

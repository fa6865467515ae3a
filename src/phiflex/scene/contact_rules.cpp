#include "phiflex/scene/rules.h"

#include <fmt/format.h>

namespace phiflex {
namespace {

void check_obstacle(RuleContext& rules, const ObstacleSpec& how, const std::string& pointer) {
  if (how.body) rules.check_body_name(*how.body, pointer + "/body");
  if (how.motion) check_motion(rules, *how.motion, pointer + "/motion");
  if (how.distance && mode_of(how) != ContactMode::barrier)
    rules.add(pointer + "/distance",
              fmt::format("is the reach of a barrier, and the mode is \"{}\"; expected none here",
                          word(mode_of(how))));
}

void check_kind(RuleContext& rules, const FloorContact& floor, const std::string& pointer) {
  check_obstacle(rules, floor.how, pointer);
}

void check_kind(RuleContext& rules, const PlaneContact& plane, const std::string& pointer) {
  check_obstacle(rules, plane.how, pointer);
  if (is_zero(plane.normal))
    rules.add(pointer + "/normal", "[0, 0, 0] is no direction; expected a normal that is not zero");
}

void check_kind(RuleContext& rules, const SphereContact& sphere, const std::string& pointer) {
  check_obstacle(rules, sphere.how, pointer);
}

void check_kind(RuleContext& rules, const CapsuleContact& capsule, const std::string& pointer) {
  check_obstacle(rules, capsule.how, pointer);
  if (capsule.from == capsule.to)
    rules.add(pointer + "/to",
              "both ends of the axis are at the same place; expected a capsule of some length, or a sphere",
              {pointer + "/from"});
}

void check_kind(RuleContext& rules, const BoxContact& box, const std::string& pointer) {
  check_obstacle(rules, box.how, pointer);
  check_rotation(rules, box.rotate, pointer + "/rotate");
}

void check_kind(RuleContext& rules, const SurfaceContact& surface, const std::string& pointer) {
  check_obstacle(rules, surface.how, pointer);
  check_solid_mesh(rules, surface.mesh, pointer + "/mesh");
  if (mode_of(surface.how) == ContactMode::penalty)
    rules.add(pointer + (surface.how.mode ? "/mode" : "/stiffness"),
              "a surface has no penalty energy; expected the mode \"barrier\" or \"project\"");
}

void check_kind(RuleContext& rules, const BodiesContact& bodies, const std::string& pointer) {
  const auto* pairs = std::get_if<std::vector<std::array<std::string, 2>>>(&bodies.between);
  if (!pairs) return;
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    const std::string place = fmt::format("{}/between/{}", pointer, i);
    for (std::size_t j = 0; j < 2; ++j) rules.check_body_name((*pairs)[i][j], fmt::format("{}/{}", place, j));
    if ((*pairs)[i][0] == (*pairs)[i][1])
      rules.add(place, fmt::format("\"{}\" is paired with itself; expected two bodies (\"self\" is for one)",
                                   (*pairs)[i][0]));
  }
}

void check_kind(RuleContext& rules, const ParticlesContact& particles, const std::string& pointer) {
  for (std::size_t i = 0; i < particles.bodies.size(); ++i)
    rules.check_body_name(particles.bodies[i], fmt::format("{}/bodies/{}", pointer, i));
}

}  // namespace

void check_contact(RuleContext& rules, const ContactSpec& contact, const std::string& pointer) {
  std::visit([&](const auto& kind) { check_kind(rules, kind, pointer); }, contact);
}

}  // namespace phiflex

#include "phiflex/scene/contact_rules.h"

#include <fmt/format.h>

#include "phiflex/scene/mesh_rules.h"
#include "phiflex/scene/motion_rules.h"

namespace phiflex {
namespace {

void check_obstacle(RuleContext& rules, const ObstacleSpec& how, const std::string& at) {
  if (how.body) rules.check_body_name(*how.body, at + "/body");
  if (how.motion) check_motion(rules, *how.motion, at + "/motion");
  if (how.distance && mode_of(how) != ContactMode::barrier)
    rules.add(at + "/distance", fmt::format("is the reach of a barrier, and the mode is \"{}\"; expected none here",
                                            word(mode_of(how))));
}

void check_kind(RuleContext& rules, const FloorContact& floor, const std::string& at) {
  check_obstacle(rules, floor.how, at);
}

void check_kind(RuleContext& rules, const PlaneContact& plane, const std::string& at) {
  check_obstacle(rules, plane.how, at);
  if (is_zero(plane.normal))
    rules.add(at + "/normal", "[0, 0, 0] is no direction; expected a normal that is not zero");
}

void check_kind(RuleContext& rules, const SphereContact& sphere, const std::string& at) {
  check_obstacle(rules, sphere.how, at);
}

void check_kind(RuleContext& rules, const CapsuleContact& capsule, const std::string& at) {
  check_obstacle(rules, capsule.how, at);
  if (capsule.from == capsule.to)
    rules.add(at + "/to",
              "both ends of the axis are at the same place; expected a capsule of some length, or a sphere",
              {at + "/from"});
}

void check_kind(RuleContext& rules, const BoxContact& box, const std::string& at) {
  check_obstacle(rules, box.how, at);
  check_rotation(rules, box.rotate, at + "/rotate");
}

void check_kind(RuleContext& rules, const SurfaceContact& surface, const std::string& at) {
  check_obstacle(rules, surface.how, at);
  check_solid_mesh(rules, surface.mesh, at + "/mesh");
  if (mode_of(surface.how) == ContactMode::penalty)
    rules.add(at + (surface.how.mode ? "/mode" : "/stiffness"),
              "a surface has no penalty energy; expected the mode \"barrier\" or \"project\"");
}

void check_kind(RuleContext& rules, const BodiesContact& bodies, const std::string& at) {
  const auto* pairs = std::get_if<std::vector<std::array<std::string, 2>>>(&bodies.between);
  if (!pairs) return;
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    const std::string place = fmt::format("{}/between/{}", at, i);
    for (std::size_t j = 0; j < 2; ++j) rules.check_body_name((*pairs)[i][j], fmt::format("{}/{}", place, j));
    if ((*pairs)[i][0] == (*pairs)[i][1])
      rules.add(place, fmt::format("\"{}\" is paired with itself; expected two bodies (\"self\" is for one)",
                                   (*pairs)[i][0]));
  }
}

void check_kind(RuleContext& rules, const ParticlesContact& particles, const std::string& at) {
  for (std::size_t i = 0; i < particles.bodies.size(); ++i)
    rules.check_body_name(particles.bodies[i], fmt::format("{}/bodies/{}", at, i));
}

}  // namespace

void check_contact(RuleContext& rules, const ContactSpec& contact, const std::string& at) {
  std::visit([&](const auto& kind) { check_kind(rules, kind, at); }, contact);
}

}  // namespace phiflex

#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "phiflex/scene/words.h"

namespace phiflex {

void check_plane(RuleContext& rules) {
  const auto plane = std::find_if(rules.scene.bodies.begin(), rules.scene.bodies.end(),
                                  [](const BodySpec& body) { return is_plane(body.element); });
  if (plane == rules.scene.bodies.end()) return;
  const std::string element =
      fmt::format("/bodies/{}/element", std::distance(rules.scene.bodies.begin(), plane));
  const auto refuse = [&](const std::string& pointer, const std::string& message) {
    rules.add(pointer, message, {element});
  };
  if (rules.scene.bodies.size() > 1)
    refuse("/bodies", fmt::format("\"{}\" lies in a plane (\"{}\"), and the scene has {} bodies; a scene "
                                  "with a plane body has exactly that one body",
                                  plane->name, word(plane->element), rules.scene.bodies.size()));
  if (!rules.scene.contacts.empty())
    refuse("/contacts",
           fmt::format("a plane body (\"{}\") has no contacts; expected none", word(plane->element)));
  if (rules.scene.coarsening) refuse("/coarsening", "is for bodies of tetrahedra; this one lies in a plane");
  if (rules.scene.gravity[2] != 0)
    refuse("/gravity",
           fmt::format("{} m/s^2 along z move nothing: the body lies in a plane; expected [x, y, 0]",
                       rules.scene.gravity[2]));
  rules.each("forces", rules.scene.forces, [&](const ForceSpec& force, const std::string& pointer) {
    if (std::holds_alternative<WindForce>(force) || std::holds_alternative<StokesForce>(force) ||
        std::holds_alternative<MotorForce>(force))
      refuse(pointer, "does not act on a plane body; expected \"uniform\", \"point\" or \"region\"");
  });
  rules.each(
      "constraints", rules.scene.constraints,
      [&](const ConstraintSpec& constraint, const std::string& pointer) {
        const char* const leaves = "leads out of the plane of the body; expected a motion within z = const";
        const auto leads_out = [](const Triple& translate, const TransformSpec::Rotation& rotate) {
          return translate[2] != 0 || (rotate.angle != 0 && (rotate.axis[0] != 0 || rotate.axis[1] != 0));
        };
        const auto check_swing_plane = [&](const std::vector<SineSpec>& swings) {
          for (std::size_t i = 0; i < swings.size(); ++i)
            if (leads_out(swings[i].translate, swings[i].rotate))
              refuse(fmt::format("{}/sine/{}", pointer, i), leaves);
        };
        if (const auto* move = std::get_if<MoveConstraint>(&constraint)) {
          for (std::size_t i = 0; i < move->path.size(); ++i)
            if (move->path[i].offset[2] != 0) refuse(fmt::format("{}/path/{}/offset", pointer, i), leaves);
          check_swing_plane(move->sine);
        } else if (const auto* frame = std::get_if<FrameConstraint>(&constraint)) {
          for (std::size_t i = 0; i < frame->motion.keys.size(); ++i) {
            const FrameKey& key = frame->motion.keys[i];
            if (leads_out(key.translate, key.rotate)) refuse(fmt::format("{}/keys/{}", pointer, i), leaves);
          }
          check_swing_plane(frame->motion.sine);
        }
      });
}

}  // namespace phiflex

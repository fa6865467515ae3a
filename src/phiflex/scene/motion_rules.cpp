#include "phiflex/scene/motion_rules.h"

#include <fmt/format.h>

namespace phiflex {

void check_rotation(RuleContext& rules, const TransformSpec::Rotation& rotation, const std::string& pointer) {
  if (is_zero(rotation.axis))
    rules.add(pointer, "the axis [0, 0, 0] has no direction; expected an axis that is not zero");
}

void check_swings(RuleContext& rules, const std::vector<SineSpec>& swings, const std::string& pointer) {
  for (std::size_t i = 0; i < swings.size(); ++i) {
    const std::string one = fmt::format("{}/{}", pointer, i);
    check_rotation(rules, swings[i].rotate, one + "/rotate");
    if (swings[i].until && *swings[i].until <= swings[i].from)
      rules.add(one + "/until",
                fmt::format("{} s does not come after \"from\", {} s", *swings[i].until, swings[i].from),
                {one + "/from"});
  }
}

void check_motion(RuleContext& rules, const RigidMotionSpec& motion, const std::string& pointer) {
  if (motion.keys.empty() && motion.sine.empty())
    rules.add(pointer, "does not say how it moves; expected \"keys\" or \"sine\"");
  check_swings(rules, motion.sine, pointer + "/sine");
  check_ascending_times(rules, motion.keys, pointer + "/keys");
  for (std::size_t i = 0; i < motion.keys.size(); ++i)
    check_rotation(rules, motion.keys[i].rotate, fmt::format("{}/keys/{}/rotate", pointer, i));
}

}  // namespace phiflex

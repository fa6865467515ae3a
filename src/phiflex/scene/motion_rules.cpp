#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include <cmath>

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
  if (motion.key_step && (motion.keys.empty() || !motion.sine.empty()))
    rules.add(pointer + "/key_step", "needs \"keys\", and no \"sine\"");
  for (std::size_t i = 1; motion.key_step && i < motion.keys.size(); ++i) {
    const double gap = motion.keys[i].time - motion.keys[i - 1].time;
    if (std::abs(gap - *motion.key_step) > 1e-6 * *motion.key_step + 1e-12 * motion.keys[i].time)
      rules.add(fmt::format("{}/keys/{}/time", pointer, i),
                fmt::format("{} s comes {} s after the key before; expected \"key_step\", {} s",
                            motion.keys[i].time, gap, *motion.key_step));
  }
  check_swings(rules, motion.sine, pointer + "/sine");
  check_ascending_times(rules, motion.keys, pointer + "/keys");
  for (std::size_t i = 0; i < motion.keys.size(); ++i)
    check_rotation(rules, motion.keys[i].rotate, fmt::format("{}/keys/{}/rotate", pointer, i));
}

}  // namespace phiflex

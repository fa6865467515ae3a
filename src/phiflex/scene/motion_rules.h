// Rules of prescribed motions.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_rotation(RuleContext& rules, const TransformSpec::Rotation& rotation, const std::string& pointer);
void check_swings(RuleContext& rules, const std::vector<SineSpec>& swings, const std::string& pointer);
void check_motion(RuleContext& rules, const RigidMotionSpec& motion, const std::string& pointer);

template <class Points>
void check_ascending_times(RuleContext& rules, const Points& points, const std::string& pointer) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].time <= points[i - 1].time) {
      rules.add(fmt::format("{}/{}/time", pointer, i),
                fmt::format("{} s does not come after the point before, {} s; expected increasing times",
                            points[i].time, points[i - 1].time),
                {fmt::format("{}/{}", pointer, i - 1)});
    }
  }
}

}  // namespace phiflex

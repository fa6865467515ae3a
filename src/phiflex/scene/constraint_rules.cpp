#include "phiflex/scene/rules.h"

#include <fmt/format.h>

namespace phiflex {
namespace {

void check_kind(RuleContext& rules, const FixConstraint& fix, const std::string& pointer) {
  rules.check_body_name(fix.body, pointer + "/body");
  check_where(rules, fix.where, Selects::vertices, pointer + "/where");
}

void check_kind(RuleContext& rules, const MoveConstraint& move, const std::string& pointer) {
  rules.check_body_name(move.body, pointer + "/body");
  check_where(rules, move.where, Selects::vertices, pointer + "/where");
  check_ascending_times(rules, move.path, pointer + "/path");
  if (move.path.empty() && move.sine.empty())
    rules.add(pointer, "does not say how it moves; expected \"path\" or \"sine\"");
  check_swings(rules, move.sine, pointer + "/sine");
  for (std::size_t i = 0; i < move.sine.size(); ++i)
    if (move.sine[i].rotate.angle != 0)
      rules.add(fmt::format("{}/sine/{}/rotate", pointer, i),
                "\"move\" only shifts; expected \"type\": \"frame\" for a rotation", {pointer + "/type"});
}

void check_kind(RuleContext& rules, const FrameConstraint& frame, const std::string& pointer) {
  rules.check_body_name(frame.body, pointer + "/body");
  check_where(rules, frame.where, Selects::vertices, pointer + "/where");
  check_motion(rules, frame.motion, pointer);
}

void check_kind(RuleContext& rules, const MotionConstraint& motion, const std::string& pointer) {
  rules.check_body_name(motion.body, pointer + "/body");
}

}  // namespace

void check_constraint(RuleContext& rules, const ConstraintSpec& constraint, const std::string& pointer) {
  std::visit([&](const auto& kind) { check_kind(rules, kind, pointer); }, constraint);
}

}  // namespace phiflex

#include "phiflex/scene/constraint_rules.h"

#include <fmt/format.h>

#include "phiflex/scene/motion_rules.h"
#include "phiflex/scene/where_rules.h"

namespace phiflex {
namespace {

void check_kind(RuleContext& rules, const FixConstraint& fix, const std::string& at) {
  rules.check_body_name(fix.body, at + "/body");
  check_where(rules, fix.where, Selects::vertices, at + "/where");
}

void check_kind(RuleContext& rules, const MoveConstraint& move, const std::string& at) {
  rules.check_body_name(move.body, at + "/body");
  check_where(rules, move.where, Selects::vertices, at + "/where");
  check_ascending_times(rules, move.path, at + "/path");
  if (move.path.empty() && move.sine.empty())
    rules.add(at, "does not say how it moves; expected \"path\" or \"sine\"");
  check_swings(rules, move.sine, at + "/sine");
  for (std::size_t i = 0; i < move.sine.size(); ++i)
    if (move.sine[i].rotate.angle != 0)
      rules.add(fmt::format("{}/sine/{}/rotate", at, i),
                "\"move\" only shifts; expected \"type\": \"frame\" for a rotation", {at + "/type"});
}

void check_kind(RuleContext& rules, const FrameConstraint& frame, const std::string& at) {
  rules.check_body_name(frame.body, at + "/body");
  check_where(rules, frame.where, Selects::vertices, at + "/where");
  check_motion(rules, frame.motion, at);
}

void check_kind(RuleContext& rules, const MotionConstraint& motion, const std::string& at) {
  rules.check_body_name(motion.body, at + "/body");
}

}  // namespace

void check_constraint(RuleContext& rules, const ConstraintSpec& constraint, const std::string& at) {
  std::visit([&](const auto& kind) { check_kind(rules, kind, at); }, constraint);
}

}  // namespace phiflex

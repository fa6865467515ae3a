// Rules of constraints.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_constraint(RuleContext& rules, const ConstraintSpec& constraint, const std::string& pointer);

}  // namespace phiflex

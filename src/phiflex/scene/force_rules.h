// Rules of forces.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_force(RuleContext& rules, const ForceSpec& force, const std::string& pointer);

}  // namespace phiflex

// Rules of bodies made of springs.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_springs(RuleContext& rules, const SpringsSpec& springs, const std::string& pointer);

}  // namespace phiflex

// Rules of bodies: materials, regions, elements, initial states.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_body(RuleContext& rules, const BodySpec& body, const std::string& pointer);

}  // namespace phiflex

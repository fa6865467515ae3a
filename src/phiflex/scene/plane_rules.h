// What a scene with a plane body cannot have.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_plane(RuleContext& rules);

}  // namespace phiflex

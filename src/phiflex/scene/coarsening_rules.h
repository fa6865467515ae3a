// Rules of coarsening.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_coarsening(RuleContext& rules, const CoarseningSpec& coarsening);

}  // namespace phiflex

// Rules of selections.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

enum class Selects { vertices, elements, either };
void check_where(RuleContext& rules, const Where& where, Selects selects, const std::string& pointer);

// Whether a selection, or a part of it, is a list of vertices or elements.
bool names_numbers(const Where& where);

}  // namespace phiflex

// Rules of contacts.
#pragma once

#include "phiflex/scene/rule_context.h"

namespace phiflex {

void check_contact(RuleContext& rules, const ContactSpec& contact, const std::string& pointer);

}  // namespace phiflex

// What was measured goes into experiment.json, without touching the rest of the text.
#pragma once

#include <string>

#include "phiflex/reproduce/outcome.h"

namespace phiflex {

// The text with `expect` and `seconds` of the outcome's variant, for the full one also machine and date; its other keys
// stay. InputError when the text is no JSON object.
std::string with_expectation(const std::string& text, const Outcome& outcome);

}  // namespace phiflex

// What was measured goes into experiment.json, without touching the rest of the text.
#pragma once

#include <string>

#include "phiflex/reproduce/reproduce.h"

namespace phiflex {

// The text with `expect` and `seconds` of the outcome's variant, for the full one processor seconds, machine and date; its
// other keys stay, an estimate of the seconds does not. InputError when the text is no JSON object.
std::string with_expectation(const std::string& text, const Outcome& outcome);
// The text with the estimated seconds of a variant, how they were estimated, machine and date. What was measured stays:
// then the text is returned as it is.
std::string with_estimate(const std::string& text, Variant variant, const CostEstimate& estimate);

}  // namespace phiflex

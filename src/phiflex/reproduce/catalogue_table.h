// The catalogue as a table in Markdown (docs/experiment_costs.md): verdicts of both variants, and what they cost.
#pragma once

#include <string>
#include <vector>

#include "phiflex/reproduce/experiment.h"

namespace phiflex {

// "412", "0.3"; "about 5400" when it is estimated; "-" when nothing is known.
std::string full_seconds_words(const VariantSpec& full);
// A sentence: measured or estimated, how, where and when; empty when nothing is known.
std::string full_cost_words(const VariantSpec& full);

std::string catalogue_table(const std::vector<Experiment>& experiments);

}  // namespace phiflex

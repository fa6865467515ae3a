// Files of an outcome, and the gallery over all of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/reproduce/outcome.h"

namespace phiflex {

// result.csv, plot.svg (plot-2.svg, ...), strip.png, index.html and, last, verdict.json: where it is, the experiment
// is finished. Each whole or not at all.
void write_outcome(const std::filesystem::path& folder, const Experiment& experiment, const Outcome& outcome);

// What a finished experiment's folder says; nullopt when there is no readable verdict.json.
struct StoredVerdict {
  std::string id, variant, key, reason, date;
  Verdict verdict = Verdict::not_comparable;
  double seconds = 0;
};
std::optional<StoredVerdict> read_stored_verdict(const std::filesystem::path& folder);

// index.html over all experiments of the catalogue: title, claim, verdict, thumbnail, counts; those not yet run are
// listed as such. One self-contained page that links to the experiments' pages.
void write_gallery(const std::filesystem::path& folder, const std::vector<Experiment>& experiments);

}  // namespace phiflex

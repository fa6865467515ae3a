// What came of an experiment: verdict, claims, numbers and curves, ready to be written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "phiflex/pages/line_plot.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/reproduce/experiment.h"

namespace phiflex {

enum class Holding { holds, fails, undecided };

struct ClaimOutcome {
  std::string text;   // what the paper asserts
  std::string holds;  // the expression
  Holding holding = Holding::undecided;
  std::string reason;  // the numbers compared, or why it is undecided
};

struct ComparedNumber {
  std::string what, unit;
  std::optional<double> printed, measured;
  std::string missing;  // why there is no measured number
};

struct Measurement {
  std::string run, metric;
  double value = 0;
};

struct RunAccount {
  std::string name;
  std::string status;  // done, diverged, stopped, failed: in words with the step
  double step = 0;     // s
  std::int64_t steps = 0;
  double seconds_per_step = 0;  // on the processor
  std::string note;             // of truths: how they converged
  std::filesystem::path folder;
};

// The verdict again with one open parameter changed.
struct SweepOutcome {
  std::string parameter, value;
  Verdict verdict = Verdict::not_comparable;
  std::string reason;
};

struct Outcome {
  std::string id;
  Variant variant = Variant::quick;
  Verdict verdict = Verdict::not_comparable;
  std::string reason;  // one sentence
  std::vector<ClaimOutcome> claims;
  std::vector<ComparedNumber> table;
  std::vector<Measurement> measurements;
  std::vector<LinePlot> plots;
  std::vector<RunAccount> runs;
  std::vector<std::string> bodies;  // which mesh each body has, and why
  std::vector<SweepOutcome> sweep;
  double seconds = 0;            // of everything
  double processor_seconds = 0;  // the same on the processor, all threads together
  std::string machine, date, version;
  std::string key;  // hash of what was asked: unchanged, it need not be done again
};

// The verdict of claims alone: refuted when one fails, else not comparable when one is undecided, else confirmed; a
// sweep in which the verdict changes makes it not comparable. Sets verdict and reason.
void judge(Outcome& outcome);

}  // namespace phiflex

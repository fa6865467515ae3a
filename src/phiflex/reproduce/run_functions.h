// Functions of expressions that speak of runs, and of modes (docs/experiments.md).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "phiflex/reproduce/expression.h"
#include "phiflex/reproduce/run_store.h"

namespace phiflex {

// A converged truth, coarse to fine; a plain run has one level.
struct NamedRun {
  std::vector<std::shared_ptr<const KeptRun>> levels;
  bool truth = false, converged = true;
  double change = 0;  // m, by which the last halving moved it; not a number: there was none
  const KeptRun& finest() const { return *levels.back(); }
};

struct NamedModes {
  std::vector<double> lambda;  // 1/s^2, elastic ones
  int rigid = 0;
  std::vector<double> ratios;  // fine over coarse; empty without a fine model
  int matched = 0;
  std::vector<double> twist;  // (1) of mode_twist.h
};

// What the expressions of an experiment know.
struct RunBook {
  std::map<std::string, NamedRun> runs;
  std::set<std::string> left_out;  // of families with `until`
  std::map<std::string, NamedModes> modes;
  std::map<std::string, std::string> not_made;  // runs and modes whose values are not known, and why
  std::string unnamed_why;                      // the same of a family whose members cannot even be listed

  // Truths that did not converge are looked at twice: with their finest level, and with the one before (1).
  int coarser = 0;
  std::set<std::string> unconverged_used;  // by the latest evaluations
  // Called with every number that was measured of a run. May be empty.
  std::function<void(const std::string& run, const std::string& metric, double value)> measured;

  const NamedRun& named(const std::string& name)
      const;  // ExpressionError when there is none, Undecided when it could not be made
  const KeptRun& run(const std::string& name);        // at the level that is looked at
  const KeptRun& reference(const std::string& name);  // the same; Undecided when it diverged
  const KeptRun& compared_truth(
      const std::string& name);  // a reference, and notes that its convergence matters
};

// The book must outlive the functions.
Functions run_functions(RunBook& book);

// Of two runs that were both made: the largest vertex distance over their common instants up to `until`.
double position_error(const KeptRun& run, const KeptRun& truth, double until);

}  // namespace phiflex

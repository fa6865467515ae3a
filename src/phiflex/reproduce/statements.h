// What an experiment says once its runs are made: claims, printed numbers beside measured ones, curves.
#pragma once

#include <string>
#include <vector>

#include "phiflex/reproduce/experiment.h"
#include "phiflex/reproduce/outcome.h"
#include "phiflex/reproduce/run_functions.h"
#include "phiflex/reproduce/substitution.h"

namespace phiflex {

class Statements {
 public:
  // Into `outcome`; everything is kept by reference.
  Statements(const Experiment& experiment, const Functions& functions, const Names& names, RunBook& book,
             Outcome& outcome)
      : experiment_(experiment),
        functions_(functions),
        substitution_(functions),
        names_(names),
        book_(book),
        outcome_(outcome) {}

  void note_measurement(const std::string& run, const std::string& metric, double value);
  void state_claims(const ClaimSpec& claim);
  void compare_numbers(const TableRowSpec& row);
  void draw(const PlotSpec& spec);

 private:
  [[noreturn]] void wrong(const std::string& place, const std::string& message) const;
  std::string recent_numbers() const;
  // The first run that did not come to its end: its series are shorter than others, and what is made of both is no
  // mistake of the expression.
  const RunAccount* cut_short() const;
  std::string cut_short_words() const;
  void state_claim(const ClaimSpec& claim, const Names& names);
  void compare_number(const TableRowSpec& row, const Names& names);

  const Experiment& experiment_;
  const Functions& functions_;
  Substitution substitution_;
  const Names& names_;
  RunBook& book_;
  Outcome& outcome_;
  std::vector<Measurement> recent_;  // since the latest claim began
};

}  // namespace phiflex

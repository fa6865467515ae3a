// index.html of one experiment.
#pragma once

#include <string>

#include "phiflex/reproduce/outcome.h"

namespace phiflex {

struct PageStrip {
  std::string png;     // bytes; empty: there is none
  std::string remark;  // what could not be shown, and why
};

std::string outcome_page(const Experiment& experiment, const Outcome& outcome, const PageStrip& strip);

}  // namespace phiflex

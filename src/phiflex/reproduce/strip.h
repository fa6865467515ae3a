// The strip of an experiment: a row of moments for each of the runs it names.
#pragma once

#include <optional>
#include <string>

#include "phiflex/picture/image.h"
#include "phiflex/reproduce/outcome.h"

namespace phiflex {

struct DrawnStrip {
  std::optional<Image> image;
  std::optional<Image> thumbnail;  // the last moment of each run, side by side
  std::string remark;              // what is not in it, and why; empty: nothing is missing
};

// All rows show the same moments, as far as a run came; of a run that diverged only what stays near the others. Whatever
// prevents it is in the remark: a verdict does not fail for want of a picture.
DrawnStrip draw_outcome_strip(const StripSpec& spec, const Outcome& outcome);

}  // namespace phiflex

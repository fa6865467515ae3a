// The step, and the method with its settings.
#pragma once

#include <cstdint>
#include <string>

#include "phiflex/integrate/options.h"

namespace phiflex {

struct TimeSpec {
  double step = 0;  // s
  double end = 0;   // s
  bool operator==(const TimeSpec&) const = default;
};

// The number of steps, round(end / step); validation has made sure that the step divides the end.
std::int64_t step_count(const TimeSpec& time);

struct IntegratorSpec {
  std::string type = "auto";
  IntegratorOptions options;  // of any method; one reads its own and leaves the others
  bool operator==(const IntegratorSpec&) const = default;
};

}  // namespace phiflex

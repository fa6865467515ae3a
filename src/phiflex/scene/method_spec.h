// The step, and the method with its settings.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "phiflex/integrate/options.h"

namespace phiflex {

struct TimeSpec {
  double step = 0;                             // s
  double end = 0;                              // s
  std::optional<double> start = std::nullopt;  // s; absent: 0
  bool operator==(const TimeSpec&) const = default;
};

inline double start_of(const TimeSpec& time) {
  return time.start.value_or(0);
}
// From the start to the end, s.
inline double duration_of(const TimeSpec& time) {
  return time.end - start_of(time);
}
// The number of steps, round(duration / step); validation has made sure that the step divides the duration.
inline std::int64_t step_count(const TimeSpec& time) {
  return std::llround(duration_of(time) / time.step);
}

enum class Device { cpu, cuda };  // where steps are computed

struct IntegratorSpec {
  std::string type = "auto";
  IntegratorOptions options;  // of any method; one reads its own and leaves the others
  bool operator==(const IntegratorSpec&) const = default;
};

}  // namespace phiflex

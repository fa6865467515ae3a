// When something acts.
#pragma once

#include <cmath>
#include <limits>

namespace phiflex {

// Whether the time has come. A step's time n h and a time written in a scene are the same moment although
// they may differ in their last digits.
inline bool reached(double t, double time) {
  return t >= time - 1e-9 * std::fabs(time);
}

// from <= t < until.
struct ActiveTime {
  double from = 0;                                         // s
  double until = std::numeric_limits<double>::infinity();  // s
  bool operator==(const ActiveTime&) const = default;
  bool covers(double t) const { return reached(t, from) && !(std::isfinite(until) && reached(t, until)); }
};

}  // namespace phiflex

// When something acts, and how strong a force is over time:
//
//   m(t) = p(t) (1 + a sin(2 pi f t)),     p linear between points, constant before the first and after the last    (1)
#pragma once

#include <cmath>
#include <limits>
#include <vector>

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

// (1)
struct Modulation {
  struct Point {
    double time = 0;  // s
    double factor = 1;
    bool operator==(const Point&) const = default;
  };
  double amplitude = 0;             // a
  double frequency = 0;             // f, Hz
  std::vector<Point> profile = {};  // times ascend; empty: p = 1

  double at(double t) const;
  double rate(double t) const;  // m'; at a point that of the interval after it
  bool operator==(const Modulation&) const = default;
};

}  // namespace phiflex

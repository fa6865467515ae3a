// How strong a force is over time:
//
//   m(t) = p(t) (1 + a sin(2 pi f t)),     p linear between points, constant before the first and after the last    (1)
#pragma once

#include <vector>

namespace phiflex {

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

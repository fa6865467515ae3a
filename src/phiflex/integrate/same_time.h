// Methods that remember something of a step ask whether the state they are given is the one it ended in.
#pragma once

#include <cmath>

namespace phiflex {

// Times are compared to a millionth of a step h: t = n h is rounded, and a time loop may round it otherwise.
inline bool same_time(double a, double b, double h) {
  return std::abs(a - b) <= 1e-6 * h;
}

}  // namespace phiflex

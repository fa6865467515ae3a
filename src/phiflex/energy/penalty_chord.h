// The discrete derivative of a one-sided spring's energy k/2 p+^2, p+ = max(0, p), between the depths a and b at
// the ends of a step:
//
//   chord(a, b) = 1/2 (b+^2 - a+^2)/(b - a) = 1/2 (a+ + b+) (b+ - a+)/(b - a)                             (1)
//   2 d chord/db = 1 - (a-/(b - a))^2 for b > 0,   (a+/(b - a))^2 for b <= 0,   a- = min(0, a)            (2)
//
// The quotient in (1) is 1 where both are positive, 0 where none is, and else between: no difference of close
// numbers is divided. (2) is never negative.
#pragma once

#include <algorithm>

namespace phiflex {

struct PenaltyChord {
  double value = 0;  // (1), m
  double slope = 0;  // (2)
};

inline PenaltyChord penalty_chord(double a, double b) {
  if (a <= 0 && b <= 0) return {};
  const double sum = std::max(a, 0.0) + std::max(b, 0.0);
  if (a > 0 && b > 0) return {0.5 * sum, 1};
  const double part = b > 0 ? std::min(a, 0.0) / (b - a) : a / (b - a);
  return {0.5 * sum * sum / (std::max(a, b) - std::min(a, b)), b > 0 ? 1 - part * part : part * part};
}

}  // namespace phiflex

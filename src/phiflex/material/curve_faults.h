// What is wrong with the points of a curve, before a CubicSpline is made of them.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace phiflex {

struct CurveFault {
  std::string place;  // "/values" or "/knots/3"
  std::string message;
};

// Empty when there are two knots or more, ascending, with one finite value each.
std::vector<CurveFault> curve_faults(std::span<const double> knots, std::span<const double> values);

}  // namespace phiflex

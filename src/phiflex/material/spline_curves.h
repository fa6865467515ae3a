// The curves of the material `spline` (spline.h): f', g' and h' in units of Young's modulus, over a principal stretch,
// a product of two stretches and the relative volume. Absent: a straight line that matches `young` and `poisson`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phiflex/material/cubic_spline.h"

namespace phiflex {

struct SplineCurves {
  std::optional<CubicSpline> f, g, h;

  // The stress that they leave in the rest shape, f'(1) + 2 g'(1) + h'(1), in units of Young's modulus: spline.h, (8).
  double rest_stress() const {
    const auto at_rest = [](const std::optional<CubicSpline>& curve) {
      return curve ? curve->at(1.0).value : 0.0;
    };
    return at_rest(f) + 2 * at_rest(g) + at_rest(h);
  }
};

// What is wrong with the points of a curve, before a CubicSpline is made of them.
struct CurveFault {
  std::string place;  // "/values" or "/knots/3"
  std::string message;
};

// Empty when there are two knots or more, ascending, with one finite value each.
std::vector<CurveFault> curve_faults(std::span<const double> knots, std::span<const double> values);

}  // namespace phiflex

#include "phiflex/material/spline_curves.h"

#include <fmt/format.h>

#include <cmath>

namespace phiflex {

std::vector<CurveFault> curve_faults(std::span<const double> knots, std::span<const double> values) {
  std::vector<CurveFault> faults;
  if (knots.size() < 2)
    faults.push_back({"/knots", fmt::format("has {} items; expected 2 or more", knots.size())});
  if (knots.size() != values.size())
    faults.push_back({"/values", fmt::format("{} values for {} knots; expected one for each", values.size(),
                                             knots.size())});
  for (std::size_t i = 1; i < knots.size(); ++i) {
    if (knots[i - 1] < knots[i]) continue;
    faults.push_back({fmt::format("/knots/{}", i),
                      fmt::format("{} does not lie above the knot before it, {}; expected ascending numbers",
                                  knots[i], knots[i - 1])});
    break;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      faults.push_back({fmt::format("/values/{}", i),
                        fmt::format("{} is not allowed; expected a finite number", values[i])});
  return faults;
}

}  // namespace phiflex

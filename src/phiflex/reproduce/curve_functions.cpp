#include "phiflex/reproduce/curve_functions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace phiflex {
namespace {

Functions make_curve_functions() {
  Functions table;
  table["peaks"] = [](Arguments a) -> Value {
    expect_count(a, 1, "peaks");
    return local_maxima(a[0].numbers());
  };
  table["admissible_step"] = [](Arguments a) -> Value {
    expect_count(a, 3, "admissible_step");
    return admissible_step(a[0].numbers(), a[1].numbers(), a[2].number());
  };
  return table;
}

}  // namespace

std::vector<double> local_maxima(std::span<const double> values) {
  std::vector<double> maxima;
  bool rising = false;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] > values[i - 1]) {
      rising = true;
    } else if (values[i] < values[i - 1]) {
      if (rising) maxima.push_back(values[i - 1]);
      rising = false;
    }
  }
  return maxima;
}

double admissible_step(std::span<const double> steps, std::span<const double> errors, double limit) {
  if (steps.size() != errors.size() || steps.empty())
    throw ExpressionError("admissible_step needs two lists of the same length, at least 1");
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return steps[a] < steps[b]; });
  const auto bad =
      std::find_if(order.begin(), order.end(), [&](std::size_t i) { return !(errors[i] <= limit); });
  if (bad == order.begin()) return 0;
  const std::size_t last = *(bad - 1);
  if (bad == order.end() || !std::isfinite(errors[*bad]) || !(errors[last] > 0)) return steps[last];
  const double share = std::log(limit / errors[last]) / std::log(errors[*bad] / errors[last]);
  return steps[last] * std::pow(steps[*bad] / steps[last], share);  // (1)
}

const Functions& curve_functions() {
  static const Functions table = make_curve_functions();
  return table;
}

}  // namespace phiflex

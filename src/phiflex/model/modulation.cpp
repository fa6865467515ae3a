#include "phiflex/model/modulation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phiflex {
namespace {

struct Value {
  double value, rate;
};

Value profile_at(const std::vector<Modulation::Point>& points, double t) {
  if (points.empty()) return {1, 0};
  const auto after =
      std::upper_bound(points.begin(), points.end(), t,
                       [](double time, const Modulation::Point& point) { return time < point.time; });
  if (after == points.begin()) return {points.front().factor, 0};
  if (after == points.end()) return {points.back().factor, 0};
  const Modulation::Point &a = *(after - 1), &b = *after;
  const double slope = (b.factor - a.factor) / (b.time - a.time);
  return {a.factor + (t - a.time) * slope, slope};
}

}  // namespace

double Modulation::at(double t) const {
  return profile_at(profile, t).value * (1 + amplitude * std::sin(2 * std::numbers::pi * frequency * t));
}

double Modulation::rate(double t) const {
  const double w = 2 * std::numbers::pi * frequency;
  const auto [p, slope] = profile_at(profile, t);
  return slope * (1 + amplitude * std::sin(w * t)) + p * amplitude * w * std::cos(w * t);
}

}  // namespace phiflex

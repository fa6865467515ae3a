#include "phiflex/study/trajectory.h"

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

// The number of the step that ends at t; 0 when none does.
std::int64_t step_ending_at(double t, double h) {
  const double n = std::round(t / h);
  constexpr double least_part = 1e-7;  // of a step: times are products n h
  return std::abs(t / h - n) < least_part ? static_cast<std::int64_t>(n) : 0;
}

double largest_distance(const Vector& a, const Vector& b) {
  double largest = 0;
  for (Index i = 0; i + 2 < a.size(); i += 3)
    largest = std::max(largest, (a.segment<3>(i) - b.segment<3>(i)).squaredNorm());
  return std::sqrt(largest);
}

}  // namespace

std::vector<double> common_times(const std::vector<double>& steps, double end, std::size_t limit) {
  const double coarsest = *std::max_element(steps.begin(), steps.end());
  std::vector<double> common;
  const std::int64_t count = std::llround(end / coarsest);
  for (std::int64_t n = 1; n <= count; ++n) {
    const double t = static_cast<double>(n) * coarsest;
    if (std::all_of(steps.begin(), steps.end(), [&](double h) { return step_ending_at(t, h) > 0; }))
      common.push_back(t);
  }
  const std::size_t stride = (common.size() + limit - 1) / std::max<std::size_t>(limit, 1);
  if (stride <= 1) return common;
  std::vector<double> thinned;
  for (std::size_t i = common.size(); i > 0; i -= std::min(i, stride)) thinned.push_back(common[i - 1]);
  std::reverse(thinned.begin(), thinned.end());
  return thinned;
}

void Trajectory::observe(const Simulation& simulation) {
  if (reached() == times_.size() || simulation.step() == 0 ||
      simulation.step() != step_ending_at(times_[reached()], simulation.h()))
    return;
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  x_.push_back(std::move(x));
  v_.push_back(std::move(v));
}

double position_distance(const Trajectory& a, const Trajectory& b, std::size_t time) {
  return largest_distance(a.x(time), b.x(time));
}

double velocity_distance(const Trajectory& a, const Trajectory& b, std::size_t time) {
  return largest_distance(a.v(time), b.v(time));
}

}  // namespace phiflex

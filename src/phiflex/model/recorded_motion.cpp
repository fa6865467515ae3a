#include "phiflex/model/recorded_motion.h"

#include <algorithm>
#include <stdexcept>

#include "phiflex/model/modulation.h"

namespace phiflex {

RecordedMotion::RecordedMotion(std::vector<double> times, std::vector<Vector> positions)
    : times_(std::move(times)), positions_(std::move(positions)) {
  if (times_.empty() || times_.size() != positions_.size())
    throw std::invalid_argument("RecordedMotion: positions are needed for every time");
  for (std::size_t n = 1; n < times_.size(); ++n)
    if (!(times_[n - 1] < times_[n]) || positions_[n].size() != positions_[0].size())
      throw std::invalid_argument("RecordedMotion: times must ascend, and vertices stay the same");
}

Eigen::Vector3d RecordedMotion::position(std::size_t vertex, double t) const {
  const Index i = 3 * Index(vertex);
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  if (after == times_.begin()) return positions_.front().segment<3>(i);
  if (after == times_.end()) return positions_.back().segment<3>(i);
  const auto n = static_cast<std::size_t>(after - times_.begin()) - 1;
  const Eigen::Vector3d p = positions_[n].segment<3>(i), next = positions_[n + 1].segment<3>(i);
  return p + (t - times_[n]) / (times_[n + 1] - times_[n]) * (next - p);  // (1)
}

Eigen::Vector3d RecordedMotion::velocity(std::size_t vertex, double t, Side side) const {
  const auto passed = [&](double time) { return side == Side::after ? reached(t, time) : !reached(time, t); };
  const auto after = std::partition_point(times_.begin(), times_.end(), passed);
  if (after == times_.begin() || after == times_.end()) return Eigen::Vector3d::Zero();
  const auto n = static_cast<std::size_t>(after - times_.begin()) - 1;
  const Index i = 3 * Index(vertex);
  return (positions_[n + 1].segment<3>(i) - positions_[n].segment<3>(i)) / (times_[n + 1] - times_[n]);
}

}  // namespace phiflex

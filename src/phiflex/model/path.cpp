#include "phiflex/model/path.h"

#include <algorithm>
#include <stdexcept>

#include "phiflex/model/active_time.h"

namespace phiflex {

Path::Path(std::vector<PathKnot> knots) : knots_(std::move(knots)) {
  for (std::size_t i = 1; i < knots_.size(); ++i)
    if (!(knots_[i - 1].time < knots_[i].time))
      throw std::invalid_argument("Path: the times of the knots must ascend");
}

bool Path::moves() const {
  return std::any_of(knots_.begin(), knots_.end(),
                     [&](const PathKnot& knot) { return knot.offset != knots_.front().offset; });
}

Eigen::Vector3d Path::offset(double t) const {
  if (knots_.empty()) return Eigen::Vector3d::Zero();
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), t,
                                      [](double time, const PathKnot& knot) { return time < knot.time; });
  if (after == knots_.begin()) return knots_.front().offset;
  if (after == knots_.end()) return knots_.back().offset;
  const PathKnot &a = *(after - 1), &b = *after;
  return a.offset + (t - a.time) / (b.time - a.time) * (b.offset - a.offset);  // (1)
}

Eigen::Vector3d Path::velocity(double t, Side side) const {
  // The knots that t has passed; at a knot itself, Side decides whether it counts.
  const auto passed = [&](const PathKnot& knot) {
    return side == Side::after ? reached(t, knot.time) : !reached(knot.time, t);
  };
  const auto after = std::partition_point(knots_.begin(), knots_.end(), passed);
  if (after == knots_.begin() || after == knots_.end()) return Eigen::Vector3d::Zero();
  const PathKnot &a = *(after - 1), &b = *after;
  return (b.offset - a.offset) / (b.time - a.time);
}

}  // namespace phiflex

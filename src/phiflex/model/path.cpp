#include "phiflex/model/path.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "phiflex/model/modulation.h"

namespace phiflex {
namespace {

Eigen::Matrix3d rotation(const Eigen::Vector3d& a) {
  const double angle = a.norm();
  if (angle == 0) return Eigen::Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, a / angle).toRotationMatrix();
}

// a_i of (2).
Eigen::Vector3d turn(const PathKnot& from, const PathKnot& to) {
  const Eigen::Vector3d m = from.axis.normalized(), n = to.axis.normalized();
  if (from.angle == 0) return to.angle * n;
  if (to.angle == 0) return -from.angle * m;
  constexpr double same = 1e-12;
  if ((m - n).norm() < same) return (to.angle - from.angle) * n;
  if ((m + n).norm() < same) return (to.angle + from.angle) * n;
  const Eigen::AngleAxisd between(rotation(to.angle * n) * rotation(from.angle * m).transpose());
  return between.angle() * between.axis();
}

double swing_angle(const PathSwing& swing, double t) {
  return 2 * std::numbers::pi * swing.frequency * (std::min(t, swing.until) - swing.from) + swing.phase;
}

// s of (5).
double swing_factor(const PathSwing& swing, double t) {
  return t <= swing.from ? 0 : std::sin(swing_angle(swing, t)) - std::sin(swing.phase);
}

// s'; at either end of the swing, Side decides.
double swing_rate(const PathSwing& swing, double t, Side side) {
  const auto passed = [&](double end) { return side == Side::after ? reached(t, end) : !reached(end, t); };
  if (!passed(swing.from) || (std::isfinite(swing.until) && passed(swing.until))) return 0;
  return 2 * std::numbers::pi * swing.frequency * std::cos(swing_angle(swing, t));
}

}  // namespace

Path::Path(std::vector<PathKnot> knots, PathForm form, const Eigen::Vector3d& pivot,
           std::vector<PathSwing> swings)
    : knots_(std::move(knots)), swings_(std::move(swings)), form_(form), pivot_(pivot) {
  for (const PathSwing& swing : swings_)
    if (!(swing.frequency > 0) || !(swing.from < swing.until))
      throw std::invalid_argument("Path: a swing needs a frequency and a time");
  for (std::size_t i = 0; i < knots_.size(); ++i) {
    if (i > 0 && !(knots_[i - 1].time < knots_[i].time))
      throw std::invalid_argument("Path: the times of the knots must ascend");
    if (!(knots_[i].axis.norm() > 0)) throw std::invalid_argument("Path: an axis needs a direction");
    R_.push_back(rotation(knots_[i].angle * knots_[i].axis.normalized()));
    if (i > 0) turn_.push_back(turn(knots_[i - 1], knots_[i]));
  }
}

bool Path::moves() const {
  return track_ ||
         std::any_of(
             swings_.begin(), swings_.end(),
             [](const PathSwing& swing) { return !swing.offset.isZero(0) || !swing.turn.isZero(0); }) ||
         std::any_of(knots_.begin(), knots_.end(),
                     [&](const PathKnot& knot) { return knot.offset != knots_.front().offset; }) ||
         std::any_of(turn_.begin(), turn_.end(), [](const Eigen::Vector3d& a) { return !a.isZero(0); });
}

Path::Pose Path::pose(double t) const {
  Pose pose = pose_of_knots(t);
  for (const PathSwing& swing : swings_) {  // (6)
    const double s = swing_factor(swing, t);
    pose.offset += s * swing.offset;
    if (!swing.turn.isZero(0)) pose.R = rotation(s * swing.turn) * pose.R;
  }
  return pose;
}

Path::Twist Path::twist(double t, Side side) const {
  Twist twist = twist_of_knots(t, side);
  if (swings_.empty()) return twist;
  for (const PathSwing& swing : swings_) {  // (6)
    const double rate = swing_rate(swing, t, side);
    twist.velocity += rate * swing.offset;
    if (!swing.turn.isZero(0))
      twist.angular = rate * swing.turn + rotation(swing_factor(swing, t) * swing.turn) * twist.angular;
  }
  twist.centre = pivot_ + pose(t).offset;
  return twist;
}

Path::Pose Path::pose_of_knots(double t) const {
  Pose pose;
  pose.pivot = pivot_;
  if (track_) pose.offset = track_->offsets.at(track_->times.place(t));
  if (knots_.empty()) return pose;
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), t,
                                      [](double time, const PathKnot& knot) { return time < knot.time; });
  if (after == knots_.begin() || after == knots_.end()) {
    const std::size_t i = after == knots_.begin() ? 0 : knots_.size() - 1;
    pose.R = R_[i];
    pose.offset = knots_[i].offset;
    return pose;
  }
  const PathKnot &a = *(after - 1), &b = *after;
  const auto i = static_cast<std::size_t>(after - 1 - knots_.begin());
  const double u = (t - a.time) / (b.time - a.time);
  const double s = form_ == PathForm::smooth ? u * u * (3 - 2 * u) : u;  // (3)
  pose.offset = a.offset + s * (b.offset - a.offset);                    // (2)
  pose.R = turn_[i].isZero(0) ? R_[i] : Eigen::Matrix3d(rotation(s * turn_[i]) * R_[i]);
  return pose;
}

Path::Twist Path::twist_of_knots(double t, Side side) const {
  Twist twist;
  if (track_) {
    const StepTimes::Place place = track_->times.place(t);
    twist.velocity = track_->offsets.rate(place, track_->times.h, side == Side::before);
    twist.centre = track_->offsets.at(place);
    return twist;
  }
  // The knots that t has passed; at a knot itself, Side decides whether it counts.
  const auto passed = [&](const PathKnot& knot) {
    return side == Side::after ? reached(t, knot.time) : !reached(knot.time, t);
  };
  const auto after = std::partition_point(knots_.begin(), knots_.end(), passed);
  if (after == knots_.begin() || after == knots_.end()) return twist;
  const PathKnot &a = *(after - 1), &b = *after;
  const double u = (t - a.time) / (b.time - a.time);
  const double rate = (form_ == PathForm::smooth ? 6 * u * (1 - u) : 1) / (b.time - a.time);  // s'
  twist.velocity = rate * (b.offset - a.offset);                                              // (4)
  twist.angular = rate * turn_[static_cast<std::size_t>(after - 1 - knots_.begin())];
  twist.centre = pivot_ + pose_of_knots(t).offset;
  return twist;
}

}  // namespace phiflex

#include "phiflex/picture/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phiflex {
namespace {

constexpr double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

}  // namespace

void Camera::turn(const View& view) {
  const double yaw = radians(view.azimuth), pitch = radians(view.elevation);
  const Point3 level{std::sin(yaw), 0, std::cos(yaw)}, vertical{0, 1, 0};
  right_ = {std::cos(yaw), 0, -std::sin(yaw)};
  up_ = std::cos(pitch) * vertical - std::sin(pitch) * level;
  towards_ = std::sin(pitch) * vertical + std::cos(pitch) * level;
}

Camera::Fit Camera::fit(std::span<const Point3> points) const {
  double A = -1e300, B = -1e300, C = -1e300, E = -1e300;
  for (const Point3& p : points) {
    const double x = dot(p, right_), y = dot(p, up_), z = dot(p, towards_);
    A = std::max(A, x + z * half_width_);
    B = std::max(B, -x + z * half_width_);
    C = std::max(C, y + z * half_height_);
    E = std::max(E, -y + z * half_height_);
  }
  return {(A - B) / 2, (C - E) / 2, (A + B) / (2 * half_width_), (C + E) / (2 * half_height_)};  // (2)
}

Camera::Camera(const View& view, std::span<const Point3> points, double aspect) {
  turn(view);
  const double half = std::tan(0.5 * radians(view.field_of_view));
  half_width_ = aspect > 1 ? half * aspect : half;
  half_height_ = half_width_ / aspect;
  const Point3 origin{};
  const Fit found = fit(points.empty() ? std::span(&origin, 1) : points);
  double middle = 0;
  for (const Point3& p : points) middle += dot(p, towards_) / static_cast<double>(points.size());
  const double D = std::max(found.across, found.along);
  distance_ = std::max(D - middle, 1e-12);
  if (points.empty()) distance_ = 1;
  place_ = found.c * right_ + found.d * up_ + (middle + distance_) * towards_;
  half_width_ /= view.zoom;
  half_height_ /= view.zoom;
}

Ray Camera::ray(double x, double y) const {
  const Point3 d = (x * half_width_) * right_ + (y * half_height_) * up_ - towards_;
  return {place_, (1 / norm(d)) * d};
}

double Camera::size_of_unit(double height_in_pixels, const Point3& x) const {
  return height_in_pixels / (2 * half_height_ * std::max(dot(place_ - x, towards_), 1e-12));
}

double Camera::best_aspect(const View& view, std::span<const Point3> points) {
  double aspect = 1;
  if (points.empty()) return aspect;
  // Widening the picture by the ratio of the two distances makes them equal, up to the depth of the points.
  for (int i = 0; i < 12; ++i) {
    Camera camera(view, points, aspect);
    camera.half_width_ *= view.zoom;
    camera.half_height_ *= view.zoom;
    const Fit found = camera.fit(points);
    if (!(found.across > 0) || !(found.along > 0)) break;
    Point3 middle{};
    for (const Point3& p : points) middle = middle + (1.0 / static_cast<double>(points.size())) * p;
    const double depth = dot(middle, camera.towards_);
    const double across = found.across - depth, along = found.along - depth;
    if (!(across > 0) || !(along > 0)) break;
    aspect *= across / along;
    aspect = std::clamp(aspect, 0.05, 20.0);
  }
  return aspect;
}

ExtremePoints::ExtremePoints() {
  // A spiral over the sphere: nearly even, and the same everywhere.
  constexpr int count = 160;
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    const double y = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - y * y);
    directions_.push_back({r * std::cos(golden * i), y, r * std::sin(golden * i)});
  }
}

void ExtremePoints::add(std::span<const Point3> points) {
  if (points.empty()) return;
  if (extremes_.empty()) extremes_.assign(directions_.size(), points.front());
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    double farthest = dot(extremes_[d], directions_[d]);
    for (const Point3& p : points)
      if (const double reach = dot(p, directions_[d]); reach > farthest) {
        farthest = reach;
        extremes_[d] = p;
      }
  }
}

}  // namespace phiflex

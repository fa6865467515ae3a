#include "phiflex/energy/solid_shape.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

// Distance to a point (or to the nearest point of an axis) minus a radius.
SurfaceDistance around(const Eigen::Vector3d& r, double radius, const Eigen::Vector3d& where_none) {
  const double length = r.norm();
  SurfaceDistance made;
  made.distance = length - radius;
  made.normal = length > 0 ? Eigen::Vector3d(r / length) : where_none;
  if (length > 0)
    made.curvature = (Eigen::Matrix3d::Identity() - made.normal * made.normal.transpose()) / length;
  return made;
}

}  // namespace

PlaneSolid::PlaneSolid(const Eigen::Vector3d& point, const Eigen::Vector3d& normal)
    : point_(point), normal_(normal.normalized()) {}

SurfaceDistance PlaneSolid::at(const Eigen::Vector3d& x) const {
  return {(x - point_).dot(normal_), normal_, Eigen::Matrix3d::Zero()};
}

SurfaceDistance SphereSolid::at(const Eigen::Vector3d& x) const {
  return around(x - center_, radius_, Eigen::Vector3d::UnitY());
}

CapsuleSolid::CapsuleSolid(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius)
    : from_(from), direction_((to - from).normalized()), length_((to - from).norm()), radius_(radius) {}

SurfaceDistance CapsuleSolid::at(const Eigen::Vector3d& x) const {
  const double along = (x - from_).dot(direction_);
  SurfaceDistance made =
      around(x - from_ - std::clamp(along, 0.0, length_) * direction_, radius_, direction_.unitOrthogonal());
  const double from_axis = made.distance + radius_;
  if (along > 0 && along < length_ && from_axis > 0)
    made.curvature -= direction_ * direction_.transpose() / from_axis;
  return made;
}

CuboidShape::CuboidShape(const Eigen::Vector3d& center, const Eigen::Vector3d& size,
                         const Eigen::Matrix3d& axes)
    : center_(center), half_(0.5 * size), axes_(axes) {}

SurfaceDistance CuboidShape::at(const Eigen::Vector3d& x) const {
  const Eigen::Vector3d y = axes_.transpose() * (x - center_);
  const Eigen::Vector3d beyond = y.cwiseAbs() - half_;
  const auto sign = [&](int i) { return y[i] < 0 ? -1.0 : 1.0; };
  SurfaceDistance made;
  int face = 0;
  made.distance = beyond.maxCoeff(&face);
  if (made.distance <= 0) {
    made.normal = sign(face) * axes_.col(face);
    return made;
  }
  Eigen::Vector3d out = beyond.cwiseMax(0.0);
  Eigen::Vector3d outside = (beyond.array() > 0).cast<double>();  // 1 in the directions that are outside
  made.distance = out.norm();
  for (int i = 0; i < 3; ++i) out[i] *= sign(i) / made.distance;
  made.normal = axes_ * out;
  const Eigen::Matrix3d flat = outside.asDiagonal();
  made.curvature = axes_ * ((flat - out * out.transpose()) / made.distance) * axes_.transpose();  // (2)
  return made;
}

SurfaceDistance SurfaceSolid::at(const Eigen::Vector3d& x) const {
  const ClosedSurface::Nearest near = surface_.nearest({x[0], x[1], x[2]});
  return {near.distance, {near.normal[0], near.normal[1], near.normal[2]}, Eigen::Matrix3d::Zero()};
}

}  // namespace phiflex

// Solid obstacles by their signed distance d(x), negative inside, with
//
//   n = grad d,   |n| = 1,        H = grad grad d,   H n = 0                                              (1)
//
//   plane     d = (x - p).n                        H = 0
//   sphere    d = |x - c| - r                      H = (I - n n')/|x - c|
//   capsule   d = |x - a(x)| - r                   a(x): nearest point of the axis; beside the axis
//                                                  H = (I - n n' - e e')/|x - a|, e its direction
//   box       d = largest of |y_i| - s_i inside, else the distance to the nearest point; y = R'(x - c),
//             H = sum over the outside directions' complement (I - n n')/d, 0 beside a face               (2)
//
//   surface   d to a closed triangle surface (mesh/closed_surface.h); H is not known and 0
//
// At a sphere's centre, on a capsule's axis and where faces of a box are equally near the gradient has no
// single value; one is chosen, always the same.
#pragma once

#include <Eigen/Core>

#include "phiflex/mesh/closed_surface.h"

namespace phiflex {

struct SurfaceDistance {
  double distance = 0;  // m, negative inside
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
  Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();  // H, 1/m
};

class SolidShape {
 public:
  virtual ~SolidShape() = default;
  virtual SurfaceDistance at(const Eigen::Vector3d& x) const = 0;
  // Then d is convex outside: it is nowhere below its tangents.
  virtual bool is_convex() const { return true; }
};

class PlaneSolid final : public SolidShape {
 public:
  PlaneSolid(const Eigen::Vector3d& point, const Eigen::Vector3d& normal);  // normal of any length but zero
  SurfaceDistance at(const Eigen::Vector3d& x) const override;

 private:
  Eigen::Vector3d point_, normal_;
};

class SphereSolid final : public SolidShape {
 public:
  SphereSolid(const Eigen::Vector3d& center, double radius) : center_(center), radius_(radius) {}
  SurfaceDistance at(const Eigen::Vector3d& x) const override;

 private:
  Eigen::Vector3d center_;
  double radius_;
};

class CapsuleSolid final : public SolidShape {
 public:
  CapsuleSolid(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius);
  SurfaceDistance at(const Eigen::Vector3d& x) const override;

 private:
  Eigen::Vector3d from_, direction_;
  double length_, radius_;
};

class CuboidShape final : public SolidShape {
 public:
  // axes: rotation whose columns are the directions of the edges.
  CuboidShape(const Eigen::Vector3d& center, const Eigen::Vector3d& size, const Eigen::Matrix3d& axes);
  SurfaceDistance at(const Eigen::Vector3d& x) const override;

 private:
  Eigen::Vector3d center_, half_;
  Eigen::Matrix3d axes_;
};

class SurfaceSolid final : public SolidShape {
 public:
  explicit SurfaceSolid(ClosedSurface surface) : surface_(std::move(surface)) {}
  SurfaceDistance at(const Eigen::Vector3d& x) const override;
  bool is_convex() const override { return false; }

 private:
  ClosedSurface surface_;
};

}  // namespace phiflex

#include "phiflex/model/surface_load.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace phiflex {

Eigen::Vector3d area_vector(const std::array<int, 3>& triangle, const Vector& x) {
  const auto at = [&](int corner) -> Eigen::Vector3d {
    return x.segment<3>(3 * Index(triangle[std::size_t(corner)]));
  };
  const Eigen::Vector3d a = at(0);
  return 0.5 * (at(1) - a).cross(at(2) - a);
}

void PressureLoad::add(double pressure, const Vector& x, Vector& f) const {
  for (const std::array<int, 3>& triangle : triangles_) {
    const Eigen::Vector3d share = -pressure / 3 * area_vector(triangle, x);  // (1)
    for (const int vertex : triangle) f.segment<3>(3 * Index(vertex)) += share;
  }
}

void PressureLoad::add_force(const Motion& at, Vector& f) const {
  if (active_.covers(at.t)) add(pressure_ * strength_.at(at.t), at.x, f);
}

void PressureLoad::add_force_rate(const Motion& at, Vector& g) const {
  if (active_.covers(at.t)) add(pressure_ * strength_.rate(at.t), at.x, g);
}

void TorqueLoad::add(double factor, const Vector& x, Vector& f) const {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const int vertex : vertices_) centre += x.segment<3>(3 * Index(vertex));
  centre /= static_cast<double>(vertices_.size());
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const int vertex : vertices_) {
    const Eigen::Vector3d r = x.segment<3>(3 * Index(vertex)) - centre;
    inertia += r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose();
  }
  const Eigen::Vector3d w = inertia.inverse() * (factor * torque_);  // (2)
  for (const int vertex : vertices_) {
    const Eigen::Vector3d r = x.segment<3>(3 * Index(vertex)) - centre;
    f.segment<3>(3 * Index(vertex)) += w.cross(r);
  }
}

void TorqueLoad::add_force(const Motion& at, Vector& f) const {
  if (active_.covers(at.t)) add(strength_.at(at.t), at.x, f);
}

void TorqueLoad::add_force_rate(const Motion& at, Vector& g) const {
  if (active_.covers(at.t)) add(strength_.rate(at.t), at.x, g);
}

}  // namespace phiflex

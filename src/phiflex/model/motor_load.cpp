#include "phiflex/model/motor_load.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace phiflex {
namespace {

void add_torque(const std::vector<int>& vertices, const Eigen::Vector3d& torque, const Vector& x, Vector& f) {
  Eigen::Vector3d c = Eigen::Vector3d::Zero();
  for (const int vertex : vertices) c += x.segment<3>(3 * Index(vertex));
  c /= static_cast<double>(vertices.size());
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
  for (const int vertex : vertices) {
    const Eigen::Vector3d y = x.segment<3>(3 * Index(vertex)) - c;
    J += y.squaredNorm() * Eigen::Matrix3d::Identity() - y * y.transpose();
  }
  const Eigen::Vector3d w = J.inverse() * torque;
  for (const int vertex : vertices)
    f.segment<3>(3 * Index(vertex)) += w.cross(x.segment<3>(3 * Index(vertex)) - c);  // (1)
}

}  // namespace

MotorLoad::MotorLoad(Parts parts, double torque, ActiveTime active)
    : parts_(std::move(parts)), torque_(torque), active_(active) {}

void MotorLoad::add_force(const Motion& at, Vector& f) const {
  if (!active_.covers(at.t)) return;
  const Eigen::Vector3d a =
      (at.x.segment<3>(3 * Index(parts_.axis[1])) - at.x.segment<3>(3 * Index(parts_.axis[0]))).normalized();
  add_torque(parts_.rotor, torque_ * a, at.x, f);
  add_torque(parts_.stator, -torque_ * a, at.x, f);
}

}  // namespace phiflex

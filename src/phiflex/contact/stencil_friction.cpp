#include "phiflex/contact/stencil_friction.h"

#include <cmath>

#include "phiflex/linalg/small_symmetric.h"

namespace phiflex {
namespace {

constexpr double kNoRotation =
    1e-9;  // of the largest eigenvalue of Z'Z: collinear vertices do not feel that rotation

// The pseudo-inverse of Z'Z.
Eigen::Matrix3d inverse_inertia(const Eigen::Matrix<double, 12, 3>& Z) {
  Eigen::Matrix3d values = Z.transpose() * Z, V = Eigen::Matrix3d::Identity(),
                  inverse = Eigen::Matrix3d::Zero();
  diagonalize(3, {values.data(), 9}, {V.data(), 9});
  const double largest = values.diagonal().maxCoeff();
  for (int k = 0; k < 3; ++k)
    if (values(k, k) > kNoRotation * largest) inverse += V.col(k) * V.col(k).transpose() / values(k, k);
  return inverse;
}

}  // namespace

StencilFriction stencil_friction(const FrictionLaw& law, int count, const StencilPoints& middle,
                                 const StencilPoints& dX, const Eigen::Vector4d& feet,
                                 const Eigen::Vector3d& arm, double pressure, double h) {
  StencilFriction friction;
  const Eigen::Vector3d n = arm.normalized();
  const Eigen::Matrix3d tangential = Eigen::Matrix3d::Identity() - n * n.transpose();
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (int a = 0; a < count; ++a) centre += middle.col(a) / count;
  Eigen::Matrix<double, 12, 3> Z = Eigen::Matrix<double, 12, 3>::Zero();
  Eigen::Matrix<double, 3, 12>& J = friction.slip;
  StencilVector motion = StencilVector::Zero();
  for (int a = 0; a < count; ++a) {
    const Eigen::Vector3d p = middle.col(a) - centre;
    Z.block<3, 3>(3 * a, 0) << 0, p[2], -p[1], -p[2], 0, p[0], p[1], -p[0], 0;
    J.block<3, 3>(0, 3 * a) = feet[a] * tangential;
    motion.segment<3>(3 * a) = dX.col(a) - dX.col(0);  // J does not see the shift
  }
  J -= (J * Z) * inverse_inertia(Z) * Z.transpose();  // (1)

  const Eigen::Vector3d u = friction.way = J * motion;
  const double q = std::sqrt(u.squaredNorm() + h * h * law.slip_speed * law.slip_speed);
  if (!(q > 0)) return friction;
  const double factor = law.coefficient * pressure / q;
  const StencilVector f = -factor * (J.transpose() * u);  // (2)
  for (int a = 0; a < count; ++a) friction.force.col(a) = f.segment<3>(3 * a);
  friction.taken = factor * u.squaredNorm();                                                  // (3)
  friction.block = 2 * factor * (Eigen::Matrix3d::Identity() - u * u.transpose() / (q * q));  // (4)
  return friction;
}

}  // namespace phiflex

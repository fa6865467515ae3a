#include "phiflex/contact/stencil_energy.h"

#include <Eigen/Geometry>

#include "phiflex/contact/barrier.h"

namespace phiflex {
namespace {

// The 6 x 12 map from motions of the vertices to those of the edge vectors e_1 and e_2.
Eigen::Matrix<double, 6, 12> edge_map() {
  Eigen::Matrix<double, 6, 12> B = Eigen::Matrix<double, 6, 12>::Zero();
  for (int i = 0; i < 3; ++i) {
    B(i, i) = B(3 + i, 6 + i) = -1;
    B(i, 3 + i) = B(3 + i, 9 + i) = 1;
  }
  return B;
}

// (5), over (e_a, e_b).
Eigen::Matrix<double, 6, 1> cross_gradient(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  Eigen::Matrix<double, 6, 1> g;
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  g << 2 * (bb * a - ab * b), 2 * (aa * b - ab * a);
  return g;
}

Eigen::Matrix<double, 6, 6> cross_second_derivative(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  Eigen::Matrix<double, 6, 6> H;
  H.topLeftCorner<3, 3>() = 2 * (bb * I - b * b.transpose());
  H.bottomRightCorner<3, 3>() = 2 * (aa * I - a * a.transpose());
  H.topRightCorner<3, 3>() = 4 * a * b.transpose() - 2 * b * a.transpose() - 2 * ab * I;
  H.bottomLeftCorner<3, 3>() = H.topRightCorner<3, 3>().transpose().eval();
  return H;
}

}  // namespace

StencilShape stencil_shape(StencilKind kind, const StencilLaw& law, const Eigen::Matrix3d& E) {
  StencilShape shape;
  shape.feet = nearest_feet<3>(kind, E);
  shape.r = E * shape.feet.z;
  shape.square = shape.r.squaredNorm();
  shape.x = shape.square / (law.reach * law.reach);
  if (law.parallel > 0) {
    const Eigen::Vector3d a = E.col(1), b = E.col(2);
    shape.cross = a.cross(b).squaredNorm();
    shape.factor = mollifier(shape.cross, law.parallel);
  }
  return shape;
}

double stencil_energy(const StencilLaw& law, const StencilShape& shape) {
  return law.weight * shape.factor * barrier(shape.x);  // (1)
}

StencilPoints stencil_gradient(StencilKind kind, const StencilLaw& law, const Eigen::Matrix3d& E,
                               const StencilShape& shape) {
  if (shape.x >= 1) return StencilPoints::Zero();
  const double slope = 2 * law.weight * shape.factor * barrier_slope(shape.x) / (law.reach * law.reach);
  StencilPoints g = slope * shape.r * shape.feet.y.transpose();  // (2)
  if (kind == StencilKind::edge_edge && law.parallel > 0) {
    const double by_c = law.weight * barrier(shape.x) * mollifier_slope(shape.cross, law.parallel);
    const Eigen::Matrix<double, 6, 1> dc = cross_gradient(E.col(1), E.col(2));
    add_edge_forces(by_c * dc.head<3>(), by_c * dc.tail<3>(), g);
  }
  return g;
}

StencilMatrix stencil_hessian(StencilKind kind, const StencilLaw& law, const Eigen::Matrix3d& E,
                              const StencilShape& shape, Definiteness definiteness) {
  if (shape.x >= 1) return StencilMatrix::Zero();
  const double W = law.weight, square = law.reach * law.reach;
  const double slope = barrier_slope(shape.x) / square;
  const StencilVector g = distance_half_gradient(shape.r, shape.feet.y);
  StencilMatrix H =
      (4 * W * shape.factor * barrier_curvature(shape.x) / (square * square) * g) * g.transpose();
  if (definiteness == Definiteness::projected) return H;                            // (4)
  H += W * shape.factor * slope * distance_second_derivative(kind, E, shape.feet);  // (3)
  if (kind != StencilKind::edge_edge || !(shape.cross < law.parallel)) return H;
  const double by_c = mollifier_slope(shape.cross, law.parallel);
  const double by_cc = -2 / (law.parallel * law.parallel);
  const double beta = barrier(shape.x);
  const Eigen::Matrix<double, 6, 12> B = edge_map();
  const StencilVector dc = B.transpose() * cross_gradient(E.col(1), E.col(2));
  H += 2 * W * by_c * slope * (g * dc.transpose() + dc * g.transpose());
  H += W * beta * by_cc * dc * dc.transpose();
  H += W * beta * by_c * (B.transpose() * cross_second_derivative(E.col(1), E.col(2)) * B);
  return H;
}

}  // namespace phiflex

// Random contact stencils for the tests of this folder: near and far ones, on all features, nearly parallel edges.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "phiflex/contact/stencil.h"

namespace phiflex {

inline constexpr StencilKind kStencilKinds[] = {StencilKind::point_triangle, StencilKind::edge_edge,
                                                StencilKind::point_edge, StencilKind::point_point};

// Draws that meet in one expression are made one after the other: compilers differ in the order in which they evaluate.
class StencilSource {
 public:
  explicit StencilSource(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  // 10^-u, u uniform.
  double scale(double largest_power) { return std::pow(10.0, -uniform(0, largest_power)); }
  Eigen::Vector3d vector() { return {normal_(random_), normal_(random_), normal_(random_)}; }
  StencilPoints points() {
    StencilPoints X;
    for (int a = 0; a < 4; ++a) X.col(a) = vector();
    return X;
  }

  // Two pieces of size 1 at a distance of about d: a foot is chosen inside or a little outside of the pieces.
  StencilPoints near(StencilKind kind, double d) {
    StencilPoints X = points();
    const double a = uniform(-0.2, 1.2), b = uniform(-0.2, 1.2);
    if (kind == StencilKind::edge_edge) {
      const Eigen::Vector3d u = X.col(1) - X.col(0), v = X.col(3) - X.col(2);
      const Eigen::Vector3d shift = X.col(0) + a * u - X.col(2) - b * v + d * u.cross(v).normalized();
      X.col(2) += shift;
      X.col(3) += shift;
      return X;
    }
    const Eigen::Vector3d u = X.col(2) - X.col(1), v = X.col(3) - X.col(1);
    X.col(0) = X.col(1) + a * u + b * v + d * u.cross(v).normalized();
    return X;
  }
  // Two edges side by side at a distance of about d, parallel up to `angle`.
  StencilPoints parallel_edges(double d, double angle) {
    StencilPoints X = points();
    const Eigen::Vector3d u = X.col(1) - X.col(0);
    const double along = uniform(-1, 1);
    X.col(2) = X.col(0) + along * u + d * vector();
    const double sign = uniform(0, 1) < 0.5 ? 1 : -1, length = uniform(0.3, 1.3);
    X.col(3) = X.col(2) + sign * length * u + angle * vector();
    return X;
  }
  Eigen::Matrix3d rotation(double largest_angle) {
    const double angle = uniform(0, largest_angle);
    return Eigen::AngleAxisd(angle, vector().normalized()).toRotationMatrix();
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace phiflex

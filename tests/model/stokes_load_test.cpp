#include "phiflex/model/stokes_load.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <numeric>

#include "phiflex/model/motor_load.h"

namespace phiflex {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

Vector stacked(const std::vector<Vector3d>& points) {
  Vector x(3 * Index(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) x.segment<3>(3 * Index(i)) = points[i];
  return x;
}

std::vector<int> first(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(Stokeslet, HasTheVelocityOfTheFormulaForOnePoint) {
  const StokesFluid fluid{2, 0.3};
  const Vector3d g(1, -2, 0.5), r(0.4, 0.1, -0.7);
  const double s = r.squaredNorm() + 0.09;
  const Vector3d u = ((r.squaredNorm() + 2 * 0.09) * g + g.dot(r) * r) / (8 * pi * 2 * std::pow(s, 1.5));
  EXPECT_LT((stokeslet_velocity(fluid, r, g) - u).norm(), 1e-16);
  EXPECT_LT((stokeslet_velocity(fluid, Vector3d::Zero(), g) - g / (4 * pi * 2 * 0.3)).norm(), 1e-16);
}

TEST(Stokeslet, FarAwayIsTheSingularOne) {
  const StokesFluid fluid{1, 1e-3};
  const Vector3d g(0, 0, 1), r(3, 0, 4);  // |r| = 5
  const Vector3d singular = (g / 5 + g.dot(r) * r / 125) / (8 * pi);
  // Relative difference of the order (e/r)^2 = 4e-8.
  EXPECT_LT((stokeslet_velocity(fluid, r, g) - singular).norm(), 1e-7 * singular.norm());
}

TEST(Stokeslet, TheFlowHasNoSources) {
  const StokesFluid fluid{1, 0.2};
  const Vector3d g(1, 2, 3), x(0.3, -0.2, 0.25);
  constexpr double step = 1e-5;
  double divergence = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    const Vector3d e = step * Vector3d::Unit(i);
    const Vector3d slope =
        (stokeslet_velocity(fluid, x + e, g) - stokeslet_velocity(fluid, x - e, g)) / (2 * step);
    divergence += slope[i];
    size += slope.norm();
  }
  EXPECT_LT(std::abs(divergence), 1e-8 * size);  // differences: step^2 times third derivatives
}

// Points spread evenly over a sphere by the golden angle.
std::vector<Vector3d> sphere(int count, double radius) {
  std::vector<Vector3d> points;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.) / count, around = pi * (3 - std::sqrt(5.)) * i,
                 r = std::sqrt(1 - z * z);
    points.push_back(radius * Vector3d(r * std::cos(around), r * std::sin(around), z));
  }
  return points;
}

TEST(StokesLoad, TheDragOnASphereOfStokesletsIsStokesLaw) {
  constexpr double mu = 1.7, R = 0.5, U = 0.3;
  for (const int count : {100, 300}) {
    // Blobs about as wide as the points are apart.
    const double apart = std::sqrt(4 * pi * R * R / count);
    const StokesLoad load(first(std::size_t(count)), {mu, 0.4 * apart});
    const Vector x = stacked(sphere(count, R));
    Vector v = Vector::Zero(x.size()), f = v;
    for (Index i = 0; i < x.size(); i += 3) v[i] = U;
    load.add_force({0, x, v}, f);
    Vector3d total = Vector3d::Zero();
    for (Index i = 0; i < x.size(); i += 3) total += f.segment<3>(i);
    const double law = 6 * pi * mu * R * U;
    EXPECT_NEAR(-total[0], law, 0.05 * law) << count << " Stokeslets";
    EXPECT_LT(std::hypot(total[1], total[2]), 0.01 * law);
  }
}

TEST(StokesLoad, TakesEnergyAndItsMatrixIsTheDerivative) {
  const StokesLoad load({0, 1, 2, 3}, {1, 0.1});
  const Vector x = stacked({{0, 0, 0}, {0.2, 0, 0.1}, {0.3, 0.3, 0}, {-0.1, 0.4, 0.2}});
  Vector v = x.reverse(), f = Vector::Zero(12);
  load.add_force({0, x, v}, f);
  EXPECT_LT(v.dot(f), 0);
  Eigen::MatrixXd inverse;
  load.resistance(x, inverse);
  EXPECT_LT((f + inverse * v).norm(), 1e-13 * f.norm());
  EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-13 * inverse.norm());

  FreeVertices free{{-1, 0, 1, 2}, {1, 2, 3}};
  std::vector<Coupling> couplings, rows;
  load.add_couplings(couplings);
  for (const auto& [a, b] : couplings)
    if (free.row_of_vertex[a] >= 0 && free.row_of_vertex[b] >= 0)
      rows.push_back({free.row_of_vertex[a], free.row_of_vertex[b]});
  SparseMatrix D(std::make_shared<const SparsityPattern>(3, 3, rows));
  load.make_drag_assembler(free, D.pattern())->add_drag({0, x, v}, D);
  EXPECT_LT((Matrix(D.to_eigen()) - inverse.bottomRightCorner(9, 9)).norm(), 1e-14 * inverse.norm());
}

TEST(Motor, HasNoResultantForceAndItsTorquesCancel) {
  const Vector x =
      stacked({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0.2}, {-1, 0.2, 0}, {2, 0, 2}, {0, 2, 3}, {-2, 1, 2}});
  const MotorLoad motor({{0, 1}, {2, 3, 4}, {5, 6, 7}}, 0.7, {});
  Vector f = Vector::Zero(x.size());
  motor.add_force({0, x, x}, f);
  Vector3d force = Vector3d::Zero(), torque = force, on_rotor = force;
  for (Index i = 0; i < 8; ++i) {
    const Vector3d fi = f.segment<3>(3 * i), xi = x.segment<3>(3 * i);
    force += fi;
    torque += xi.cross(fi);
    if (i >= 2 && i < 5) on_rotor += xi.cross(fi);
  }
  EXPECT_LT(force.norm(), 1e-15);
  EXPECT_LT(torque.norm(), 1e-14);
  EXPECT_LT((on_rotor - Vector3d(0, 0, 0.7)).norm(), 1e-14);
}

}  // namespace
}  // namespace phiflex

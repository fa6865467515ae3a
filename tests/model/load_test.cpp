// Loads on chosen vertices and wind, against closed forms.
#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

#include "phiflex/model/nodal_load.h"
#include "phiflex/model/wind_load.h"

namespace phiflex {
namespace {

constexpr double kRounding = 1e-14;

Eigen::Vector3d total(const Vector& f) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (Index i = 0; i < f.size(); i += 3) sum += f.segment<3>(i);
  return sum;
}

Vector force(const Load& load, double t, const Vector& x, const Vector& v) {
  Vector f = Vector::Zero(x.size());
  load.add_force({t, x, v}, f);
  return f;
}

TEST(NodalLoad, SharesATotalForceInProportionToTheWeights) {
  const std::vector<int> vertices = {0, 2};
  const std::vector<double> masses = {1, 3};
  const auto load = make_shared_load(vertices, masses, {0, 8, 0}, {});
  const Vector zero = Vector::Zero(9);
  const Vector f = force(*load, 0, zero, zero);
  EXPECT_EQ(f[1], 2);
  EXPECT_EQ(f[4], 0);
  EXPECT_EQ(f[7], 6);
  EXPECT_EQ(total(f), Eigen::Vector3d(0, 8, 0));
}

TEST(NodalLoad, ActsOnlyDuringItsActiveTime) {
  const std::vector<int> vertices = {0};
  const std::vector<double> weights = {2};
  const auto load = make_proportional_load(vertices, weights, {1, 0, 0}, {1, 2});
  const Vector zero = Vector::Zero(3);
  EXPECT_EQ(force(*load, 0.9, zero, zero)[0], 0);
  EXPECT_EQ(force(*load, 1, zero, zero)[0], 2);
  EXPECT_EQ(force(*load, 2, zero, zero)[0], 0);
}

TEST(NodalLoad, FollowsItsProfileAndItsGust) {
  const std::vector<int> vertices = {0};
  const std::vector<double> weights = {2};
  const Modulation strength{0.5, 0.25, {{1, 0}, {3, 4}}};
  const auto load = make_proportional_load(vertices, weights, {1, 0, 0}, {}, strength);
  const Vector zero = Vector::Zero(3);
  EXPECT_EQ(force(*load, 0.5, zero, zero)[0], 0);
  EXPECT_NEAR(force(*load, 2, zero, zero)[0], 2 * 2, 1e-14);              // sin(pi) = 0
  EXPECT_NEAR(force(*load, 3, zero, zero)[0], 2 * 4 * (1 - 0.5), 1e-14);  // sin(3 pi / 2) = -1
  for (const double t : {1.3, 2.2, 5.0}) {
    const double d = 1e-6;
    const double slope = (force(*load, t + d, zero, zero)[0] - force(*load, t - d, zero, zero)[0]) / (2 * d);
    Vector g = Vector::Zero(3);
    load->add_force_rate({t, zero, zero}, g);
    EXPECT_NEAR(g[0], slope, 1e-7);
  }
}

TEST(NodalLoad, RefusesWeightsThatDoNotFit) {
  const std::vector<int> vertices = {0, 1};
  const std::vector<double> one = {1}, nothing = {0, 0};
  EXPECT_THROW(make_proportional_load(vertices, one, {1, 0, 0}, {}), std::invalid_argument);
  EXPECT_THROW(make_shared_load(vertices, nothing, {1, 0, 0}, {}), std::invalid_argument);
}

// A unit square in the plane x = 0, made of two triangles.
struct Plate {
  Vector x = (Vector(12) << 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1).finished();
  Vector v = Vector::Zero(12);
  std::vector<std::array<int, 3>> triangles = {{0, 1, 2}, {0, 2, 3}};
  void move(const Eigen::Vector3d& velocity) {
    for (Index i = 0; i < 12; i += 3) v.segment<3>(i) = velocity;
  }
};

TEST(WindLoad, PushesAPlateWithHalfRhoCATimesTheSquareOfTheRelativeSpeed) {
  Plate plate;
  plate.move({1, 0, 0});
  const WindLoad load(plate.triangles, {{4, 0, 0}, 0, 0, 1.2, 1.5}, {});
  // 1/2 * 1.2 * 1.5 * 1 m^2 * (4 - 1)^2
  EXPECT_NEAR((total(force(load, 0, plate.x, plate.v)) - Eigen::Vector3d(8.1, 0, 0)).norm(), 0,
              kRounding * 8.1);
}

TEST(WindLoad, PushesAlongTheNormalOnly) {
  Plate plate;
  const WindLoad load(plate.triangles, {{3, 4, 5}, 0, 0, 2, 1}, {});
  EXPECT_NEAR((total(force(load, 0, plate.x, plate.v)) - Eigen::Vector3d(9, 0, 0)).norm(), 0, kRounding * 9);
}

TEST(WindLoad, BrakesAPlateThatMovesThroughStillAir) {
  Plate plate;
  plate.move({2, 0, 0});
  const WindLoad load(plate.triangles, {{0, 0, 0}, 0, 0, 1, 1}, {});
  EXPECT_NEAR(total(force(load, 0, plate.x, plate.v))[0], -2, kRounding);
}

TEST(WindLoad, DoesNotCareWhichSideOfATriangleIsOutside) {
  Plate plate;
  const Wind wind{{1, 2, 3}, 0, 0, 1, 1};
  std::vector<std::array<int, 3>> turned = plate.triangles;
  for (auto& triangle : turned) std::swap(triangle[0], triangle[1]);
  const Vector a = force(WindLoad(plate.triangles, wind, {}), 0, plate.x, plate.v);
  const Vector b = force(WindLoad(turned, wind, {}), 0, plate.x, plate.v);
  EXPECT_LE((a - b).norm(), kRounding * a.norm());
}

TEST(WindLoad, BlowsInGusts) {
  Plate plate;
  // At a quarter of the gust's period the wind is 1 + 1/2 of its mean: 2.25 times the force.
  const WindLoad load(plate.triangles, {{2, 0, 0}, 0.5, 0.5, 1, 1}, {});
  EXPECT_NEAR(total(force(load, 0, plate.x, plate.v))[0], 2, kRounding * 2);
  EXPECT_NEAR(total(force(load, 0.5, plate.x, plate.v))[0], 4.5, kRounding * 4.5);
  EXPECT_NEAR(total(force(load, 1.5, plate.x, plate.v))[0], 0.5, kRounding * 4.5);
}

TEST(WindLoad, LeavesATriangleWithoutAreaAlone) {
  Plate plate;
  plate.x.setZero();
  const WindLoad load(plate.triangles, {{2, 0, 0}, 0, 0, 1, 1}, {});
  EXPECT_EQ(force(load, 0, plate.x, plate.v).norm(), 0);
}

TEST(WindLoad, ActsOnlyDuringItsActiveTime) {
  Plate plate;
  const WindLoad load(plate.triangles, {{2, 0, 0}, 0, 0, 1, 1}, {1, 2});
  EXPECT_EQ(force(load, 0.5, plate.x, plate.v).norm(), 0);
  EXPECT_GT(force(load, 1.5, plate.x, plate.v).norm(), 0);
  EXPECT_EQ(force(load, 2, plate.x, plate.v).norm(), 0);
}

}  // namespace
}  // namespace phiflex

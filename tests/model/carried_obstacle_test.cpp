// An obstacle on its way: force, stiffness, rate and power are derivatives of one energy W(t, x).
#include "phiflex/model/carried_obstacle.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/held_memory.h"

namespace phiflex {
namespace {

constexpr double kPi = std::numbers::pi;

struct Case {
  const char* name;
  std::shared_ptr<const SolidShape> shape;
};

std::vector<Case> cases() {
  const Eigen::Matrix3d turned =
      Eigen::AngleAxisd(0.4, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  return {
      {"plane", std::make_shared<PlaneSolid>(Eigen::Vector3d(0, 0.3, 0), Eigen::Vector3d(0.2, 1, -0.3))},
      {"sphere", std::make_shared<SphereSolid>(Eigen::Vector3d(0.1, 0, 0.2), 1.3)},
      {"capsule", std::make_shared<CapsuleSolid>(Eigen::Vector3d(-1, 0, 0), Eigen::Vector3d(1, 0.2, 0), 1.1)},
      {"box",
       std::make_shared<CuboidShape>(Eigen::Vector3d(0, 0.1, 0), Eigen::Vector3d(2, 1.5, 2.2), turned)}};
}

// Shifts and turns, smoothly, about a pivot.
Path path() {
  return Path({{0, Eigen::Vector3d::Zero(), Eigen::Vector3d(1, 1, 0), 0},
               {2, Eigen::Vector3d(0.3, -0.2, 0.1), Eigen::Vector3d(1, 1, 0), kPi / 3}},
              PathForm::smooth, Eigen::Vector3d(0.2, 0.1, -0.1));
}

// Inside, at the rim and outside of each shape; the last meets nothing.
const Vector kPlaces = [] {
  Vector x(12);
  x << 0.45, 0.11, 0.3, -0.2, 0.4, 0.55, 0.1, 0.35, -0.2, 8, 9, 10;
  return x;
}();

CarriedObstacle carried(const Case& c) {
  return {std::make_shared<ObstacleTerm>(c.shape, std::vector<int>{0, 1, 2, 3}, 0.05, 700.0), path()};
}

constexpr double kTime = 0.7,
                 kStep = 1e-6;  // central differences: 1e-12 of curvature, 1e-16/1e-6 of rounding

TEST(CarriedObstacle, ForceIsMinusTheGradientOfItsEnergyAndStiffnessMinusThatOfTheForce) {
  for (const Case& c : cases()) {
    const CarriedObstacle obstacle = carried(c);
    Vector f = Vector::Zero(12);
    obstacle.add_force(kTime, kPlaces, f);
    EXPECT_GT(f.head<9>().norm(), 1) << c.name << " touches nothing";
    for (Index i = 0; i < 12; ++i) {
      Vector low = kPlaces, high = kPlaces;
      low[i] -= kStep, high[i] += kStep;
      EXPECT_NEAR(f[i], (obstacle.energy(kTime, low) - obstacle.energy(kTime, high)) / (2 * kStep), 1e-4)
          << c.name << " " << i;
      Vector f_low = Vector::Zero(12), f_high = Vector::Zero(12), y = Vector::Zero(12);
      obstacle.add_force(kTime, low, f_low);
      obstacle.add_force(kTime, high, f_high);
      obstacle.add_stiffness_product(kTime, kPlaces, Vector::Unit(12, i), y);
      EXPECT_LT((y - (f_low - f_high) / (2 * kStep)).norm(), 1e-4) << c.name << " " << i;
    }
  }
}

TEST(CarriedObstacle, RateAndPowerAreTheDerivativesWithTimeAtFixedPlaces) {
  for (const Case& c : cases()) {
    const CarriedObstacle obstacle = carried(c);
    Vector low = Vector::Zero(12), high = Vector::Zero(12), g = Vector::Zero(12);
    obstacle.add_force(kTime - kStep, kPlaces, low);
    obstacle.add_force(kTime + kStep, kPlaces, high);
    obstacle.add_force_rate(kTime, kPlaces, g);
    EXPECT_GT(g.norm(), 1) << c.name;
    EXPECT_LT((g - (high - low) / (2 * kStep)).norm(), 1e-4) << c.name;
    const double power = obstacle.power(kTime, kPlaces, Side::after);
    EXPECT_GT(std::abs(power), 0.1) << c.name;
    EXPECT_NEAR(
        power,
        (obstacle.energy(kTime + kStep, kPlaces) - obstacle.energy(kTime - kStep, kPlaces)) / (2 * kStep),
        1e-4)
        << c.name;
  }
}

TEST(CarriedObstacle, ItsMoverSpendsForceTimesPathWhenItIsShifted) {
  const SphereSolid sphere({0, 0, 0}, 1);
  const Eigen::Vector3d way(0.1, 0.2, -0.05);
  const CarriedObstacle obstacle(
      std::make_shared<ObstacleTerm>(std::make_shared<SphereSolid>(sphere), std::vector<int>{0}, 0.0, 500.0),
      Path({{0, Eigen::Vector3d::Zero()}, {1, way}}));
  const SparsityPattern pattern(3, 1, {});
  CarriedTwoState step(obstacle, {{0}, {0}}, pattern);
  Vector x(3), dx(3), f = Vector::Zero(3);
  x << 0.8, 0.3, 0.2;
  dx << 0.1, -0.1, 0.2;
  step.begin(0, 0.5, x);
  step.add_force(dx, f);
  EXPECT_GT(f.norm(), 1);
  EXPECT_NEAR(step.work(dx), f.dot(0.5 * way), 1e-12 * f.norm());
}

TEST(CarriedObstacle, OfABarrierBooksTheWorkOfItsMoverFrictionAndDialExactly) {
  const std::vector<double> weights(4, 3.0), lowered(4, 0.0);
  const CarriedObstacle obstacle(
      std::make_shared<ObstacleTerm>(
          std::make_shared<PlaneSolid>(Eigen::Vector3d(0, -0.05, 0), Eigen::Vector3d(0, 1, 0)),
          std::vector<int>{0, 1, 2, 3},
          ObstacleLaw{.kind = ObstacleLaw::Kind::barrier,
                      .reach = 0.2,
                      .rest = {.gamma = 0.5},
                      .friction = {0.3, 1e-3}},
          weights, lowered),
      Path({{0, Eigen::Vector3d::Zero()}, {1, Eigen::Vector3d(0.1, 0.2, -0.05)}}));
  const SparsityPattern pattern(3, 4, {});
  CarriedTwoState step(obstacle, {{0, 1, 2, 3}, {0, 1, 2, 3}}, pattern);
  Vector x(12), dx(12), f = Vector::Zero(12);
  x << 0, 0.1, 0, 1, 0.12, 0, 0, 0.3, 1, 5, 9, 5;
  dx << 0.02, 0.01, 0, 0.03, 0.06, 0.01, 0, -0.1, 0, 0, -1, 0;
  step.begin(0.1, 0.1, x);
  step.add_force(dx, f);
  EXPECT_GT(f.norm(), 1);
  const double change = obstacle.energy(0.2, x + dx) - obstacle.energy(0.1, x);
  EXPECT_GT(step.friction(dx), 0);
  EXPECT_GT(step.dissipated(dx), 0);
  EXPECT_NEAR(f.dot(dx), step.work(dx) - change - step.friction(dx) - step.dissipated(dx), 1e-13 * f.norm());
  // Shifted, not turned: the mover's work is the force times its path.
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int v = 0; v < 4; ++v) sum += f.segment<3>(3 * v);
  EXPECT_NEAR(step.work(dx), sum.dot(Eigen::Vector3d(0.01, 0.02, -0.005)), 1e-12 * f.norm());
  EXPECT_LT(obstacle.free_way(0.1, x, 0.2, -5 * Vector::Ones(12)), 1);
  EXPECT_EQ(obstacle.free_way(0.1, x, 0.2, Vector::Ones(12)), 1);
}

// A scene of n bodies has n of them for each obstacle that moves.
TEST(CarriedObstacle, OfABodyKeepsAsMuchInALargeSceneAsAlone) {
  PHIFLEX_SKIP_WITHOUT_HELD_BYTES();
  const auto kept_in = [](Index vertices) {
    const CarriedObstacle obstacle = carried(cases()[0]);
    FreeVertices free;
    for (int v = 0; v < int(vertices); ++v) {
      free.row_of_vertex.push_back(v);
      free.vertex_of_row.push_back(v);
    }
    const SparsityPattern pattern(3, int(vertices), {});
    Vector x = Vector::Zero(3 * vertices), f = x;
    x.head<12>() = kPlaces;
    const Vector dx = Vector::Constant(x.size(), 0.01);
    const long bytes = testing::held_bytes_of([&] {
      auto two = std::make_unique<CarriedTwoState>(obstacle, free, pattern);
      two->begin(kTime, 0.01, x);
      two->add_force(dx, f);
      return two;
    });
    EXPECT_GT(f.norm(), 0);
    return bytes;
  };
  EXPECT_LT(kept_in(20000), 10000);  // 20,000 vertices have 480,000 bytes of coordinates
  EXPECT_GE(testing::held_bytes_of([] { return std::vector<double>(60000); }), 480000) << "they are counted";
}

}  // namespace
}  // namespace phiflex

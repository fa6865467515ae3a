// Loads on chosen vertices, wind, muscles and chambers, against closed forms.
#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

#include "phiflex/model/chamber_load.h"
#include "phiflex/model/muscle_load.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/model/wind_load.h"
#include "tests/model/sample_models.h"

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

// A bar with fibres of one direction in all elements.
struct MuscleBar {
  explicit MuscleBar(ElementOrder order, Modulation activation = {}) {
    const int bar = builder.add_solid({.name = "bar",
                                       .mesh = generate_box({{0.6, 0.2, 0.1}, {3, 2, 1}}),
                                       .material = {"neo-hookean", {{"young", 1e5}, {"poisson", 0.3}}, 1000},
                                       .order = order});
    std::vector<int> all(std::size_t(builder.body(bar).element_count()));
    std::iota(all.begin(), all.end(), 0);
    builder.add_muscle(bar, all, {{3, 0, 0}}, stress, {}, std::move(activation));
    description = builder.build().description(0);
  }
  const Load& load() const { return *description.loads.front(); }
  // (1) of muscle_load.h but for a constant: the force is linear, f = -a dU/dx.
  double energy(const Vector& x) const { return -0.5 * x.dot(force(load(), 0, x, x)); }

  static constexpr double stress = 4e4;
  ModelBuilder builder;
  ModelDescription description;
};

TEST(MuscleLoad, AtRestPullsWithItsStressTimesTheSectionAndHasNoResultantOrTorque) {
  for (const ElementOrder order : {ElementOrder::linear, ElementOrder::quadratic}) {
    const MuscleBar bar(order);
    const Vector& x = bar.description.rest;
    const Vector f = force(bar.load(), 0, x, x);
    Eigen::Vector3d end = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
    for (Index i = 0; i < x.size(); i += 3) {
      if (x[i] < 1e-9) end += f.segment<3>(i);
      torque += Eigen::Vector3d(x.segment<3>(i)).cross(Eigen::Vector3d(f.segment<3>(i)));
    }
    const double pull = MuscleBar::stress * 0.2 * 0.1;
    EXPECT_LT((end - Eigen::Vector3d(pull, 0, 0)).norm(), 1e-12 * pull);
    EXPECT_LT(total(f).norm(), 1e-12 * pull);
    EXPECT_LT(torque.norm(), 1e-12 * pull);
  }
}

// x = G X has |F n| = |G e_x| everywhere.
TEST(MuscleLoad, ItsEnergyIsHalfItsStressTimesTheSquaredStretch) {
  Eigen::Matrix3d G;
  G << 1.2, 0.1, 0, -0.3, 0.9, 0.2, 0.4, 0, 1.1;
  for (const ElementOrder order : {ElementOrder::linear, ElementOrder::quadratic}) {
    const MuscleBar bar(order);
    Vector x = bar.description.rest;
    for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = (G * x.segment<3>(i)).eval();
    const double expected = 0.5 * MuscleBar::stress * 0.6 * 0.2 * 0.1 * G.col(0).squaredNorm();
    EXPECT_NEAR(bar.energy(x), expected, 1e-12 * expected);
  }
}

TEST(MuscleLoad, ItsWorkInAStepIsTheChangeOfItsEnergyTimesTheActivationInTheMiddle) {
  const MuscleBar bar(ElementOrder::quadratic);
  const MuscleBar rising(ElementOrder::quadratic, {0, 0, {{1, 0.2}, {2, 1}}});
  const DeformableModel model(bar.description);
  Vector x, next, v;
  model.expand(sample::lively_state(model, 0, 1), x, v);
  model.expand(sample::lively_state(model, 0, -2), next, v);
  const Vector middle = 0.5 * (x + next);
  const double work = (next - x).dot(force(rising.load(), 1.5, middle, v));
  const double expected = -0.6 * (bar.energy(next) - bar.energy(x));
  EXPECT_NEAR(work, expected, 1e-12 * std::abs(bar.energy(x)));
  EXPECT_GT(std::abs(expected), 1e-3 * std::abs(bar.energy(x)));
}

struct Hollow {
  Hollow() {
    const int cube =
        builder.add_solid({.name = "cube",
                           .mesh = sample::hollow_cube(0.3),
                           .material = {"neo-hookean", {{"young", 1e5}, {"poisson", 0.3}}, 1000}});
    builder.add_chamber(cube, {}, 700);
    const Assembly assembly = builder.build();
    chamber = assembly.chambers().front();
    rest = assembly.rest();
  }
  ModelBuilder builder;
  std::shared_ptr<const ChamberLoad> chamber;
  Vector rest;
};

TEST(ChamberLoad, HasTheVolumeOfItsHollowWhereverTheBodyIs) {
  const Hollow hollow;
  EXPECT_EQ(hollow.chamber->wall().size(), 12u);
  EXPECT_NEAR(hollow.chamber->volume(hollow.rest), 1e-3, 1e-15);
  Vector far = hollow.rest;
  for (Index i = 0; i < far.size(); i += 3) far.segment<3>(i) += Eigen::Vector3d(100, -200, 50);
  EXPECT_NEAR(hollow.chamber->volume(far), 1e-3, 1e-14);
}

TEST(ChamberLoad, ItsForceIsThePressureTimesTheGradientOfTheVolume) {
  const Hollow hollow;
  Vector x = hollow.rest, d(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    x[i] += 0.02 * std::sin(3.7 * double(i));
    d[i] = std::cos(1.3 * double(i));
  }
  const double e = 1e-6;
  const double slope = (hollow.chamber->volume(x + e * d) - hollow.chamber->volume(x - e * d)) / (2 * e);
  const Vector f = force(*hollow.chamber, 0, x, x);
  // A cubic polynomial: the difference is exact to e^2 and rounding / e.
  EXPECT_NEAR(f.dot(d), 700 * slope, 1e-8 * f.norm() * d.norm());
  EXPECT_LT(total(f).norm(), 1e-13 * f.lpNorm<1>());
}

TEST(ChamberLoad, RefusesWhatIsNoClosedInnerSurface) {
  const auto refusal = [](TetMesh mesh, const std::vector<int>& vertices) -> std::string {
    ModelBuilder builder;
    const int body =
        builder.add_solid({.name = "cube",
                           .mesh = std::move(mesh),
                           .material = {"neo-hookean", {{"young", 1e5}, {"poisson", 0.3}}, 1000}});
    builder.add_chamber(body, vertices, 100);
    try {
      builder.build();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  std::vector<int> all(64), half;
  std::iota(all.begin(), all.end(), 0);
  const TetMesh mesh = sample::hollow_cube(0.3);
  for (const int v : all)
    if (mesh.vertices[std::size_t(v)][0] < 0.15) half.push_back(v);
  EXPECT_NE(refusal(generate_box({{1, 1, 1}, {2, 2, 2}}), {}).find("has no hollow"), std::string::npos);
  EXPECT_NE(refusal(mesh, half).find("is not closed"), std::string::npos);
  EXPECT_NE(refusal(mesh, all).find("holds an outer surface"), std::string::npos);
  EXPECT_EQ(refusal(mesh, {}), "accepted");
}

}  // namespace
}  // namespace phiflex

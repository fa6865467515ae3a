// Vertices that follow rigid frames and recorded motions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

TEST(Path, TurnsAboutItsPivotAtConstantSpeed) {
  const Path path({{0, {0, 0, 0}, {0, 0, 1}, 0}, {2, {0, 0, 4}, {0, 0, 1}, pi}}, PathForm::linear, {1, 0, 0});
  EXPECT_LT((path.pose(1).place({2, 0, 0}) - Vector3d(1, 1, 2)).norm(), 1e-15);
  EXPECT_LT((path.pose(2).place({2, 0, 0}) - Vector3d(0, 0, 4)).norm(), 1e-15);
  const Path::Twist twist = path.twist(1);
  EXPECT_LT((twist.angular - Vector3d(0, 0, pi / 2)).norm(), 1e-15);
  EXPECT_LT((twist.at({1, 1, 2}) - Vector3d(-pi / 2, 0, 2)).norm(), 1e-15);
  EXPECT_LT((path.pose(1).start_of({1, 1, 2}) - Vector3d(2, 0, 0)).norm(), 1e-15);
}

TEST(Path, BetweenKeysOfOneAxisMayTurnManyTimesAndElseTakesTheShorterWay) {
  const Path motor({{0, {0, 0, 0}, {0, 1, 0}, 0}, {1, {0, 0, 0}, {0, 1, 0}, 20 * pi}});
  EXPECT_NEAR(motor.twist(0.5).angular[1], 20 * pi, 1e-12);
  const Path tumbling({{0, {0, 0, 0}, {1, 0, 0}, pi / 2}, {1, {0, 0, 0}, {0, 1, 0}, pi / 2}});
  EXPECT_LE(tumbling.twist(0.5).angular.norm(), pi);
  EXPECT_LT(
      (tumbling.pose(1 - 1e-12).R - Eigen::AngleAxisd(pi / 2, Vector3d::UnitY()).toRotationMatrix()).norm(),
      1e-11);
}

TEST(Path, ItsVelocityIsTheDerivativeOfItsPlaceLinearOrSmooth) {
  const std::vector<PathKnot> knots = {
      {0, {0, 0, 0}, {1, 2, 0}, 0.3}, {1, {0.3, 0.1, 0}, {0, 1, 1}, -1.2}, {2.5, {0, 0.5, 1}, {1, 0, 0}, 2}};
  for (const PathForm form : {PathForm::linear, PathForm::smooth}) {
    const Path path(knots, form, {0.2, -0.1, 0.4});
    for (const double t : {0.2, 0.9, 1.3, 2.2}) {
      const Vector3d X(1, 0.5, -0.3);
      constexpr double step = 1e-5;
      const Vector3d slope = (path.pose(t + step).place(X) - path.pose(t - step).place(X)) / (2 * step);
      EXPECT_LT((path.twist(t).at(path.pose(t).place(X)) - slope).norm(), 1e-8);
    }
  }
  const Path smooth(knots, PathForm::smooth);
  EXPECT_LT(smooth.twist(1).velocity.norm() + smooth.twist(1, Side::before).angular.norm(), 1e-14)
      << "at rest at its keys";
}

TEST(Frame, ARigidlyMovedClampLeavesAStraightBodyUnstrained) {
  ModelDescription description = sample::describe({{}}, {{}});
  const auto all = [](const Vector3d&) { return true; };
  sample::hold(description, all,
               Path({{0, {0, 0, 0}}, {1, {0.3, 1, -2}, {1, 1, 0}, 2.1}}, PathForm::smooth, {0.1, 0, 0}));
  const DeformableModel model(std::move(description));
  for (const double t : {0.3, 0.8, 1.0}) {
    const State at{t, Vector(0), Vector(0)};
    Vector x, v;
    model.expand(at, x, v);
    EXPECT_GT((x - model.description().rest).norm(), 0.1);
    // The law's terms, each of the order of Young's modulus, cancel: their rounding, 1e-15 of 1e4 Pa, on 3e-3 m^3. A
    // strain of a percent has 1e-3 J.
    EXPECT_LT(std::abs(model.energies(at).elastic), 3e-14);
  }
}

TEST(Frame, ItsVelocityEntersTheForceRate) {
  ModelDescription description = sample::describe({{}});
  sample::hold(
      description, [](const Vector3d& p) { return p[0] < 1e-6; },
      Path({{0, {0, 0, 0}}, {1, {0.1, 0, 0}, {1, 0, 0}, 0.8}}, PathForm::smooth, {0, 0.05, 0.05}));
  const DeformableModel model(std::move(description));
  State at = sample::lively_state(model, 0.4);
  Vector x, v, g(model.dofs()), up(model.dofs()), down(model.dofs());
  model.expand(at, x, v);
  model.force_rate({at.t, x, v}, g);
  constexpr double step = 1e-6;
  at.t = 0.4 + step;
  model.force(at, up);
  at.t = 0.4 - step;
  model.force(at, down);
  EXPECT_LT(((up - down) / (2 * step) - g).norm(), 1e-7 * g.norm());
}

TEST(RecordedMotion, IsLinearBetweenItsTimes) {
  const RecordedMotion record({0, 1, 3}, {Vector::Zero(6), Vector::Ones(6), 3 * Vector::Ones(6)});
  EXPECT_EQ(record.position(1, 0.5), Vector3d(0.5, 0.5, 0.5));
  EXPECT_EQ(record.velocity(1, 1), Vector3d(1, 1, 1));
  EXPECT_EQ(record.velocity(0, 0.5), Vector3d(1, 1, 1));
  EXPECT_EQ(record.position(0, 9), Vector3d(3, 3, 3));
  EXPECT_EQ(record.velocity(0, 3), Vector3d(0, 0, 0));
  EXPECT_EQ(record.velocity(0, 3, Side::before), Vector3d(1, 1, 1));
}

TEST(RecordedMotion, TakesItsVerticesWhereItSays) {
  ModelDescription description = sample::describe({{}});
  VertexConstraint hold{{5, 2}, {}};
  Vector start(6), end(6);
  start << 1, 2, 3, 4, 5, 6;
  end << 2, 2, 3, 4, 7, 6;
  hold.record = std::make_shared<RecordedMotion>(std::vector<double>{0, 2}, std::vector<Vector>{start, end});
  description.constraints.push_back(hold);
  const DeformableModel model(std::move(description));
  const State at{1, Vector::Zero(model.dofs()), Vector::Zero(model.dofs())};
  Vector x, v;
  model.expand(at, x, v);
  EXPECT_EQ(Vector3d(x.segment<3>(15)), Vector3d(1.5, 2, 3));
  EXPECT_EQ(Vector3d(x.segment<3>(6)), Vector3d(4, 6, 6));
  EXPECT_EQ(Vector3d(v.segment<3>(6)), Vector3d(0, 1, 0));
}

}  // namespace
}  // namespace phiflex

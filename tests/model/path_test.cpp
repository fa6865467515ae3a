#include "phiflex/model/path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "phiflex/model/modulation.h"

namespace phiflex {
namespace {

const Path kPath({{1, {0, 0, 0}}, {2, {4, 0, 0}}, {4, {4, 2, 0}}});

TEST(Path, IsLinearBetweenKnotsAndHeldOutside) {
  EXPECT_EQ(kPath.offset(0), Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(kPath.offset(1.25), Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(kPath.offset(2), Eigen::Vector3d(4, 0, 0));
  EXPECT_EQ(kPath.offset(3), Eigen::Vector3d(4, 1, 0));
  EXPECT_EQ(kPath.offset(4), Eigen::Vector3d(4, 2, 0));
  EXPECT_EQ(kPath.offset(9), Eigen::Vector3d(4, 2, 0));
}

TEST(Path, HasTwoVelocitiesAtAKnot) {
  EXPECT_EQ(kPath.velocity(0.5), Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(kPath.velocity(1, Side::before), Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(kPath.velocity(1), Eigen::Vector3d(4, 0, 0));
  EXPECT_EQ(kPath.velocity(2, Side::before), Eigen::Vector3d(4, 0, 0));
  EXPECT_EQ(kPath.velocity(2), Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(kPath.velocity(4, Side::before), Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(kPath.velocity(4), Eigen::Vector3d(0, 0, 0));
}

TEST(Path, TakesATimeThatIsOffByRoundingForTheKnot) {
  for (double t : {2 - 1e-14, 2 + 1e-14}) {
    EXPECT_EQ(kPath.velocity(t, Side::before), Eigen::Vector3d(4, 0, 0));
    EXPECT_EQ(kPath.velocity(t), Eigen::Vector3d(0, 1, 0));
  }
}

TEST(Path, WithoutKnotsStaysWhereItIs) {
  EXPECT_FALSE(Path().moves());
  EXPECT_EQ(Path().offset(3), Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(Path().velocity(3), Eigen::Vector3d(0, 0, 0));
}

TEST(Path, MovesOnlyWhenItsOffsetsDiffer) {
  EXPECT_TRUE(kPath.moves());
  EXPECT_FALSE(Path({{0, {1, 2, 3}}, {1, {1, 2, 3}}}).moves());
}

TEST(Path, RefusesTimesThatDoNotAscend) {
  EXPECT_THROW(Path({{1, {0, 0, 0}}, {1, {1, 0, 0}}}), std::invalid_argument);
}

// A shift and a turn that swing beside each other, over keys that move as well.
Path swinging() {
  return Path({{0, {0, 0, 0}, {0, 0, 1}, 0}, {2, {1, 0, 0}, {0, 0, 1}, 0.5}}, PathForm::linear, {0.1, 0.2, 0},
              {{{0, 0.3, 0}, {0, 0, 0}, 0.7, 0, 0.25, 1.75}, {{0, 0, 0}, {0, 0.6, 0}, 0.5, 0.4}});
}

TEST(Path, SwingsByASineFromItsStartAndStaysWhereItEnds) {
  const Path path({}, PathForm::linear, Eigen::Vector3d::Zero(), {{{2, 0, 0}, {0, 0, 0}, 0.5, 0, 1, 2.5}});
  EXPECT_TRUE(path.moves());
  EXPECT_EQ(path.offset(0.5), Eigen::Vector3d(0, 0, 0));
  EXPECT_NEAR(path.offset(1.5)[0], 2, 1e-15);   // a quarter of a period
  EXPECT_NEAR(path.offset(2.5)[0], -2, 1e-14);  // three quarters
  EXPECT_NEAR(path.offset(7)[0], -2, 1e-14);
  const double speed = 2 * std::acos(-1.0);  // A 2 pi f
  EXPECT_EQ(path.velocity(1, Side::before)[0], 0);
  EXPECT_NEAR(path.velocity(1)[0], speed, 1e-14);
  EXPECT_EQ(path.velocity(2.5)[0], 0);
}

TEST(Path, ASwingWithAPhaseDoesNotJumpAtItsStart) {
  const Path path({}, PathForm::linear, Eigen::Vector3d::Zero(), {{{1, 0, 0}, {0, 0, 0}, 1, std::acos(0.0)}});
  EXPECT_EQ(path.offset(0)[0], 0);
  EXPECT_NEAR(path.offset(0.5)[0], -2, 1e-15);  // cos - 1
}

TEST(Path, SwingsTurnRigidlyAndTheirVelocityIsTheRateOfTheirPlaces) {
  const Path path = swinging();
  const Eigen::Vector3d X(0.7, -0.3, 0.4), Y(-0.2, 0.5, 0.9);
  for (const double t : {0.1, 0.6, 1.1, 1.9, 3.0}) {
    EXPECT_NEAR((path.pose(t).place(X) - path.pose(t).place(Y)).norm(), (X - Y).norm(), 1e-14);
    const double d = 1e-5;  // the central difference errs by d^2 and by rounding over d
    const Eigen::Vector3d rate = (path.pose(t + d).place(X) - path.pose(t - d).place(X)) / (2 * d);
    EXPECT_LT((rate - path.twist(t).at(path.pose(t).place(X))).norm(), 1e-8) << t;
  }
}

TEST(ActiveTime, IncludesItsStartAndExcludesItsEnd) {
  const ActiveTime active{0.1, 0.3};
  EXPECT_FALSE(active.covers(0.05));
  EXPECT_TRUE(active.covers(0.1));
  EXPECT_TRUE(active.covers(0.2));
  EXPECT_FALSE(active.covers(0.3));
  EXPECT_FALSE(active.covers(3 * 0.1));  // 0.30000000000000004
  EXPECT_FALSE(active.covers(0.3 - 1e-16));
  EXPECT_TRUE(ActiveTime{}.covers(1e9));
  EXPECT_TRUE(ActiveTime{}.covers(0));
}

}  // namespace
}  // namespace phiflex

#include "phiflex/model/path.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "phiflex/model/active_time.h"

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

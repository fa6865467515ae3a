#include "phiflex/base/dual.h"

#include <gtest/gtest.h>

namespace phiflex {
namespace {

constexpr double kRounding = 1e-15;  // a handful of operations on numbers near one

TEST(Dual, FollowsTheRulesOfDifferentiation) {
  const double x = 0.7;
  const Dual<> d(x, 1.0);
  EXPECT_NEAR((d * d * d).slope, 3 * x * x, kRounding);
  EXPECT_NEAR((1.0 / d).slope, -1 / (x * x), 2 * kRounding);
  EXPECT_NEAR((d / (d + 2.0)).slope, 2 / ((x + 2) * (x + 2)), kRounding);
  EXPECT_NEAR((3.0 - d).slope, -1, kRounding);
  EXPECT_NEAR(sqrt(d).slope, 0.5 / std::sqrt(x), kRounding);
  EXPECT_NEAR(log(d).slope, 1 / x, kRounding);
  EXPECT_NEAR(cbrt(d).slope, std::cbrt(x) / (3 * x), kRounding);
  EXPECT_NEAR(log(sqrt(d * d)).slope, 1 / x, 2 * kRounding);
}

TEST(Dual, PicksTheSlopeOfTheBranchTaken) {
  const Dual<> low(-2.0, 3.0), high(1.0, 5.0);
  EXPECT_EQ(abs(low).value, 2);
  EXPECT_EQ(abs(low).slope, -3);
  EXPECT_EQ(min(low, high).slope, 3);
  EXPECT_EQ(max(low, high).slope, 5);
  EXPECT_EQ(select(low < high, low, high).slope, 3);
  EXPECT_EQ(select(low >= high, low, high).slope, 5);
}

TEST(Dual, OfADualCarriesTheSecondDerivative) {
  using Second = Dual<Dual<>>;
  const double x = 1.3;
  const Second d(Dual<>(x, 1.0), Dual<>(1.0, 0.0));
  const Second y = d * d * log(d);
  EXPECT_NEAR(y.value.value, x * x * std::log(x), kRounding);
  EXPECT_NEAR(y.slope.value, 2 * x * std::log(x) + x, 2 * kRounding);
  EXPECT_NEAR(y.slope.slope, 2 * std::log(x) + 3, 4 * kRounding);
}

}  // namespace
}  // namespace phiflex

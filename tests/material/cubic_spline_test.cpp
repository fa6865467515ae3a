#include "phiflex/material/cubic_spline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/base/dual.h"

namespace phiflex {
namespace {

const std::vector<double> kKnots = {0.2, 0.5, 1.1, 1.3, 2.0}, kValues = {-1.0, 0.3, 0.1, 2.0, -0.5};

CubicSpline sample() {
  return CubicSpline(kKnots, kValues);
}

// Values and derivatives are below 100: a few dozen roundings.
constexpr double kSplineRounding = 1e-12;

TEST(CubicSpline, PassesThroughItsPoints) {
  for (std::size_t i = 0; i < kKnots.size(); ++i)
    EXPECT_NEAR(sample().at(kKnots[i]).value, kValues[i], kSplineRounding);
}

TEST(CubicSpline, SlopeIsTheDerivativeOfTheValueAndTheValueThatOfTheIntegral) {
  for (double x = -1; x < 3; x += 0.037) {
    const auto dual = sample().at(Dual<>(x, 1.0));
    EXPECT_NEAR(dual.integral.slope, sample().at(x).value, kSplineRounding) << x;
    EXPECT_NEAR(dual.value.slope, sample().at(x).slope, kSplineRounding) << x;
  }
}

TEST(CubicSpline, IsTwiceContinuouslyDifferentiableEndsIncluded) {
  const double e =
      1e-9;  // over 2e the value changes by its slope (below 30), the others by theirs (below 200)
  for (const double knot : kKnots) {
    const auto below = sample().at(Dual<>(knot - e, 1.0)), above = sample().at(Dual<>(knot + e, 1.0));
    EXPECT_NEAR(below.integral.value, above.integral.value, 100 * e);
    EXPECT_NEAR(below.value.value, above.value.value, 100 * e);
    EXPECT_NEAR(below.slope.value, above.slope.value, 1000 * e);
    EXPECT_NEAR(below.slope.slope, above.slope.slope, 1e4 * e);  // the second derivative
  }
}

TEST(CubicSpline, GoesOnStraightBeyondItsKnots) {
  for (const auto& [x, slope] : {std::pair(-3.0, sample().at(0.2).slope), {7.0, sample().at(2.0).slope}})
    EXPECT_NEAR(sample().at(x).slope, slope, kSplineRounding);
}

TEST(CubicSpline, TwoKnotsAreALine) {
  const CubicSpline line(std::vector{1.0, 2.0}, std::vector{0.5, 3.5});
  for (const double x : {-1.0, 1.0, 1.7, 5.0}) {
    EXPECT_NEAR(line.at(x).value, 0.5 + 3 * (x - 1), 1e-14);
    EXPECT_NEAR(line.at(x).integral, 0.5 * (x - 1) + 1.5 * (x - 1) * (x - 1), 1e-13);
  }
}

TEST(CubicSpline, MeanSlopeLosesNoDigitsHoweverNearThePoints) {
  for (const double a : {0.1, 0.5, 0.8, 1.1, 1.29999, 2.5}) {
    EXPECT_NEAR(sample().mean_slope(a, a), sample().at(a).slope, kSplineRounding);
    for (double d = 1; d > 1e-15; d *= 0.1) {
      const double b = a + d, exact = b - a;
      // The slope in the middle is off by d^2/24 times a third derivative, below 1000, also across a knot.
      const double middle = sample().at(0.5 * (a + b)).slope;
      EXPECT_NEAR(sample().mean_slope(a, b), middle, 1000 * d * d + kSplineRounding) << a << " " << d;
      if (d < 1e-3) continue;
      EXPECT_NEAR(sample().mean_slope(b, a), (sample().at(b).value - sample().at(a).value) / exact, 1e-11);
    }
  }
}

TEST(CubicSpline, LanesEqualScalars) {
  Pack<4> x;
  for (int lane = 0; lane < 4; ++lane) x.set(lane, 0.1 + 0.6 * lane);
  const auto y = sample().at(x);
  const Pack<4> mean = sample().mean_slope(x, x * Pack<4>(1.1));
  for (int lane = 0; lane < 4; ++lane) {
    EXPECT_NEAR(y.integral[lane], sample().at(x[lane]).integral, kSplineRounding);
    EXPECT_NEAR(y.value[lane], sample().at(x[lane]).value, kSplineRounding);
    EXPECT_NEAR(y.slope[lane], sample().at(x[lane]).slope, kSplineRounding);
    EXPECT_NEAR(mean[lane], sample().mean_slope(x[lane], 1.1 * x[lane]), kSplineRounding);
  }
}

TEST(CubicSpline, KnotsThatDoNotAscendOrAreTooFewAreMisuse) {
  using List = std::vector<double>;
  EXPECT_THROW(CubicSpline(List{1}, List{1}), std::invalid_argument);
  EXPECT_THROW(CubicSpline(List{1, 1}, List{1, 2}), std::invalid_argument);
  EXPECT_THROW(CubicSpline(List{1, 2}, List{1}), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex

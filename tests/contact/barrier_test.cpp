#include "phiflex/contact/barrier.h"
#include "tests/effort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace phiflex {
namespace {

// x between 1e-8 and 4, dense near 1.
double random_square(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  switch (random() % 3) {
    case 0:
      return std::pow(10, -8 * unit(random));
    case 1:
      return 4 * unit(random) + 1e-8;
    default:
      return 1 + (unit(random) - 0.5) * std::pow(10, -12 * unit(random));
  }
}
long double wide_barrier(long double x) {
  return x < 1 ? (1 - x) * (1 - x) * (1 - x) / x : 0;
}

TEST(Barrier, IsConvexDecreasingAndZeroBeyondItsReach) {
  for (double x = 1e-3; x < 1; x *= 1.01) {
    EXPECT_GT(barrier(x), 0);
    EXPECT_LT(barrier_slope(x), 0);
    EXPECT_GT(barrier_curvature(x), 0);
  }
  for (const double x : {1.0, 1.5, 1e9}) EXPECT_EQ(barrier(x) + barrier_slope(x) + barrier_curvature(x), 0);
  EXPECT_EQ(barrier(0.0), std::numeric_limits<double>::infinity());
}

TEST(Barrier, SlopeAndCurvatureAreItsDerivatives) {
  for (double x = 0.01; x < 1.2; x += 0.001) {
    const double eps = 1e-6 * x;
    // Differences are off by the third derivative, about 6/x^4, times eps^2; at 1, where it jumps by 6, by 1.5 eps.
    EXPECT_NEAR(barrier_slope(x), (barrier(x + eps) - barrier(x - eps)) / (2 * eps), 1e-8 / (x * x));
    EXPECT_NEAR(barrier_curvature(x), (barrier_slope(x + eps) - barrier_slope(x - eps)) / (2 * eps),
                3e-6 / (x * x * x));
  }
}

TEST(Barrier, ChordTimesWayIsTheChangeToTheLastDigits) {
  std::mt19937 random(1);
  for (int k = 0; k < samples(200000); ++k) {
    const double a = random_square(random), b = random_square(random);
    const long double change = wide_barrier(b) - wide_barrier(a);
    const long double by_chord = (long double)(barrier_chord(a, b).value) * ((long double)(b)-a);
    // Where the change is a difference of close numbers, long double itself is off by its rounding of them.
    const long double rounding = 1e-18L * (wide_barrier(a) + wide_barrier(b));
    ASSERT_LE(std::abs(by_chord - change), 1e-15L * std::abs(change) + rounding) << a << " " << b;
  }
}

TEST(Barrier, ChordIsNeverPositiveAndItsDerivativeNeverNegative) {
  std::mt19937 random(2);
  for (int k = 0; k < samples(200000); ++k) {
    const double a = random_square(random), b = random_square(random);
    const BarrierChord chord = barrier_chord(a, b);
    ASSERT_LE(chord.value, 0);
    ASSERT_GE(chord.slope, 0);
    const BarrierChord back = barrier_chord(b, a);
    ASSERT_NEAR(chord.value, back.value, 1e-15 * std::abs(chord.value));  // symmetric in time
  }
}

TEST(Barrier, ChordOfEqualEndsIsTheSlopeAndHalfTheCurvature) {
  for (double x = 1e-4; x < 1.5; x *= 1.1) {
    const BarrierChord chord = barrier_chord(x, x);
    EXPECT_NEAR(chord.value, barrier_slope(x), 1e-14 * std::abs(barrier_slope(x)));
    EXPECT_NEAR(chord.slope, barrier_curvature(x) / 2, 1e-14 * barrier_curvature(x));
  }
}

// (6): what the slope at the end takes beyond the change of energy.
TEST(Barrier, SlopeAtTheEndTakesEnergyInEveryStep) {
  std::mt19937 random(3);
  for (int k = 0; k < samples(100000); ++k) {
    const double a = random_square(random), b = random_square(random);
    const long double taken =
        (long double)(barrier_slope(b)) * ((long double)(b)-a) - (wide_barrier(b) - wide_barrier(a));
    const double by_chord = (b - a) * (b - a) * barrier_chord(a, b).slope;
    ASSERT_GE(by_chord, 0);
    const long double size = std::abs(barrier_slope(b) * (b - a)) + wide_barrier(a) + wide_barrier(b);
    ASSERT_LE(std::abs(taken - by_chord), 1e-14L * size);
  }
}

TEST(Mollifier, ChordTimesWayIsItsChange) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(0, 2);
  for (int k = 0; k < samples(100000); ++k) {
    const double c0 = 0.3, a = c0 * place(random), b = k % 5 ? c0 * place(random) : a * (1 + 1e-9);
    ASSERT_NEAR(mollifier_chord(a, b, c0) * (b - a), mollifier(b, c0) - mollifier(a, c0), 2e-15);
    ASSERT_GE(mollifier_chord(a, b, c0), 0);
    ASSERT_EQ(mollifier_chord(a, b, c0), mollifier_chord(b, a, c0));
  }
  EXPECT_EQ(mollifier(0, 1), 0);
  EXPECT_EQ(mollifier(1, 1), 1);
  EXPECT_EQ(mollifier_slope(1, 1), 0);
  EXPECT_EQ(mollifier_chord(0.25, 0.25, 1), mollifier_slope(0.25, 1));
}

}  // namespace
}  // namespace phiflex

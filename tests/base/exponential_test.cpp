#include "phiflex/base/exponential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace phiflex {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

// Distance in units in the last place of the exact result.
double units_apart(double got, long double exact) {
  const double rounded = static_cast<double>(exact);
  if (got == rounded) return 0;
  return std::abs(got - rounded) / (std::nextafter(std::abs(rounded), kEndless) - std::abs(rounded));
}

// Every size of x that has an exponential, positive and negative.
double exponent(std::mt19937_64& generator, int i) {
  const double x = std::uniform_real_distribution<double>(-40, 40)(generator);
  if (i % 3 == 0) return std::ldexp(x, -int(generator() % 60));
  return i % 3 == 1 ? 17.5 * x : x;
}

TEST(Exponential, OfLanesIsThatOfDoublesToTheLastPlace) {
  std::mt19937_64 generator(3);
  for (int i = 0; i < 100000; ++i) {
    const double x = exponent(generator, i);
    // expm1 is e^x - 1 where that loses two bits at most: from ln(2)/2 on.
    EXPECT_LE(units_apart(exp(Pack<4>(x))[i % 4], std::exp(static_cast<long double>(x))), 1) << x;
    EXPECT_LE(units_apart(expm1(Pack<2>(x))[i % 2], std::expm1(static_cast<long double>(x))), 4) << x;
  }
}

TEST(Exponential, OfLanesHasTheLimitsOfDoubles) {
  for (const double x : {0.0, 709.782, 710.0, 800.0, 1e308, kEndless, -744.0, -746.0, -1e308, -kEndless}) {
    EXPECT_EQ(exp(Pack<4>(x))[0], std::exp(x)) << x;
    EXPECT_EQ(expm1(Pack<4>(x))[0], std::expm1(x)) << x;
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(exp(Pack<4>(nan))[0]));
  EXPECT_TRUE(std::isnan(expm1(Pack<4>(nan))[0]));
}

TEST(Exponential, OfADualNumberIsItsOwnDerivative) {
  const Dual<> x(0.7, 2.0);
  EXPECT_DOUBLE_EQ(exp(x).value, std::exp(0.7));
  EXPECT_DOUBLE_EQ(exp(x).slope, 2 * std::exp(0.7));
  EXPECT_DOUBLE_EQ(expm1(x).value, std::expm1(0.7));
  EXPECT_DOUBLE_EQ(expm1(x).slope, 2 * std::exp(0.7));
}

}  // namespace
}  // namespace phiflex

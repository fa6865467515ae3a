#include "phiflex/base/pack.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace phiflex {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Distance in units in the last place of the exact result; 0 for two NaN.
double ulps(double got, double exact) {
  if (got == exact || (std::isnan(got) && std::isnan(exact))) return 0;
  return std::abs(got - exact) / (std::nextafter(std::abs(exact), kInfinity) - std::abs(exact));
}

template <class P>
class Packs : public ::testing::Test {};
using Widths = ::testing::Types<Pack<2>, Pack<4>>;
TYPED_TEST_SUITE(Packs, Widths);

template <class P>
P counting(double first) {
  P x;
  for (int i = 0; i < lanes_of<P>; ++i) x.set(i, first + i);
  return x;
}

TYPED_TEST(Packs, ArithmeticIsThatOfEachLane) {
  const TypeParam a = counting<TypeParam>(-1.5), b = counting<TypeParam>(0.25);
  TypeParam c = a;
  c += b;
  c *= b;
  c -= a;
  c /= b;
  for (int i = 0; i < lanes_of<TypeParam>; ++i) {
    EXPECT_EQ((a + b)[i], a[i] + b[i]);
    EXPECT_EQ((a - b)[i], a[i] - b[i]);
    EXPECT_EQ((a * b)[i], a[i] * b[i]);
    EXPECT_EQ((a / b)[i], a[i] / b[i]);
    EXPECT_EQ((-a)[i], -a[i]);
    EXPECT_EQ(sqrt(b)[i], std::sqrt(b[i]));
    EXPECT_EQ(abs(a)[i], std::abs(a[i]));
    EXPECT_EQ(min(a, TypeParam(0.0))[i], std::min(a[i], 0.0));
    EXPECT_EQ(max(a, TypeParam(0.0))[i], std::max(a[i], 0.0));
    EXPECT_NEAR(c[i], ((a[i] + b[i]) * b[i] - a[i]) / b[i], 1e-14);  // a fused operation rounds once less
  }
}

TYPED_TEST(Packs, SelectTakesEachLaneFromWhereItsMaskSays) {
  const TypeParam a = counting<TypeParam>(0), one(1.0), zero(0.0);
  for (int i = 0; i < lanes_of<TypeParam>; ++i) {
    EXPECT_EQ(select(a < one, one, zero)[i], a[i] < 1 ? 1 : 0);
    EXPECT_EQ(select(a > one, one, zero)[i], a[i] > 1 ? 1 : 0);
    EXPECT_EQ(select(a <= one, one, zero)[i], a[i] <= 1 ? 1 : 0);
    EXPECT_EQ(select(a >= one, one, zero)[i], a[i] >= 1 ? 1 : 0);
    EXPECT_EQ(select((!(a < one)) | (a < zero), one, zero)[i], a[i] < 1 ? 0 : 1);
  }
}

TYPED_TEST(Packs, AnyIsTrueWhenOneLaneIs) {
  const TypeParam a = counting<TypeParam>(0);
  EXPECT_FALSE(any(a < TypeParam(0.0)));
  for (int i = 0; i < lanes_of<TypeParam>; ++i) {
    TypeParam b = a;
    b.set(i, -1);
    EXPECT_TRUE(any(b < TypeParam(0.0)));
  }
  EXPECT_TRUE(any(true));
  EXPECT_FALSE(any(false));
}

TYPED_TEST(Packs, ANumberFillsAllLanesWithItsSign) {
  for (int i = 0; i < lanes_of<TypeParam>; ++i) {
    EXPECT_EQ(TypeParam(2.5)[i], 2.5);
    EXPECT_TRUE(std::signbit(TypeParam(-0.0)[i]));
  }
}

// Every binade by random bits, and the neighbourhood of one where a logarithm is small.
std::vector<double> positive_numbers() {
  std::mt19937_64 generator(1);
  std::vector<double> numbers;
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = generator();
    const double any_size = std::bit_cast<double>(bits >> 1);
    if (std::isfinite(any_size) && any_size > 0) numbers.push_back(any_size);
    numbers.push_back(1 + std::ldexp(static_cast<double>(bits >> 11), -(53 + i % 50)) * (i % 2 ? 0.5 : -0.5));
  }
  return numbers;
}

// fdlibm states an error below 1 ulp for these formulas, std::log is within 1 of the exact value.
TYPED_TEST(Packs, LogIsWithinTwoUnitsInTheLastPlace) {
  double worst = 0;
  for (const double x : positive_numbers())
    worst = std::max(worst,
                     ulps(log(TypeParam(x))[0], static_cast<double>(std::log(static_cast<long double>(x)))));
  EXPECT_LE(worst, 2);
}

TYPED_TEST(Packs, CubeRootIsWithinTwoUnitsInTheLastPlace) {
  double worst = 0;
  for (const double x : positive_numbers()) {
    const double exact = static_cast<double>(std::cbrt(static_cast<long double>(x)));
    worst = std::max({worst, ulps(cbrt(TypeParam(x))[0], exact), ulps(cbrt(TypeParam(-x))[0], -exact)});
  }
  EXPECT_LE(worst, 2);
}

TYPED_TEST(Packs, LogAndCubeRootOfSpecialNumbersAreThoseOfTheStandardLibrary) {
  for (const double x : {0.0, -0.0, 1.0, -1.0, kInfinity, -kInfinity, kNan, -5e-324, 5e-324, 1e-310,
                         std::numeric_limits<double>::min(), std::numeric_limits<double>::max(), -1e300}) {
    EXPECT_LE(ulps(log(TypeParam(x))[1], std::log(x)), 1) << x;
    EXPECT_LE(ulps(cbrt(TypeParam(x))[1], std::cbrt(x)), 1) << x;
  }
  EXPECT_EQ(log(TypeParam(1.0))[0], 0);
}

TYPED_TEST(Packs, FunctionsActOnEachLaneByItself) {
  const TypeParam x = counting<TypeParam>(0.5);
  for (int i = 0; i < lanes_of<TypeParam>; ++i) {
    EXPECT_EQ(log(x)[i], log(TypeParam(x[i]))[0]);
    EXPECT_EQ(cbrt(x)[i], cbrt(TypeParam(x[i]))[0]);
  }
}

}  // namespace
}  // namespace phiflex

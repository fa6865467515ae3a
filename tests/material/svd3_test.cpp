#include "phiflex/material/svd3.h"

#include <gtest/gtest.h>

#include "phiflex/base/dual.h"
#include "tests/material/samples.h"

namespace phiflex {
namespace {

using test::largest_entry;
using test::Samples;

// At most 12 rotations in exact order, each adding a few roundings (1.1e-16) of |F|, then a product of three
// matrices: 12 * 4 + 3 * 6 = 66 roundings at worst, were they all to add up.
constexpr double kSvdRounding = 66 * 1.1e-16;

void expect_svd(const Mat3<double>& F) {
  const Svd3<double> f = svd3(F);
  const Mat3<double> one = Mat3<double>::identity();
  const double size = largest_entry(F);
  EXPECT_LE(largest_entry(f.U * diagonal(f.s) * transpose(f.V) - F), 3 * kSvdRounding * size);
  for (const Mat3<double>& Q : {f.U, f.V}) {
    EXPECT_LE(largest_entry(Q * transpose(Q) - one), kSvdRounding);
    EXPECT_NEAR(determinant(Q), 1, kSvdRounding);
  }
  EXPECT_GE(f.s[0], f.s[1] - kSvdRounding * f.s[0]);
  EXPECT_GE(f.s[1], std::abs(f.s[2]) - kSvdRounding * f.s[0]);
  EXPECT_GE(f.s[1], 0);
}

TEST(Svd3, FactorsGiveTheMatrixBackAndAreRotations) {
  Samples samples(11);
  for (int i = 0; i < 10000; ++i) expect_svd(samples.matrix());
}

TEST(Svd3, HoldsForSpecialMatrices) {
  const Mat3<double> one = Mat3<double>::identity();
  for (const Mat3<double>& F :
       {one, -1.0 * one, Mat3<double>::zero(), diagonal(Vec3<double>{0, 0, 3}),
        diagonal(Vec3<double>{1, -1, 1}), Mat3<double>{0, 1, 0, 0, 0, 1, 1, 0, 0},
        Mat3<double>{1, 1, 1, 1, 1, 1, 1, 1, 1}, Mat3<double>{0, 0, 0, 0, 0, 0, 0, 0, 1},
        Mat3<double>{0, -2, 0, 2, 0, 0, 0, 0, 2}, 1e200 * one,
        1e-200 * Mat3<double>{1, 2, 3, 4, 5, 6, 7, 8, 9},
        Mat3<double>{1, 1e-9, 0, 0, 1e-170, 1e-9, 0, 0, 1e-250}})
    expect_svd(F);
}

TEST(Svd3, HoldsForEqualTinyAndMissingStretches) {
  Samples samples(12);
  for (int i = 0; i < 2000; ++i) {
    const double c = samples.number(0, 1), tiny = std::pow(10.0, -20 * samples.number(0, 1));
    for (const Vec3<double> s : {Vec3<double>{1, c, c},
                                 {1, 1, c},
                                 {1, 1, 1},
                                 {1, tiny, -tiny},
                                 {1, c, tiny},
                                 {1, 1 - tiny, 1 - 2 * tiny},
                                 {1, tiny, 0},
                                 {1, 0, 0}})
      expect_svd(samples.with_stretches(s));
  }
}

TEST(Svd3, FindsTheStretchesItWasMadeFrom) {
  Samples samples(13);
  for (int i = 0; i < 1000; ++i) {
    const Vec3<double> s = {samples.number(2, 3), samples.number(1, 2), samples.number(-1, 1)};
    const Svd3<double> f = svd3(samples.with_stretches(s));
    // Stretches move by no more than the matrix does (Weyl), here by its own rounding too.
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(f.s[k], s[k], 3 * 2 * kSvdRounding);
  }
}

TEST(Svd3, PolarFactorOfAnInvertedMatrixIsARotation) {
  Samples samples(14);
  for (int i = 0; i < 1000; ++i) {
    const Mat3<double> F = samples.inverted(), R = svd3(F).rotation(), S = transpose(R) * F;
    EXPECT_NEAR(determinant(R), 1, 3 * kSvdRounding);
    EXPECT_LE(largest_entry(S - transpose(S)), 6 * kSvdRounding);
  }
}

TEST(Svd3, PolarFactorOfARotationIsItself) {
  Samples samples(15);
  for (int i = 0; i < 1000; ++i) {
    const Mat3<double> Q = samples.rotation();
    EXPECT_LE(largest_entry(svd3(Q).rotation() - Q), 3 * kSvdRounding);
  }
}

// The derivative of R: dR = R W with W skew and (tr(S) 1 - S) axial(W) = axial(R'dF - dF'R).
TEST(Svd3, DualNumbersPassThroughThePolarFactor) {
  Samples samples(16);
  for (int i = 0; i < 100; ++i) {
    const Mat3<double> F = samples.ordinary(), dF = samples.matrix();
    Mat3<Dual<>> moved;
    for (int k = 0; k < 9; ++k) moved.e[k] = {F.e[k], dF.e[k]};
    const Mat3<Dual<>> R_dual = svd3(moved).rotation();
    Mat3<double> R, dR;
    for (int k = 0; k < 9; ++k) R.e[k] = R_dual.e[k].value, dR.e[k] = R_dual.e[k].slope;
    const Mat3<double> S = transpose(R) * F, X = transpose(R) * dF, Y = X - transpose(X);
    const Vec3<double> axis =
        inverse(Mat3<double>::scaled_identity(trace(S)) - S) * Vec3<double>{Y(2, 1), Y(0, 2), Y(1, 0)};
    const Mat3<double> W = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0};
    // Stretches 0.1 apart magnify the roundings of the singular vectors tenfold, twice.
    EXPECT_LE(largest_entry(dR - R * W), 100 * 10 * kSvdRounding);
  }
}

TEST(Svd3, ALaneDoesNotDependOnItsNeighbours) {
  Samples samples(17);
  for (int i = 0; i < 500; ++i) {
    Mat3<Pack<4>> mixed, alone;
    const Mat3<double> F = samples.matrix();
    for (int k = 0; k < 9; ++k) {
      alone.e[k] = Pack<4>(F.e[k]);
      for (int lane = 0; lane < 4; ++lane) mixed.e[k].set(lane, lane == 2 ? F.e[k] : samples.number(-1, 1));
    }
    const Svd3<Pack<4>> a = svd3(alone), b = svd3(mixed);
    for (int k = 0; k < 9; ++k) {
      EXPECT_EQ(a.U.e[k][2], b.U.e[k][2]);
      EXPECT_EQ(a.V.e[k][2], b.V.e[k][2]);
    }
    for (int k = 0; k < 3; ++k) EXPECT_EQ(a.s[k][2], b.s[k][2]);
  }
}

TEST(Svd3, ReturnsOnInputThatIsNotFinite) {
  Mat3<double> F = Mat3<double>::identity();
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    F(1, 2) = bad;
    const Svd3<double> f = svd3(F);
    EXPECT_FALSE(std::isfinite(largest_entry(f.U * diagonal(f.s) * transpose(f.V))));
  }
}

}  // namespace
}  // namespace phiflex

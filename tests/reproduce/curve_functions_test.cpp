#include "phiflex/reproduce/curve_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phiflex {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(CurveFunctions, PeaksAreTheInnerLocalMaximaInOrder) {
  EXPECT_EQ(local_maxima(std::vector<double>{0, 2, 1, 3, 3, 0, 5}), (std::vector<double>{2, 3}));
}

TEST(CurveFunctions, AMonotoneCurveHasNoPeak) {
  EXPECT_TRUE(local_maxima(std::vector<double>{0, 1, 2, 2}).empty());
  EXPECT_TRUE(local_maxima(std::vector<double>{3, 2, 2, 1}).empty());
}

TEST(CurveFunctions, TheAdmissibleStepOfAPowerLawIsExact) {
  // e = 4 h^2 is a straight line of logarithms: e = 0.1 at h = sqrt(0.1) / 2.
  const std::vector<double> steps{0.4, 0.05, 0.1, 0.2}, errors{0.64, 0.01, 0.04, 0.16};
  EXPECT_NEAR(admissible_step(steps, errors, 0.1), std::sqrt(0.1) / 2, 1e-15);
}

TEST(CurveFunctions, AStepBeyondABadOneIsNotAdmissible) {
  const std::vector<double> steps{1, 2, 4, 8}, errors{0.01, kInfinity, 0.02, 0.03};
  EXPECT_EQ(admissible_step(steps, errors, 0.1), 1);
}

TEST(CurveFunctions, WhereEveryStepIsGoodTheLargestIsAdmissible) {
  EXPECT_EQ(admissible_step(std::vector<double>{1, 2}, std::vector<double>{0.01, 0.02}, 0.1), 2);
}

TEST(CurveFunctions, WhereNoStepIsGoodTheAdmissibleOneIsZero) {
  EXPECT_EQ(admissible_step(std::vector<double>{1, 2}, std::vector<double>{0.2, 0.3}, 0.1), 0);
  EXPECT_EQ(admissible_step(std::vector<double>{1, 2}, std::vector<double>{std::nan(""), 0.3}, 0.1), 0);
}

TEST(CurveFunctions, ListsOfDifferentLengthAreAnError) {
  EXPECT_THROW(admissible_step(std::vector<double>{1, 2}, std::vector<double>{0.2}, 0.1), ExpressionError);
}

TEST(CurveFunctions, TheTableOffersBothToExpressions) {
  const ValueList curve{Value(std::vector<double>{0, 1, 0})};
  EXPECT_EQ(curve_functions().at("peaks")(curve).numbers(), std::vector<double>{1});
  const ValueList three{Value(std::vector<double>{1, 2}), Value(std::vector<double>{0.01, 0.02}), Value(0.1)};
  EXPECT_EQ(curve_functions().at("admissible_step")(three).number(), 2);
  EXPECT_THROW(curve_functions().at("peaks")(three), ExpressionError);
}

}  // namespace
}  // namespace phiflex

// Estimates of condition numbers against dense ones.
#include "phiflex/linalg/condition.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

double one_norm(const Matrix& A) {
  return A.cwiseAbs().colwise().sum().maxCoeff();
}

double dense_condition(const SparseMatrix& K, const Vector& mass, double c) {
  const Matrix A = Matrix::Identity(K.rows(), K.rows()) +
                   c * Matrix(mass.cwiseInverse().asDiagonal() * Matrix(K.to_eigen()));
  return one_norm(A) * one_norm(A.inverse());
}

class ConditionOf : public ::testing::TestWithParam<double> {};
TEST_P(ConditionOf, AnImplicitMatrixIsEstimatedFromBelowWithinAFactorOfThree) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const SparseMatrix K = testing::random_stiffness(testing::grid_pattern(3, 3, 2, 2), seed);
    const Vector diagonal = Vector::LinSpaced(K.rows(), 0.5, 3);
    const auto estimate = estimate_condition(K, MassMatrix(diagonal), GetParam());
    ASSERT_TRUE(estimate.has_value());
    const double exact = dense_condition(K, diagonal, GetParam());
    EXPECT_LE(*estimate, exact * (1 + 1e-10));
    EXPECT_GE(*estimate, exact / 3);
  }
}
INSTANTIATE_TEST_SUITE_P(Condition, ConditionOf, ::testing::Values(1e-4, 1.0, 1e4));

TEST(Condition, OfTheIdentityIsOne) {
  const auto pattern = testing::grid_pattern(3, 1, 1, 1);
  EXPECT_NEAR(estimate_condition(SparseMatrix(pattern), MassMatrix(Vector::Constant(24, 2.0)), 1).value(), 1,
              1e-14);
}

TEST(Condition, OfBackwardEulerIsAboveThatOfTheMidpointRule) {
  const SparseMatrix K = testing::random_stiffness(testing::grid_pattern(3, 2, 2, 2), 5);
  const MassMatrix mass(Vector::Ones(K.rows()));
  EXPECT_GT(estimate_condition(K, mass, 1).value(), estimate_condition(K, mass, 0.25).value());
}

TEST(Condition, OfAMatrixThatIsNotPositiveDefiniteIsNotGiven) {
  SparseMatrix K = testing::random_stiffness(testing::grid_pattern(3, 1, 1, 1), 6);
  K.set(-1, SparseMatrix(K));
  EXPECT_FALSE(estimate_condition(K, MassMatrix(Vector::Ones(K.rows())), 1e6).has_value());
}

}  // namespace
}  // namespace phiflex

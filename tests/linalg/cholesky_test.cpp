#include "phiflex/linalg/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "phiflex/linalg/suitesparse_pool.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_stiffness;
using testing::random_vector;

// Positive definite: the stiffness is positive semidefinite, the shift adds `shift` to every eigenvalue.
SparseMatrix shifted(const std::shared_ptr<const SparsityPattern>& pattern, double shift, unsigned seed = 1) {
  SparseMatrix A = random_stiffness(pattern, seed);
  A.add_to_diagonal(shift, Vector::Ones(A.rows()));
  return A;
}

double relative_residual(const SparseMatrix& A, const Vector& x, const Vector& b) {
  Vector Ax;
  A.apply(x, Ax);
  return (Ax - b).norm() / b.norm();
}

class Cholesky : public ::testing::TestWithParam<int> {};

// Cholesky is backward stable: |b - A x| <= c n eps |A| |x|, here with n |A| |x| / |b| < 1e4 * (30 + 1) / 1,
// so that 1e-10 leaves room; rounding errors add up like a random walk and stay far below it.
constexpr double kResidual = 1e-10;

TEST_P(Cholesky, SolvesToTheResidualOfABackwardStableMethod) {
  const auto pattern = grid_pattern(GetParam(), 14, 7, 6);
  const SparseMatrix A = shifted(pattern, 1);
  CholeskyFactorization cholesky(pattern);
  EXPECT_FALSE(cholesky.ready());
  ASSERT_EQ(cholesky.factorize(A), FactorStatus::ok);
  EXPECT_TRUE(cholesky.ready());
  const Vector b = random_vector(A.rows(), 2);
  Vector x;
  cholesky.solve(b, x);
  EXPECT_LT(relative_residual(A, x, b), kResidual);
}

TEST_P(Cholesky, SolvesForSeveralRightHandSidesAtOnce) {
  const auto pattern = grid_pattern(GetParam(), 8, 5, 4);
  const SparseMatrix A = shifted(pattern, 1);
  CholeskyFactorization cholesky(pattern);
  ASSERT_EQ(cholesky.factorize(A), FactorStatus::ok);
  Matrix B(A.rows(), 5), X;
  for (Index c = 0; c < B.cols(); ++c) B.col(c) = random_vector(A.rows(), unsigned(c));
  cholesky.solve(B, X);
  for (Index c = 0; c < B.cols(); ++c) EXPECT_LT(relative_residual(A, X.col(c), B.col(c)), kResidual);
}

TEST_P(Cholesky, PreconditionsWithASymmetricPositiveDefiniteOperatorCloseToTheInverse) {
  const auto pattern = grid_pattern(GetParam(), 13, 6, 5);
  const SparseMatrix A = shifted(pattern, 1);
  CholeskyFactorization cholesky(pattern);
  ASSERT_EQ(cholesky.factorize(A), FactorStatus::ok);
  const Vector b = random_vector(A.rows(), 3), c = random_vector(A.rows(), 4);
  Vector x, z, w;
  cholesky.solve(b, x);
  cholesky.precondition(b, z);
  cholesky.precondition(c, w);
  // Numbers of L carry a relative error of 6e-8; condition number of A below (30 + 1) / 1.
  EXPECT_LT((z - x).norm(), 31 * 6e-8 * x.norm());
  EXPECT_GT((z - x).norm(), 0);
  // Symmetric to double precision, though only close to A^-1.
  EXPECT_NEAR(c.dot(z), b.dot(w), 1e-13 * b.norm() * c.norm());
  EXPECT_GT(b.dot(z), 0);
}

TEST_P(Cholesky, PreconditionsSeveralVectorsToTheBitsOfEachAlone) {
  const auto pattern = grid_pattern(GetParam(), 9, 7, 6);
  CholeskyFactorization cholesky(pattern);
  ASSERT_EQ(cholesky.factorize(shifted(pattern, 1)), FactorStatus::ok);
  Matrix R(pattern->rows(), 11), Z;  // more than one sweep takes
  for (int j = 0; j < 11; ++j) R.col(j) = random_vector(R.rows(), 40 + j);
  for (const int columns : {0, 1, 2, 3, 11}) {
    cholesky.precondition(R.leftCols(columns).eval(), Z);
    ASSERT_EQ(Z.cols(), columns);
    for (int j = 0; j < columns; ++j) {
      Vector z;
      cholesky.precondition(Vector(R.col(j)), z);
      EXPECT_EQ(Vector(Z.col(j)), z);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BlockSizes, Cholesky, ::testing::Values(1, 2, 3));

TEST(Cholesky, PreconditionsMatricesOfAnyScale) {
  // Powers of two commute with rounding: the result scales exactly, far beyond the range of single precision.
  const auto pattern = grid_pattern(3, 5, 4, 3);
  SparseMatrix A = shifted(pattern, 1), scaled(pattern);
  const Vector b = random_vector(A.rows(), 5);
  CholeskyFactorization cholesky(pattern);
  Vector z, w;
  ASSERT_EQ(cholesky.factorize(A), FactorStatus::ok);
  cholesky.precondition(b, z);
  for (const int exponent : {-600, 600}) {
    scaled.set(std::ldexp(1.0, exponent), A);
    ASSERT_EQ(cholesky.factorize(scaled), FactorStatus::ok);
    cholesky.precondition(b, w);
    EXPECT_EQ(Vector(w * std::ldexp(1.0, exponent)), z);
  }
}

TEST(Cholesky, ReportsAnIndefiniteMatrixAndStaysUsable) {
  const auto pattern = grid_pattern(3, 6, 5, 4);
  const SparseMatrix good = shifted(pattern, 1), bad = shifted(pattern, -1);
  CholeskyFactorization cholesky(pattern);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(cholesky.factorize(bad), FactorStatus::not_positive_definite);
    EXPECT_FALSE(cholesky.ready());
    Vector b = random_vector(good.rows(), 6), x;
    EXPECT_THROW(cholesky.solve(b, x), std::logic_error);
    ASSERT_EQ(cholesky.factorize(good), FactorStatus::ok);
    cholesky.solve(b, x);
    EXPECT_LT(relative_residual(good, x, b), kResidual);
  }
}

TEST(Cholesky, ReportsNumbersThatAreNotFinite) {
  const auto pattern = grid_pattern(3, 3, 2, 2);
  CholeskyFactorization cholesky(pattern);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SparseMatrix A = shifted(pattern, 1);
    // One number, in both of its places: the factorization reads one of them.
    const int j = pattern->column()[pattern->row_start()[5]];
    A.block(pattern->find(5, j))[1] = A.block(pattern->find(j, 5))[3] = bad;
    EXPECT_EQ(cholesky.factorize(A), FactorStatus::not_finite);
  }
}

TEST(Cholesky, FactorizesTheSameMatrixToTheSameBits) {
  set_blas_threads(1);
  const auto pattern = grid_pattern(3, 16, 8, 8);
  const SparseMatrix A = shifted(pattern, 1), other = shifted(pattern, 2, 7);
  const Vector b = random_vector(A.rows(), 8);
  Vector first, again, elsewhere;
  CholeskyFactorization one(pattern), two(pattern);
  ASSERT_EQ(one.factorize(A), FactorStatus::ok);
  one.solve(b, first);
  ASSERT_EQ(one.factorize(other), FactorStatus::ok);
  ASSERT_EQ(one.factorize(A), FactorStatus::ok);
  one.solve(b, again);
  ASSERT_EQ(two.factorize(A), FactorStatus::ok);
  two.solve(b, elsewhere);
  EXPECT_EQ(first, again);
  EXPECT_EQ(first, elsewhere);
}

TEST(Cholesky, AcceptsTheSmallestMatrices) {
  for (const int block_rows : {0, 1}) {
    const auto pattern = std::make_shared<SparsityPattern>(3, block_rows, std::vector<Coupling>{});
    CholeskyFactorization cholesky(pattern);
    const SparseMatrix A = shifted(pattern, 4);
    ASSERT_EQ(cholesky.factorize(A), FactorStatus::ok);
    Vector b = Vector::Constant(A.rows(), 2.0), x, z;
    cholesky.solve(b, x);
    cholesky.precondition(b, z);
    EXPECT_EQ(x, Vector(b / 4));
    EXPECT_EQ(z, x);
  }
}

TEST(Cholesky, RefusesAMatrixOfAnotherPattern) {
  CholeskyFactorization cholesky(grid_pattern(3, 2, 2, 2));
  EXPECT_THROW((void)cholesky.factorize(shifted(grid_pattern(3, 2, 2, 2), 1)), std::invalid_argument);
}

TEST(Cholesky, CountsTheWorkOfADenseMatrixAsTextbooksDo) {
  // Every block coupled with every other: n^3/3 operations to factorize, n^2 numbers of L read per sweep with
  // the upper half that a dense block carries.
  const int n = 40;
  std::vector<Coupling> couplings;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) couplings.push_back({i, j});
  const CholeskyFactorization cholesky(std::make_shared<SparsityPattern>(1, n, couplings));
  EXPECT_NEAR(cholesky.factor_operations(), n * n * n / 3.0, n * n);
  EXPECT_EQ(cholesky.solve_operations(), 4.0 * n * n);
}

TEST(SuiteSparsePool, KeepsNothingOnceTheLastFactorizationIsGone) {
  const PoolUse before = suitesparse_pool_use();
  {
    const auto pattern = grid_pattern(3, 12, 8, 8);
    CholeskyFactorization cholesky(pattern);
    EXPECT_EQ(suitesparse_pool_use().bytes_idle, 0u) << "what the analysis used is given back";
    ASSERT_EQ(cholesky.factorize(shifted(pattern, 1)), FactorStatus::ok);
    EXPECT_GT(suitesparse_pool_use().bytes_in_use,
              before.bytes_in_use + std::size_t(2 * cholesky.solve_operations()));
    const PoolUse after_first = suitesparse_pool_use();
    ASSERT_EQ(cholesky.factorize(shifted(pattern, 2)), FactorStatus::ok);
    EXPECT_EQ(suitesparse_pool_use().bytes_in_use, after_first.bytes_in_use);
    EXPECT_EQ(suitesparse_pool_use().bytes_idle, after_first.bytes_idle)
        << "a refactorization takes no new memory";
  }
  EXPECT_EQ(suitesparse_pool_use().bytes_in_use, before.bytes_in_use);
  EXPECT_EQ(suitesparse_pool_use().bytes_idle, 0u);
}

}  // namespace
}  // namespace phiflex

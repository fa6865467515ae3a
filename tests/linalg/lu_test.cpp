#include "phiflex/linalg/lu.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "phiflex/linalg/implicit_matrix.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_stiffness;
using testing::random_vector;

// The spectrum of the stiffness is that of [0, 30]: about a third of the eigenvalues becomes negative.
SparseMatrix indefinite(const std::shared_ptr<const SparsityPattern>& pattern, unsigned seed) {
  SparseMatrix A = random_stiffness(pattern, seed);
  A.add_to_diagonal(-3, Vector::Ones(A.rows()));
  return A;
}

double residual_of(const SparseMatrix& A, const Vector& x, const Vector& b) {
  Vector Ax;
  A.apply(x, Ax);
  return (Ax - b).norm() / b.norm();
}

class Lu : public ::testing::TestWithParam<int> {};

// As for Cholesky (cholesky_test.cpp), with refinement.
constexpr double kLuResidual = 1e-10;

TEST_P(Lu, SolvesWithAnIndefiniteMatrixThatCholeskyRefuses) {
  const auto pattern = grid_pattern(GetParam(), 10, 7, 6);
  LuFactorization lu(pattern);
  EXPECT_FALSE(lu.ready());
  for (const unsigned seed : {1u, 2u}) {  // the second on the first one's analysis
    const SparseMatrix A = indefinite(pattern, seed);
    CholeskyFactorization cholesky(pattern);
    EXPECT_EQ(cholesky.factorize(A), FactorStatus::not_positive_definite);
    ASSERT_EQ(lu.factorize(A), FactorStatus::ok);
    EXPECT_TRUE(lu.ready());
    EXPECT_FALSE(lu.is_definite());
    EXPECT_GT(lu.factor_operations(), 0);
    const Vector b = random_vector(A.rows(), 3);
    Vector x;
    lu.solve(b, x);
    EXPECT_LT(residual_of(A, x, b), kLuResidual);
    Matrix B(A.rows(), 2), X;
    B << b, 2 * b;
    lu.solve(B, X);
    EXPECT_EQ(X.col(0), x);
    EXPECT_LT(residual_of(A, X.col(1), B.col(1)), kLuResidual);
  }
}

TEST_P(Lu, IsCholeskysWhereTheMatrixIsPositiveDefinite) {
  const auto pattern = grid_pattern(GetParam(), 5, 4, 3);
  SparseMatrix A = random_stiffness(pattern, 1);
  A.add_to_diagonal(1, Vector::Ones(A.rows()));
  LuFactorization lu(pattern);
  CholeskyFactorization cholesky(pattern);
  ASSERT_EQ(lu.factorize(indefinite(pattern, 1)), FactorStatus::ok);
  ASSERT_EQ(lu.factorize(A), FactorStatus::ok);
  ASSERT_EQ(cholesky.factorize(A), FactorStatus::ok);
  EXPECT_TRUE(lu.is_definite());
  const Vector b = random_vector(A.rows(), 2);
  Vector x, y;
  lu.solve(b, x);
  cholesky.solve(b, y);
  EXPECT_EQ(x, y);
}

TEST_P(Lu, RefusesSingularAndUndefinedMatrices) {
  const auto pattern = grid_pattern(GetParam(), 2, 2, 2);
  LuFactorization lu(pattern);
  SparseMatrix A(pattern);
  A.set_zero();
  EXPECT_EQ(lu.factorize(A), FactorStatus::not_positive_definite);
  EXPECT_FALSE(lu.ready());
  Vector x;
  EXPECT_THROW(lu.solve(Vector::Ones(A.rows()), x), std::logic_error);
  A = indefinite(pattern, 1);
  A.values()[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(lu.factorize(A), FactorStatus::not_finite);
}

INSTANTIATE_TEST_SUITE_P(Blocks, Lu, ::testing::Values(1, 2, 3));

// A pivot on the diagonal that is small, where an L D L' without a choice of pivots loses all digits: its second pivot
// is -1e20.
TEST(LuFactorization, PivotsWhereTheDiagonalIsSmall) {
  const auto pattern = std::make_shared<SparsityPattern>(1, 3, std::vector<Coupling>{{0, 1}, {1, 2}});
  SparseMatrix A(pattern);
  A.set_zero();
  A.block(pattern->diagonal(0))[0] = 1e-20;
  for (const auto& [i, j] : {Coupling{0, 1}, Coupling{1, 2}})
    A.block(pattern->find(i, j))[0] = A.block(pattern->find(j, i))[0] = 1;
  A.block(pattern->diagonal(1))[0] = 1;
  A.block(pattern->diagonal(2))[0] = -1;
  LuFactorization lu(pattern);
  ASSERT_EQ(lu.factorize(A), FactorStatus::ok);
  const Vector b = random_vector(3, 1);
  Vector x;
  lu.solve(b, x);
  EXPECT_LT(residual_of(A, x, b), 1e-14);
}

TEST(ImplicitMatrixByLu, FactorizesEveryMatrixAndKeepsNone) {
  const auto pattern = grid_pattern(3, 6, 5, 5);
  const MassMatrix mass(Vector::Constant(pattern->rows(), 1));
  ImplicitMatrix A(mass, pattern, RefactorPolicy::automatic, 1e-6, LinearSolver::indefinite);
  const Vector rhs = random_vector(pattern->rows(), 3);
  Vector x;
  Work work;
  for (const unsigned seed : {1u, 2u, 3u}) {
    A.set({-3, 0, 1}, nullptr, random_stiffness(pattern, seed));
    for (int solve = 0; solve < 2; ++solve) ASSERT_EQ(A.solve(rhs, x, work), SolveStatus::ok);
    EXPECT_LT(residual_of(A.matrix(), x, rhs), kLuResidual);
    Vector z;
    A.precondition(rhs, z, work);
    EXPECT_LT((z - x).norm(), 1e-8 * x.norm());  // without refinement
  }
  EXPECT_EQ(work.factorizations, 3);
  EXPECT_EQ(work.cg_iterations, 0);
}

// An indefinite K with an indefinite low-rank part beside it: the conjugate gradients of a definite matrix do not
// serve.
TEST(ImplicitMatrixByLu, SolvesWithALowRankPart) {
  const auto pattern = grid_pattern(3, 4, 4, 4);
  const MassMatrix mass(Vector::Constant(pattern->rows(), 1));
  LowRank low;
  low.U.resize(pattern->rows(), 2);
  low.U << random_vector(pattern->rows(), 7).normalized(), random_vector(pattern->rows(), 8).normalized();
  low.MU = low.U;
  low.lambda = Vector::Constant(2, -1);
  low.scale = Vector::LinSpaced(2, -5, 4);
  low.damping = low.damping_scale = Vector::Zero(2);
  ImplicitMatrix A(mass, pattern, RefactorPolicy::automatic, 1e-6, LinearSolver::indefinite);
  const Vector rhs = random_vector(pattern->rows(), 3);
  Vector x, y;
  Work work;
  A.set({-3, 0, 1}, nullptr, random_stiffness(pattern, 1));
  A.add_low_rank(&low);
  ASSERT_EQ(A.solve(rhs, x, work), SolveStatus::ok);
  A.matrix().apply(x, y);
  y += low.MU * low.scale.asDiagonal() * (low.MU.transpose() * x);
  EXPECT_LT((y - rhs).norm(), kLuResidual * rhs.norm());
}

}  // namespace
}  // namespace phiflex

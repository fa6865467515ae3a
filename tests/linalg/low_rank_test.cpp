#include "phiflex/linalg/low_rank.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/modes.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_stiffness;
using testing::random_vector;

constexpr double kTightTolerance = 1e-10;
constexpr Shift kShift{1, 0.1, 0.04};

// Modes 1 to 5 of a random pencil, moved by these factors.
class LowRankTest : public ::testing::Test {
 protected:
  LowRankTest() {
    set_blas_threads(1);
    Work unused;
    const AssembledPencil pencil(K_, mass_);
    EXPECT_EQ(compute_modes(pencil, 5, {.tolerance = 1e-12}, modes_, unused), ModesStatus::ok);
    low_.U = modes_.U;
    mass_.apply(low_.U, low_.MU);
    low_.lambda = modes_.lambda;
    low_.scale = (factors_.array() - 1) * modes_.lambda.array();
    low_.damping = 0.3 * Vector::Ones(5) + 0.02 * modes_.lambda;  // of D = 0.3 M + 0.02 K
    low_.damping_scale = 0.02 * low_.scale;
    D_.set(0.02, K_);
    mass_.add_to(0.3, D_);
  }
  static Matrix dense(const SparseMatrix& A) { return Matrix(A.to_eigen()); }
  Matrix dense_whole() const {
    const Matrix W = low_.MU;
    const Vector factors = kShift.c * low_.scale + kShift.b * low_.damping_scale;
    return kShift.a * Matrix(mass_.diagonal().asDiagonal()) + kShift.b * dense(D_) + kShift.c * dense(K_) +
           W * factors.asDiagonal() * W.transpose();
  }

  std::shared_ptr<const SparsityPattern> pattern_ = grid_pattern(3, 4, 5, 6);
  Vector masses_ = random_vector(pattern_->rows(), 7).cwiseAbs() + Vector::Ones(pattern_->rows());
  MassMatrix mass_{masses_};
  SparseMatrix K_ = random_stiffness(pattern_, 1), D_{pattern_};
  Vector factors_{{0.5, 0.8, 1.0, 1.7, 0.3}};
  Modes modes_;
  LowRank low_;
  Vector rhs_ = random_vector(pattern_->rows(), 3), x_;
  Work work_;
};

TEST_F(LowRankTest, TheSolveEqualsTheDenseOne) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTightTolerance);
  A.set(kShift, &D_, K_);
  A.add_low_rank(&low_);
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  const Vector expected = dense_whole().ldlt().solve(rhs_);
  // The residual's tolerance, times the condition of A, some hundreds.
  EXPECT_LT((x_ - expected).norm(), 1e3 * kTightTolerance * expected.norm());
}

TEST_F(LowRankTest, ExactPairsMakeTheFirstIterateTheSolution) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, 1e-6);
  A.set(kShift, &D_, K_);
  A.add_low_rank(&low_);
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  EXPECT_EQ(work_.factorizations, 1);
  EXPECT_LE(work_.cg_iterations, 2);  // the second is the free one after the test
}

TEST_F(LowRankTest, RoughPairsAndAKeptFactorizationStillSolveToTheTolerance) {
  const Matrix noise = Matrix::Random(low_.U.rows(), low_.U.cols());
  low_.U += 0.02 * noise * low_.U.norm() / noise.norm();
  mass_.apply(low_.U, low_.MU);
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTightTolerance);
  SparseMatrix earlier = K_;
  earlier.add(0.2, random_stiffness(pattern_, 9));
  A.set(kShift, &D_, earlier);
  ASSERT_EQ(A.refactor(work_), SolveStatus::ok);
  A.set(kShift, &D_, K_);
  A.add_low_rank(&low_);
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  const Vector expected = dense_whole().ldlt().solve(rhs_);
  EXPECT_LT((x_ - expected).norm(), 1e3 * kTightTolerance * expected.norm());
}

TEST_F(LowRankTest, WoodburysFormulaIsExactForRoughPairsToo) {
  const Matrix noise = Matrix::Random(low_.U.rows(), low_.U.cols());
  low_.U += 0.02 * noise * low_.U.norm() / noise.norm();
  mass_.apply(low_.U, low_.MU);
  low_.solve = LowRankSolve::woodbury;
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, 0.1);  // a tolerance that it has no use for
  for (const int seed : {9, 1}) {
    K_ = random_stiffness(pattern_, seed);
    A.set(kShift, &D_, K_);
    A.add_low_rank(&low_);
    for (int again = 0; again < 2; ++again) {
      ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
      const Vector expected = dense_whole().ldlt().solve(rhs_);
      EXPECT_LT((x_ - expected).norm(), 1e-11 * expected.norm());
    }
  }
  EXPECT_EQ(work_.factorizations, 2);
  EXPECT_EQ(work_.solves, 2 * (5 + 2));  // the modes once for each matrix
  EXPECT_EQ(work_.cg_iterations, 0);
}

TEST_F(LowRankTest, AnEmptyPartChangesNotABit) {
  ImplicitMatrix with(mass_, pattern_, RefactorPolicy::automatic, kTightTolerance);
  ImplicitMatrix without(mass_, pattern_, RefactorPolicy::automatic, kTightTolerance);
  low_.clear();
  Vector y;
  Work other;
  for (int seed = 1; seed < 5; ++seed) {
    const SparseMatrix K = random_stiffness(pattern_, seed);
    with.set(kShift, &D_, K);
    with.add_low_rank(&low_);
    without.set(kShift, &D_, K);
    ASSERT_EQ(with.solve(rhs_, x_, work_), SolveStatus::ok);
    ASSERT_EQ(without.solve(rhs_, y, other), SolveStatus::ok);
    EXPECT_EQ(x_, y);
  }
  EXPECT_EQ(work_.cg_iterations, other.cg_iterations);
}

TEST_F(LowRankTest, ModesOfThePencilAreTheMovedOnes) {
  const AssembledPencil pencil(K_, mass_, &low_);
  Modes moved;
  ASSERT_EQ(compute_modes(pencil, 5, {.tolerance = 1e-10}, moved, work_), ModesStatus::ok);
  Vector expected = (low_.lambda + low_.scale).eval();
  std::sort(expected.begin(), expected.end());
  // The grid is free: three zeros, and two moved values that stay below the sixth. Eigenvalues are accurate to
  // the square of their residuals, and to rounding of the largest, about 10.
  EXPECT_LT((moved.lambda - expected).cwiseAbs().maxCoeff(), 1e-13);
}

TEST_F(LowRankTest, AModeMovedBelowZeroIsReportedAsNotPositiveDefinite) {
  low_.scale[0] = -modes_.lambda[0] - 2 * (kShift.a + kShift.b * low_.damping[0]) / kShift.c;
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTightTolerance);
  A.set(kShift, &D_, K_);
  A.add_low_rank(&low_);
  EXPECT_EQ(A.solve(rhs_, x_, work_), SolveStatus::not_positive_definite);
}

}  // namespace
}  // namespace phiflex

#include "phiflex/linalg/kept_inverse.h"

#include <gtest/gtest.h>

#include "phiflex/linalg/implicit_matrix.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_stiffness;
using testing::random_vector;

Vector scattered_positions(const SparsityPattern& pattern) {
  return random_vector(pattern.rows(), 17);
}

TEST(KeptInverse, AutomaticFactorizesSmallBodiesAndSaysNothing) {
  const KeptInverse kept(grid_pattern(3, 6, 6, 6), LinearSolver::automatic);
  EXPECT_EQ(kept.solver(), LinearSolver::factorization);
  EXPECT_TRUE(kept.is_exact());
  EXPECT_EQ(kept.reason(), "");
}

TEST(KeptInverse, AutomaticTakesAMultigridForLargeBodiesAndSaysWhy) {
  const KeptInverse kept(grid_pattern(3, 60, 50, 50), LinearSolver::automatic);
  EXPECT_EQ(kept.solver(), LinearSolver::multigrid);
  EXPECT_FALSE(kept.is_exact());
  EXPECT_NE(kept.reason(), "");
}

TEST(KeptInverse, OfPlaneBodiesIsAFactorization) {
  EXPECT_EQ(KeptInverse(grid_pattern(2, 4, 4, 4), LinearSolver::automatic).solver(),
            LinearSolver::factorization);
  EXPECT_THROW(KeptInverse(grid_pattern(2, 4, 4, 4), LinearSolver::multigrid), std::invalid_argument);
}

class ImplicitMultigrid : public ::testing::Test {
 protected:
  std::shared_ptr<const SparsityPattern> pattern_ = grid_pattern(3, 12, 9, 9);
  MassMatrix mass_{Vector::Constant(pattern_->rows(), 0.01)};
  SparseMatrix K_ = random_stiffness(pattern_, 1), later_ = random_stiffness(pattern_, 2);
  Vector rhs_ = random_vector(pattern_->rows(), 3);
  Work work_;

  ImplicitMatrix make(LinearSolver solver, double tolerance) {
    ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, tolerance, solver);
    A.set_positions(scattered_positions(*pattern_));
    return A;
  }
};

TEST_F(ImplicitMultigrid, SolvesToItsTolerance) {
  ImplicitMatrix A = make(LinearSolver::multigrid, 1e-10), exact = make(LinearSolver::factorization, 1e-10);
  ASSERT_TRUE(A.needs_positions());
  Vector x, x_exact;
  for (const SparseMatrix* K : {&K_, &later_}) {  // the second on the first one's multigrid
    A.set({1, 0, 1}, nullptr, *K);
    exact.set({1, 0, 1}, nullptr, *K);
    ASSERT_EQ(A.solve(rhs_, x, work_), SolveStatus::ok);
    ASSERT_EQ(exact.solve(rhs_, x_exact, work_), SolveStatus::ok);
    EXPECT_LE((x - x_exact).norm(), 1e-7 * x_exact.norm());
  }
}

TEST_F(ImplicitMultigrid, MeetsNegativeCurvature) {
  ImplicitMatrix A = make(LinearSolver::multigrid, 1e-8);
  A.set({1, 0, 1}, nullptr, K_);
  Vector x;
  ASSERT_EQ(A.solve(rhs_, x, work_), SolveStatus::ok);
  A.set({1, 0, -1}, nullptr, K_);
  EXPECT_EQ(A.solve(rhs_, x, work_), SolveStatus::not_positive_definite);
}

TEST_F(ImplicitMultigrid, PreconditionsAsAnInverseTo1em3) {
  ImplicitMatrix A = make(LinearSolver::multigrid, 1e-8);
  A.set({1, 0, 1}, nullptr, K_);
  ASSERT_EQ(A.refactor(work_), SolveStatus::ok);
  Vector z, product(rhs_.size());
  A.precondition(rhs_, z, work_);
  A.matrix().apply(z, product);
  EXPECT_LE((product - rhs_).norm(), 0.02 * rhs_.norm());  // 1e-3 in the norm of the preconditioner
}

TEST_F(ImplicitMultigrid, ARestartHasTheAggregatesOfTheFirstMatrix) {
  ImplicitMatrix A = make(LinearSolver::multigrid, 1e-8), resumed = make(LinearSolver::multigrid, 1e-8);
  A.set({1, 0, 1}, nullptr, K_);
  ASSERT_EQ(A.refactor(work_), SolveStatus::ok);
  A.set({1, 0, 1}, nullptr, later_);
  ASSERT_EQ(A.refactor(work_), SolveStatus::ok);
  ArchiveWriter out;
  A.save_structure(out);
  ArchiveReader in(out.bytes());
  resumed.load_structure(in);
  resumed.set({1, 0, 1}, nullptr, later_);
  ASSERT_EQ(resumed.refactor(work_), SolveStatus::ok);
  Vector x, x_resumed;
  ASSERT_EQ(A.solve(rhs_, x, work_), SolveStatus::ok);
  ASSERT_EQ(resumed.solve(rhs_, x_resumed, work_), SolveStatus::ok);
  EXPECT_EQ(x, x_resumed);
}

TEST_F(ImplicitMultigrid, AggregatesOfAnotherBodyAreRefused) {
  ImplicitMatrix A = make(LinearSolver::multigrid, 1e-8),
                 factorized = make(LinearSolver::factorization, 1e-8);
  ArchiveWriter wrong_size, none;
  wrong_size.put(std::int64_t{1});
  wrong_size.put(std::int64_t{1});
  wrong_size.put(std::vector<double>{0, 0, 1});
  ArchiveReader in(wrong_size.bytes());
  EXPECT_THROW(A.load_structure(in), ArchiveError);
  ArchiveReader again(wrong_size.bytes());
  EXPECT_THROW(factorized.load_structure(again), ArchiveError);
}

}  // namespace
}  // namespace phiflex

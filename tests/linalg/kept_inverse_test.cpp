#include "phiflex/linalg/kept_inverse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/linalg/implicit_matrix.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_rotations;
using testing::random_stiffness;
using testing::random_vector;

std::shared_ptr<const SparsityPattern> chain_pattern(int block, int vertices) {
  std::vector<Coupling> couplings;
  for (int i = 0; i + 1 < vertices; ++i) couplings.push_back({i, i + 1});
  return std::make_shared<SparsityPattern>(block, vertices, couplings);
}

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

// Sets the memory of rule (2), for a test.
class MemoryOf {
 public:
  explicit MemoryOf(double bytes) { set_memory_bytes(bytes); }
  ~MemoryOf() { set_memory_bytes(0); }
  MemoryOf(const MemoryOf&) = delete;
  MemoryOf& operator=(const MemoryOf&) = delete;
};

TEST(KeptInverse, AutomaticTakesAMultigridWhereAFactorizationWouldBeMoreWork) {
  const MemoryOf plenty(1e15);
  const auto pattern = grid_pattern(3, 44, 44, 44);  // rule (1) alone: below 150,000 block rows
  const KeptInverse kept(pattern, LinearSolver::automatic);
  EXPECT_EQ(kept.solver(), LinearSolver::multigrid);
  EXPECT_NE(kept.reason().find("times its work"), std::string::npos) << kept.reason();
}

TEST(KeptInverse, AFactorAndItsCopyTakeAtMostSixTenthsOfTheMemory) {
  const auto pattern = grid_pattern(3, 6, 6, 6);
  const double bytes =
      double(KeptInverse(pattern, LinearSolver::factorization).factorization().factor_bytes());
  for (const double memory : {1.01 * bytes / 0.6, 0.99 * bytes / 0.6}) {
    const MemoryOf machine(memory);
    const KeptInverse kept(pattern, LinearSolver::automatic);
    const bool fits = bytes <= 0.6 * memory;
    EXPECT_EQ(kept.solver(), fits ? LinearSolver::factorization : LinearSolver::multigrid);
    EXPECT_EQ(kept.reason().find("of memory") == std::string::npos, fits) << kept.reason();
  }
  EXPECT_GT(memory_bytes(), 1e6) << "the machine's";
}

TEST(KeptInverse, CountsTheCopyThatPreconditionMakes) {
  const auto pattern = grid_pattern(3, 12, 12, 12);
  CholeskyFactorization cholesky(pattern);
  SparseMatrix A = random_stiffness(pattern, 1);
  MassMatrix(Vector::Ones(pattern->rows())).add_to(1, A);
  ASSERT_EQ(cholesky.factorize(A), FactorStatus::ok);
  const double factor = 2 * cholesky.solve_operations();  // eight bytes for each of its numbers
  EXPECT_GE(double(cholesky.factor_bytes()), 1.5 * factor);
  EXPECT_LE(double(cholesky.factor_bytes()), 2 * factor);
}

// A long row of vertices, each coupled so that the smooth motion is the one that alternates in sign from vertex to
// vertex: no rigid motion tells a multigrid of it.
class HardForAMultigrid : public ::testing::Test {
 protected:
  HardForAMultigrid() {
    for (int i = 0; i < pattern_->block_rows(); ++i)
      for (int k = pattern_->row_start()[i]; k < pattern_->row_start()[i + 1]; ++k)
        for (int c = 0; c < 3; ++c) K_.block(k)[4 * c] = pattern_->column()[k] == i ? 2 : 1;
    K_.block(pattern_->diagonal(0))[0] += 1;
  }
  std::shared_ptr<const SparsityPattern> pattern_ = chain_pattern(3, 6000);
  MassMatrix mass_{Vector::Constant(pattern_->rows(), 1e-7)};
  SparseMatrix K_{pattern_};
  Vector rhs_ = random_vector(pattern_->rows(), 3), x_, product_;
  Work work_;

  ImplicitMatrix make() {
    ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, 1e-8, LinearSolver::multigrid);
    A.set_positions(scattered_positions(*pattern_));
    A.set({1, 0, 1}, nullptr, K_);
    return A;
  }
  double residual(const ImplicitMatrix& A) {
    A.matrix().apply(x_, product_);
    return (product_ - rhs_).norm() / rhs_.norm();
  }
};

TEST_F(HardForAMultigrid, ASolveThatGivesUpGoesOnWithAFactorization) {
  ImplicitMatrix A = make();
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  EXPECT_EQ(A.kept().solver(), LinearSolver::factorization);
  EXPECT_EQ(A.kept().reason(), "the multigrid did not converge");
  EXPECT_LE(residual(A), 1e-6);
  EXPECT_EQ(work_.factorizations, 2);
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  EXPECT_EQ(work_.factorizations, 2) << "the multigrid is not tried again";
}

TEST_F(HardForAMultigrid, APreconditionerThatGivesUpGoesOnWithAFactorization) {
  ImplicitMatrix A = make();
  ASSERT_EQ(A.refactor(work_), SolveStatus::ok);
  const BlockRotations R = random_rotations(pattern_->block_rows(), 0.3, 5);
  A.warp(R);
  A.precondition(rhs_, x_, work_);
  EXPECT_EQ(A.kept().reason(), "the multigrid did not converge");
  R.apply_transposed(x_);  // R A R' x = rhs
  R.apply_transposed(rhs_);
  EXPECT_LE(residual(A), 1e-3);
}

TEST_F(HardForAMultigrid, WithoutMemoryForAFactorizationItSaysThatItDidNotConverge) {
  const MemoryOf none(1e4);
  ImplicitMatrix A = make();
  EXPECT_EQ(A.solve(rhs_, x_, work_), SolveStatus::not_converged);
  EXPECT_EQ(A.kept().solver(), LinearSolver::multigrid);
  EXPECT_NE(A.kept().reason().find("of memory; conjugate gradients do not converge"), std::string::npos);
  A.precondition(rhs_, x_, work_);
  EXPECT_TRUE(x_.allFinite());
  EXPECT_EQ(work_.factorizations, 1);
}

TEST_F(HardForAMultigrid, ARestartOfAReplacedOneIsAFactorization) {
  ImplicitMatrix A = make(), resumed = make();
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  ArchiveWriter out;
  A.save_structure(out);
  ArchiveReader in(out.bytes());
  resumed.load_structure(in);
  EXPECT_EQ(resumed.kept().reason(), A.kept().reason());
  Vector x;
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  ASSERT_EQ(resumed.solve(rhs_, x, work_), SolveStatus::ok);
  EXPECT_EQ(x, x_);
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

// Springs 1e12 times as stiff as the others, which single precision, in which a multigrid keeps its finest level, does
// not tell from indefinite ones.
TEST_F(ImplicitMultigrid, ThatCannotBeBuiltOfADefiniteMatrixIsReplacedByAFactorization) {
  SparseMatrix stiff = K_;
  for (int i = 0; i < pattern_->block_rows(); i += 7)
    for (int k = pattern_->row_start()[i]; k < pattern_->row_start()[i + 1]; ++k) {
      const int j = pattern_->column()[k];
      if (j <= i) continue;
      const Vector v = random_vector(3, unsigned(k));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          const double s = 1e12 * v[r] * v[c];
          stiff.block(pattern_->diagonal(i))[3 * r + c] += s;
          stiff.block(pattern_->diagonal(j))[3 * r + c] += s;
          stiff.block(k)[3 * r + c] -= s;
          stiff.block(pattern_->find(j, i))[3 * r + c] -= s;
        }
    }
  ImplicitMatrix A = make(LinearSolver::multigrid, 1e-8);
  A.set({1, 0, 1}, nullptr, stiff);
  EXPECT_EQ(A.refactor(work_), SolveStatus::not_positive_definite) << "the caller is told first";
  A.set({1, 0, -1}, nullptr, K_);
  A.expect_definite();
  EXPECT_EQ(A.refactor(work_), SolveStatus::not_positive_definite);
  EXPECT_EQ(A.kept().solver(), LinearSolver::multigrid) << "no factorization exists, either";
  A.set({1, 0, 1}, nullptr, stiff);
  A.expect_definite();
  EXPECT_EQ(A.refactor(work_), SolveStatus::ok);
  EXPECT_EQ(A.kept().solver(), LinearSolver::factorization);
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

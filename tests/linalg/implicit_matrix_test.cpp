#include "phiflex/linalg/implicit_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_rotations;
using testing::random_stiffness;
using testing::random_vector;
using testing::turned;

constexpr double kTolerance = 1e-8;

// A stiffness that drifts away from where it started: K_t = (1 - t) K_0 + t K_1.
class DriftingStiffness {
 public:
  explicit DriftingStiffness(std::shared_ptr<const SparsityPattern> pattern)
      : start_(random_stiffness(pattern, 1)), end_(random_stiffness(pattern, 2)), now_(pattern) {}
  const SparseMatrix& at(double t) {
    now_.set(1 - t, start_);
    now_.add(t, end_);
    return now_;
  }

 private:
  SparseMatrix start_, end_, now_;
};

class ImplicitMatrixTest : public ::testing::Test {
 protected:
  ImplicitMatrixTest() { set_blas_threads(1); }

  // Sizes at which a factorization costs as much as many solves, as it does for the bodies of interest.
  std::shared_ptr<const SparsityPattern> pattern_ = grid_pattern(3, 9, 9, 9);
  MassMatrix mass_{Vector(Vector::Ones(pattern_->rows()))};
  DriftingStiffness stiffness_{pattern_};
  Vector rhs_ = random_vector(pattern_->rows(), 3);
  Vector x_;
  Work work_;

  double residual(const SparseMatrix& A, const Vector& x) const {
    Vector Ax;
    A.apply(x, Ax);
    return (Ax - rhs_).norm() / rhs_.norm();
  }
};

TEST_F(ImplicitMatrixTest, HoldsTheSumOfMassDampingAndStiffness) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  const SparseMatrix D = random_stiffness(pattern_, 5), K = random_stiffness(pattern_, 6);
  A.set({2, 0.5, 0.25}, &D, K);
  Vector Dx, Kx, Ax;
  D.apply(rhs_, Dx);
  K.apply(rhs_, Kx);
  A.matrix().apply(rhs_, Ax);
  // Sums of about 45 products below 10, as in the test of the product.
  EXPECT_LT((Ax - (2 * rhs_ + 0.5 * Dx + 0.25 * Kx)).cwiseAbs().maxCoeff(), 1e-12);
  A.set({2, 0.5, 0.25}, nullptr, K);
  A.matrix().apply(rhs_, Ax);
  EXPECT_LT((Ax - (2 * rhs_ + 0.25 * Kx)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(ImplicitMatrixTest, SolvesDirectlyWithACurrentFactorization) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  A.set({1, 0, 1}, nullptr, stiffness_.at(0));
  for (int repeat = 0; repeat < 3; ++repeat) ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  EXPECT_TRUE(A.factorization_is_current());
  EXPECT_EQ(work_.factorizations, 1);
  EXPECT_EQ(work_.solves, 3);
  EXPECT_EQ(work_.cg_iterations, 0);
  EXPECT_LT(residual(A.matrix(), x_), 1e-13);  // condition number below 40
}

TEST_F(ImplicitMatrixTest, MeetsItsToleranceWithAKeptFactorization) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  A.set({1, 0, 1}, nullptr, stiffness_.at(0));
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  A.set({1, 0, 1}, nullptr, stiffness_.at(0.05));
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  EXPECT_EQ(work_.factorizations, 1);
  EXPECT_FALSE(A.factorization_is_current());
  EXPECT_GT(work_.cg_iterations, 1);
  EXPECT_EQ(work_.solves, 1 + work_.cg_iterations);  // every solve with the kept one pays for a step
  EXPECT_EQ(work_.stiffness_products, work_.cg_iterations);
  // The test is on the norm of the preconditioner; norms differ by the square root of its condition, below 7.
  EXPECT_LT(residual(A.matrix(), x_), 7 * kTolerance);
}

TEST_F(ImplicitMatrixTest, RefactorsEveryTimeWhenToldSo) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::always, kTolerance);
  for (int step = 0; step < 4; ++step) {
    A.set({1, 0, 1}, nullptr, stiffness_.at(0.01 * step));
    ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
    ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  }
  EXPECT_EQ(work_.factorizations, 4);
  EXPECT_EQ(work_.cg_iterations, 0);
}

TEST_F(ImplicitMatrixTest, RefactorsAKeptFactorizationWhenTheMeanWorkBeginsToRise) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  double cycle = 0, last = 0;
  int sets = 0, cycles = 0;
  for (int step = 0; step < 400 && cycles < 3; ++step) {
    A.set({1, 0, 1}, nullptr, stiffness_.at(0.5 - 0.5 * std::cos(0.02 * step)));
    Work work;
    ASSERT_EQ(A.solve(rhs_, x_, work), SolveStatus::ok);
    const bool rising = sets > 0 && last * sets > cycle;
    EXPECT_EQ(work.factorizations == 1, rising || step == 0) << "step " << step;
    if (work.factorizations) {
      cycles += step > 0;
      cycle = A.factorization_work();
      sets = 0;
    }
    last = work.cg_iterations ? double(work.solves) * A.preconditioner_work() +
                                    double(work.stiffness_products) * A.product_work()
                              : A.solve_work();
    cycle += last;
    ++sets;
  }
  EXPECT_EQ(cycles, 3);
}

TEST_F(ImplicitMatrixTest, GivesUpAKeptFactorizationThatIsOfNoUse) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  A.set({1, 0, 0}, nullptr, stiffness_.at(0));
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  A.set({1, 0, 1e6}, nullptr, stiffness_.at(1));  // nothing like the identity before
  Work work;
  ASSERT_EQ(A.solve(rhs_, x_, work), SolveStatus::ok);
  EXPECT_EQ(work.factorizations, 1);
  EXPECT_TRUE(A.factorization_is_current());
  // What was spent before it was given up is less than the factorization itself.
  EXPECT_LT(double(work.cg_iterations) * (A.preconditioner_work() + A.product_work()),
            A.factorization_work());
}

TEST_F(ImplicitMatrixTest, ReportsAnIndefiniteMatrixWithAndWithoutAKeptFactorization) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  A.set({-1, 0, 1}, nullptr, stiffness_.at(0));
  EXPECT_EQ(A.solve(rhs_, x_, work_), SolveStatus::not_positive_definite);
  EXPECT_FALSE(A.has_factorization());

  A.set({1, 0, 1}, nullptr, stiffness_.at(0));
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  A.set({-1, 0, 1}, nullptr, stiffness_.at(0));
  EXPECT_EQ(A.solve(rhs_, x_, work_), SolveStatus::not_positive_definite);

  A.set({1, 0, 1}, nullptr, stiffness_.at(0));
  EXPECT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  EXPECT_LT(residual(A.matrix(), x_), 7 * kTolerance);
}

TEST_F(ImplicitMatrixTest, ReportsNumbersThatAreNotFinite) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  A.set({nan, 0, 1}, nullptr, stiffness_.at(0));
  EXPECT_EQ(A.solve(rhs_, x_, work_), SolveStatus::not_finite);
  A.set({1, 0, 1}, nullptr, stiffness_.at(0));
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  A.set({nan, 0, 1}, nullptr, stiffness_.at(0));
  EXPECT_EQ(A.solve(rhs_, x_, work_), SolveStatus::not_finite);
  rhs_[7] = nan;
  A.set({1, 0, 1}, nullptr, stiffness_.at(0));
  EXPECT_EQ(A.solve(rhs_, x_, work_), SolveStatus::not_finite);
}

TEST_F(ImplicitMatrixTest, SolvesForZeroWithoutIterating) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  A.set({1, 0, 1}, nullptr, stiffness_.at(0));
  ASSERT_EQ(A.refactor(work_), SolveStatus::ok);
  A.set({1, 0, 1}, nullptr, stiffness_.at(0.1));
  ASSERT_EQ(A.solve(Vector::Zero(A.matrix().rows()), x_, work_), SolveStatus::ok);
  EXPECT_EQ(x_, Vector(Vector::Zero(A.matrix().rows())));
  EXPECT_EQ(work_.cg_iterations, 0);
}

// One run of many steps, and the same run saved, forgotten and resumed at some step.
struct History {
  std::vector<Vector> solutions;
  std::vector<long> factorizations, iterations;
};

TEST_F(ImplicitMatrixTest, ContinuesAfterALoadWithTheSameBitsAndTheSameDecisions) {
  const auto drift = [](int step) { return 0.5 - 0.5 * std::cos(0.04 * step); };
  const auto step_with = [&](ImplicitMatrix& A, int step, History& run) {
    A.set({1, 0, 1}, nullptr, stiffness_.at(drift(step)));
    Work work;
    ASSERT_EQ(A.solve(rhs_, x_, work), SolveStatus::ok);
    run.solutions.push_back(x_);
    run.factorizations.push_back(work.factorizations);
    run.iterations.push_back(work.cg_iterations);
  };
  constexpr int kSteps = 30;
  History whole;
  ImplicitMatrix uninterrupted(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  for (int step = 0; step < kSteps; ++step) step_with(uninterrupted, step, whole);
  ASSERT_GT(std::count(whole.factorizations.begin(), whole.factorizations.end(), 1), 1);

  for (const int stop : {1, 8, 19}) {
    History resumed;
    std::string saved;
    int factorized_at = 0;
    {
      ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
      for (int step = 0; step < stop; ++step) {
        step_with(A, step, resumed);
        if (A.factorization_is_current()) factorized_at = step;
      }
      ArchiveWriter out;
      A.save(out);
      saved = out.bytes();
    }
    ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
    A.set({1, 0, 1}, nullptr, stiffness_.at(drift(factorized_at)));
    ASSERT_EQ(A.refactor(work_), SolveStatus::ok);
    ArchiveReader in(saved);
    A.load(in);
    EXPECT_TRUE(in.at_end());
    for (int step = stop; step < kSteps; ++step) step_with(A, step, resumed);
    EXPECT_EQ(resumed.factorizations, whole.factorizations);
    EXPECT_EQ(resumed.iterations, whole.iterations);
    EXPECT_TRUE(resumed.solutions == whole.solutions) << "stopped at " << stop;
  }
}

TEST_F(ImplicitMatrixTest, RefusesToLoadWithoutTheFactorizationThatWasKept) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  A.set({1, 0, 1}, nullptr, stiffness_.at(0));
  ASSERT_EQ(A.refactor(work_), SolveStatus::ok);
  ArchiveWriter out;
  A.save(out);
  ImplicitMatrix B(mass_, pattern_, RefactorPolicy::automatic, kTolerance);
  ArchiveReader in(out.bytes());
  EXPECT_THROW(B.load(in), ArchiveError);
}

TEST_F(ImplicitMatrixTest, WorksWithAConsistentMass) {
  SparseMatrix M = random_stiffness(pattern_, 9);
  M.add_to_diagonal(1, Vector::Ones(M.rows()));
  const MassMatrix consistent(std::move(M));
  ImplicitMatrix A(consistent, pattern_, RefactorPolicy::automatic, kTolerance);
  A.set({1, 0, 0.1}, nullptr, stiffness_.at(0));
  ASSERT_EQ(A.solve(rhs_, x_, work_), SolveStatus::ok);
  Vector Mx, Kx;
  consistent.apply(x_, Mx);
  stiffness_.at(0).apply(x_, Kx);
  EXPECT_LT((Mx + 0.1 * Kx - rhs_).norm(), 1e-12 * rhs_.norm());
}

// A body that turned, every vertex as it likes: A = R A_0 R', with masses that are the same along all axes. The
// kept factor is rounded to single precision, 6e-8, and the condition number is below 40: an iteration takes six
// digits off, and two of them meet this tolerance.
class WarpedFactorization : public ImplicitMatrixTest {
 protected:
  static constexpr double kCoarse = 1e-5;
  WarpedFactorization() {
    A_.set({1, 0, 1}, nullptr, K_);
    EXPECT_EQ(A_.refactor(work_), SolveStatus::ok);
  }
  Work solve() {
    Work work;
    EXPECT_EQ(A_.solve(rhs_, x_, work), SolveStatus::ok);
    EXPECT_LT(residual(A_.matrix(), x_), 7 * kCoarse);  // norms as above
    return work;
  }

  const SparseMatrix K_ = stiffness_.at(0);
  const BlockRotations R_ = random_rotations(pattern_->block_rows(), 0.5, 21);
  const SparseMatrix turned_ = turned(K_, R_);
  ImplicitMatrix A_{mass_, pattern_, RefactorPolicy::automatic, kCoarse};
};

TEST_F(WarpedFactorization, SolvesWithATurnedMatrixInTwoIterations) {
  A_.set({1, 0, 1}, nullptr, turned_);
  A_.warp(R_);
  const Work warped = solve();
  EXPECT_LE(warped.cg_iterations, 2);
  EXPECT_EQ(warped.factorizations, 0);
}

TEST_F(WarpedFactorization, WithoutTheWarpTakesManyIterationsOrIsGivenUp) {
  A_.set({1, 0, 1}, nullptr, turned_);
  const Work straight = solve();
  EXPECT_TRUE(straight.cg_iterations >= 8 || straight.factorizations == 1) << straight.cg_iterations;
}

TEST_F(WarpedFactorization, OfNoRotationsIsTheKeptOne) {
  A_.set({1, 0, 1}, nullptr, K_);
  A_.warp({});
  EXPECT_LE(solve().cg_iterations, 2);
}

TEST_F(WarpedFactorization, IsStraightAgainAfterTheNextSet) {
  A_.set({1, 0, 1}, nullptr, turned_);
  A_.warp(R_);
  A_.set({1, 0, 1}, nullptr, K_);
  const Work straight = solve();
  EXPECT_LE(straight.cg_iterations, 2);
  EXPECT_EQ(straight.factorizations, 0);
}

TEST_F(WarpedFactorization, IsStraightAgainAfterAFactorization) {
  A_.set({1, 0, 1}, nullptr, turned_);
  A_.warp(R_);
  ASSERT_EQ(A_.refactor(work_), SolveStatus::ok);
  Vector z;
  A_.precondition(rhs_, z, work_);
  EXPECT_LT(residual(A_.matrix(), z), 40 * 6e-8);
}

TEST_F(WarpedFactorization, PreconditionsBlocksAsItPreconditionsVectors) {
  A_.set({1, 0, 1}, nullptr, turned_);
  A_.warp(R_);
  Matrix block(rhs_.size(), 2), Z;
  block.col(0) = rhs_;
  block.col(1) = random_vector(rhs_.size(), 22);
  A_.precondition(block, Z, work_);
  for (Index j = 0; j < block.cols(); ++j) {
    Vector z;
    A_.precondition(block.col(j), z, work_);
    EXPECT_LT((Z.col(j) - z).norm(), 40 * 6e-8 * z.norm());
  }
}

}  // namespace
}  // namespace phiflex

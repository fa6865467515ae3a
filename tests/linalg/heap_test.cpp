// No heap allocation in a steady time loop, those of the libraries included.
#include <gtest/gtest.h>

#include "phiflex/linalg/followed_modes.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "tests/allocation_counter.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::allocations_of;
using testing::grid_pattern;
using testing::random_stiffness;
using testing::random_vector;

class SteadyLoop : public ::testing::Test {
 protected:
  void SetUp() override {
    PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
    set_blas_threads(1);
    ASSERT_GT(allocations_of([] { Vector x(100); }), 0) << "the counter sees Eigen's vectors";
  }
  std::shared_ptr<const SparsityPattern> pattern_ = grid_pattern(3, 12, 8, 8);
  SparseMatrix K_ = random_stiffness(pattern_, 1), K_other_ = random_stiffness(pattern_, 2);
  MassMatrix mass_{Vector(Vector::Ones(pattern_->rows()))};
  Vector rhs_ = random_vector(pattern_->rows(), 3), x_;
};

TEST_F(SteadyLoop, OfFactorizationsAllocatesNothing) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::always, 1e-8);
  Work work;
  const auto step = [&](const SparseMatrix& K) {
    A.set({1, 0, 1}, nullptr, K);
    ASSERT_EQ(A.solve(rhs_, x_, work), SolveStatus::ok);
  };
  step(K_);
  step(K_other_);
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 5; ++i) step(i % 2 ? K_ : K_other_);
            }),
            0);
  EXPECT_EQ(work.factorizations, 7);
}

TEST_F(SteadyLoop, WithAKeptFactorizationAllocatesNothing) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, 1e-8);
  Work work;
  const auto step = [&](double shift) {
    A.set({shift, 0, 1}, nullptr, K_);
    ASSERT_EQ(A.solve(rhs_, x_, work), SolveStatus::ok);
  };
  step(1);
  step(1.1);
  const long factorizations = work.factorizations;
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 40; ++i) step(1.2 + 0.1 * i);
            }),
            0);
  EXPECT_GT(work.cg_iterations, 40);
  EXPECT_GT(work.factorizations, factorizations) << "the loop met a refactorization too";
}

TEST_F(SteadyLoop, OfAFailedFactorizationAllocatesNothing) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::always, 1e-8);
  Work work;
  const auto step = [&](double shift) {
    A.set({shift, 0, 1}, nullptr, K_);
    (void)A.solve(rhs_, x_, work);
  };
  step(1);
  step(-1);
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 4; ++i) step(i % 2 ? 1 : -1);
            }),
            0);
}

TEST_F(SteadyLoop, OfProductsAllocatesNothing) {
  Vector y;
  K_.apply(rhs_, y);
  EXPECT_EQ(allocations_of([&] {
              K_.apply(rhs_, y);
              K_.set(2, K_other_);
              K_.add(1, K_other_);
              mass_.add_to(1, K_);
              mass_.apply(rhs_, y);
              mass_.solve(rhs_, y);
            }),
            0);
}

TEST_F(SteadyLoop, OfProductsAndSolvesWithBlocksAllocatesNothing) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, 1e-8);
  Work work;
  A.set({1, 0, 1}, nullptr, K_);
  ASSERT_EQ(A.prepare(work), SolveStatus::ok);
  const Matrix X = rhs_.replicate(1, 3);
  Matrix Y;
  const auto step = [&] {
    K_.apply(X, Y);
    mass_.apply(X, Y);
    mass_.solve(X, Y);
    A.precondition(X, Y, work);
  };
  step();
  EXPECT_EQ(allocations_of(step), 0);
}

TEST_F(SteadyLoop, OfFollowedModesAllocatesNothing) {
  ImplicitMatrix A(mass_, pattern_, RefactorPolicy::automatic, 1e-8);
  const AssembledPencil pencil(K_, mass_);
  ImplicitShiftInverse inverse(A);
  FollowedModes modes(12);
  Work work;
  const auto step = [&] {
    K_.add(0.02, K_other_);
    A.set({1, 0, 50}, nullptr, K_);
    ASSERT_EQ(modes.update(pencil, inverse, work), ModesStatus::ok);
  };
  for (int i = 0; i < 8; ++i) step();  // a cold start, and then the memory of some steps fills
  const long solves = work.solves;
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 5; ++i) step();
            }),
            0);
  EXPECT_GT(work.solves, solves) << "the loop met sweeps";
}

}  // namespace
}  // namespace phiflex

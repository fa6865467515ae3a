#include "phiflex/linalg/followed_modes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/linalg/shift_inverse.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_rotations;
using testing::random_stiffness;
using testing::random_vector;
using testing::turned;

constexpr Index kWanted = 6, kGuards = 2;
constexpr double kModesTolerance = 0.05;

// A body whose stiffness changes with time, its modes at t = 0, and an inverse of that time.
class FollowedModesTest : public ::testing::Test {
 protected:
  FollowedModesTest() {
    move_to(0);
    EXPECT_EQ(compute_modes(pencil_, kWanted + kGuards, {}, start_, work_), ModesStatus::ok);
    s_ = 10 / start_.lambda[0];
    matrix_.set({1, 0, s_}, nullptr, K_);
    EXPECT_EQ(matrix_.refactor(work_), SolveStatus::ok);
    work_ = {};
  }
  void move_to(double t) {
    K_.set(1, K0_);
    K_.add(std::sin(t), K1_);
    mass_.add_to(0.2, K_);  // no rigid modes
  }
  ModesStatus update(FollowedModes& followed) {
    return followed.update(
        pencil_, inverse_, [this]() -> const BlockRotations& { return R_; }, work_);
  }

  std::shared_ptr<const SparsityPattern> pattern_ = grid_pattern(3, 9, 6, 5);
  SparseMatrix K0_ = random_stiffness(pattern_, 10), K1_ = random_stiffness(pattern_, 11), K_ = K0_;
  MassMatrix mass_{(1.5 + 0.5 * random_vector(pattern_->rows(), 12).array()).matrix()};
  AssembledPencil pencil_{K_, mass_};
  ImplicitMatrix matrix_{mass_, pattern_, RefactorPolicy::automatic, 1e-6};
  ImplicitShiftInverse inverse_{matrix_};
  Modes start_;
  double s_ = 0;
  BlockRotations R_;
  Work work_;
};

TEST_F(FollowedModesTest, ThatDoNotChangeAreKeptWithoutASolve) {
  FollowedModes followed(start_, kWanted, kModesTolerance);
  ASSERT_EQ(update(followed), ModesStatus::ok);
  EXPECT_FALSE(followed.refreshed());
  EXPECT_EQ(work_.solves, 0);
  EXPECT_EQ(work_.stiffness_products, 1);
  EXPECT_LE(followed.error(), 1e-6);
}

// Stiff parts of a body that hardly move fill the residual, not the energy.
TEST_F(FollowedModesTest, KeptByEitherMeasureAreRefreshedLessOftenAndStayNear) {
  constexpr double tolerance = 0.1;
  FollowedModes by_residual(kWanted, tolerance),
      by_either(kWanted, tolerance, FollowedModes::Keeping::by_either);
  int refreshed_by_residual = 0, refreshed_by_either = 0;
  for (int step = 0; step <= 40; ++step) {
    move_to(0.01 * step);
    ASSERT_EQ(update(by_residual), ModesStatus::ok);
    ASSERT_EQ(update(by_either), ModesStatus::ok);
    refreshed_by_residual += by_residual.refreshed() ? 1 : 0;
    refreshed_by_either += by_either.refreshed() ? 1 : 0;
    EXPECT_LE(by_either.error(), tolerance);
    Modes cold;
    ASSERT_EQ(compute_modes(pencil_, kWanted, {}, cold, work_), ModesStatus::ok);
    Matrix KU;
    pencil_.apply_K(by_either.modes().U, KU);
    double excess = 0;
    for (Index i = 0; i < kWanted; ++i)
      excess += by_either.modes().U.col(i).dot(KU.col(i)) / cold.lambda[i] - 1;
    EXPECT_LE(excess, 2 * kWanted * tolerance * tolerance) << "(3) has an error of its own";
  }
  EXPECT_LT(refreshed_by_either, refreshed_by_residual);
}

// (1): e_i^2 is what lambda_i is too large by, relative; the tolerance bounds its mean over the modes. Modes that are
// kept have the lambda of the latest refresh: their Rayleigh quotients are compared.
TEST_F(FollowedModesTest, HaveEigenvaluesWithinTheSquareOfTheirTolerance) {
  FollowedModes followed(start_, kWanted, kModesTolerance);
  int kept = 0, refreshed = 0;
  for (int step = 1; step <= 40; ++step) {
    move_to(0.01 * step);
    ASSERT_EQ(update(followed), ModesStatus::ok);
    ++(followed.refreshed() ? refreshed : kept);
    Modes cold;
    ASSERT_EQ(compute_modes(pencil_, kWanted, {}, cold, work_), ModesStatus::ok);
    Matrix KU;
    pencil_.apply_K(followed.modes().U, KU);
    double excess = 0;
    for (Index i = 0; i < kWanted; ++i)
      excess += followed.modes().U.col(i).dot(KU.col(i)) / cold.lambda[i] - 1;
    EXPECT_GE(excess, -1e-9) << "the sum of the lowest eigenvalues is a minimum";
    // (2) is one sample of a sum with cross terms: twice the tolerance is not exceeded.
    EXPECT_LE(excess / kWanted, 4 * kModesTolerance * kModesTolerance) << "step " << step;
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(refreshed, 0);
}

TEST_F(FollowedModesTest, OfABodyThatTurnsAreTurnedAndNotSoughtAgain) {
  // Masses of a block are one number where a body turns.
  Vector masses = mass_.diagonal();
  for (Index v = 0; v < masses.size() / 3; ++v) masses.segment<3>(3 * v).setConstant(masses[3 * v]);
  const MassMatrix mass(masses);
  K_.set(1, K0_);
  mass.add_to(0.2, K_);
  Modes start;
  ASSERT_EQ(compute_modes(AssembledPencil(K_, mass), kWanted, {}, start, work_), ModesStatus::ok);
  FollowedModes turning(start, kWanted, kModesTolerance);
  R_ = random_rotations(pattern_->block_rows(), 1, 5);
  const SparseMatrix K = turned(K_, R_);
  const AssembledPencil pencil(K, mass);
  const auto rotations = [this]() -> const BlockRotations& { return R_; };
  work_ = {};
  ASSERT_EQ(turning.update(pencil, inverse_, rotations, work_), ModesStatus::ok);
  EXPECT_TRUE(turning.turned());
  EXPECT_FALSE(turning.refreshed());
  EXPECT_EQ(work_.mode_sweeps, 0);
}

TEST_F(FollowedModesTest, OfAnotherBodyAreFoundToo) {
  FollowedModes followed(start_, kWanted, 1e-7);
  K_.set(1, K1_);
  mass_.add_to(0.2, K_);
  ASSERT_EQ(update(followed), ModesStatus::ok);
  EXPECT_TRUE(followed.refreshed());
  Modes cold;
  ASSERT_EQ(compute_modes(pencil_, kWanted, {}, cold, work_), ModesStatus::ok);
  for (Index i = 0; i < kWanted; ++i)
    EXPECT_NEAR(followed.modes().lambda[i], cold.lambda[i], 1e-9 * cold.lambda[i]);
}

TEST_F(FollowedModesTest, GoOnBitForBitAfterTheyWereSaved) {
  FollowedModes followed(start_, kWanted, kModesTolerance), resumed(start_, kWanted, kModesTolerance);
  for (int step = 1; step <= 10; ++step) {
    move_to(0.03 * step);
    ASSERT_EQ(update(followed), ModesStatus::ok);
  }
  ArchiveWriter out;
  followed.save(out);
  ArchiveReader in(out.bytes());
  resumed.load(in);
  for (int step = 11; step <= 20; ++step) {
    move_to(0.03 * step);
    ASSERT_EQ(update(followed), ModesStatus::ok);
    ASSERT_EQ(update(resumed), ModesStatus::ok);
    EXPECT_EQ(followed.modes().U, resumed.modes().U);
    EXPECT_EQ(followed.modes().lambda, resumed.modes().lambda);
  }
}

}  // namespace
}  // namespace phiflex

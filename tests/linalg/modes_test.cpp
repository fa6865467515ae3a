#include "phiflex/linalg/modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/followed_modes.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_rotations;
using testing::random_stiffness;
using testing::random_vector;
using testing::turned;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

Vector some_masses(Index size, unsigned seed) {
  return (1.5 + 0.5 * random_vector(size, seed).array()).matrix();  // between 1 and 2
}

// Diagonally dominant on the couplings of a pattern: positive definite.
SparseMatrix some_consistent_mass(const std::shared_ptr<const SparsityPattern>& pattern) {
  SparseMatrix M(pattern);
  const int b = pattern->block();
  for (int i = 0; i < pattern->block_rows(); ++i)
    for (int k = pattern->row_start()[i]; k < pattern->row_start()[i + 1]; ++k)
      for (int r = 0; r < b; ++r) M.block(k)[(b + 1) * r] = pattern->column()[k] == i ? 2.0 : 0.1;
  return M;
}

// `copies` chains of n unit masses and springs each between two walls, not connected to each other:
// lambda_k = 4 sin^2(k pi / (2 (n + 1))), each `copies` times.
struct Chains {
  Chains(int copies, int n) : length(n) {
    std::vector<Coupling> couplings;
    for (int i = 0; i + 1 < copies * n; ++i)
      if ((i + 1) % n != 0) couplings.push_back({i, i + 1});
    pattern = std::make_shared<SparsityPattern>(1, copies * n, couplings);
    K = std::make_unique<SparseMatrix>(pattern);
    for (int i = 0; i < copies * n; ++i)
      for (int k = pattern->row_start()[i]; k < pattern->row_start()[i + 1]; ++k)
        *K->block(k) = pattern->column()[k] == i ? 2 : -1;
    mass = std::make_unique<MassMatrix>(Vector(Vector::Ones(copies * n)));
  }
  double lambda(int k) const { return 4 * std::pow(std::sin(k * std::numbers::pi / (2 * (length + 1))), 2); }
  int length;
  std::shared_ptr<const SparsityPattern> pattern;
  std::unique_ptr<SparseMatrix> K;
  std::unique_ptr<MassMatrix> mass;
};

Vector dense_eigenvalues(const AssembledPencil& pencil) {
  Matrix M = pencil.mass().diagonal().asDiagonal();
  if (pencil.mass().matrix()) M = Matrix(pencil.mass().matrix()->to_eigen());
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(Matrix(pencil.K().to_eigen()), M).eigenvalues();
}

// The defining properties: M-orthonormal, ascending, and the residual (2) as reported, below the tolerance or
// of the size of rounding.
void expect_modes(const AssembledPencil& pencil, const Modes& modes, double tolerance) {
  Matrix KU, MU;
  pencil.apply_K(modes.U, KU);
  pencil.mass().apply(modes.U, MU);
  const Matrix gram = modes.U.transpose() * MU;
  EXPECT_LT((gram - Matrix::Identity(modes.count(), modes.count())).cwiseAbs().maxCoeff(),
            1e3 * kEpsilon * double(modes.count()));
  const double norm = pencil.norm();
  double largest = std::max(modes.lambda.cwiseAbs().maxCoeff(), 1e-8 * norm);
  if (modes.count() < 7) {  // the scale of rigid modes is then that of the first elastic mode
    Modes more;
    Work work;
    ASSERT_EQ(compute_modes(pencil, std::min<Index>(7, pencil.size()), {}, more, work), ModesStatus::ok);
    largest = std::max(largest, more.lambda.cwiseAbs().maxCoeff());
  }
  for (Index i = 0; i < modes.count(); ++i) {
    EXPECT_LE(modes.lambda[std::max<Index>(i - 1, 0)], modes.lambda[i]);
    const double r = (KU.col(i) - modes.lambda[i] * MU.col(i)).norm();
    const bool rigid = std::abs(modes.lambda[i]) <= 1e-6 * largest;
    const double scale = rigid ? largest * MU.col(i).norm() : KU.col(i).norm();
    const double rounding = 200 * kEpsilon * norm * MU.col(i).norm();
    EXPECT_LE(r, std::max(tolerance * scale, rounding)) << "mode " << i;
    if (!rigid) {  // the scale of the rigid ones is an estimate
      EXPECT_NEAR(modes.residual[i], r / scale, 0.01 * r / scale + rounding / scale) << "mode " << i;
    }
  }
}

TEST(Modes, OfAChainHaveTheKnownFrequencies) {
  const Chains chain(1, 2000);
  const AssembledPencil pencil(*chain.K, *chain.mass);
  Modes modes;
  Work work;
  ASSERT_EQ(compute_modes(pencil, 12, {}, modes, work), ModesStatus::ok);
  expect_modes(pencil, modes, 1e-8);
  // The error of an eigenvalue is at most |r| = 1e-8 lambda, or rounding: some epsilon |A| = 4 epsilon.
  for (int k = 1; k <= 12; ++k)
    EXPECT_NEAR(modes.lambda[k - 1], chain.lambda(k), 1e-8 * chain.lambda(k) + 1e-13);
  EXPECT_EQ(work.factorizations, 1);
}

TEST(Modes, OfMultipleEigenvaluesAreFoundComplete) {
  // 12 is more than the columns of a block.
  for (const int copies : {2, 3, 12}) {
    const Chains chains(copies, 150);
    const AssembledPencil pencil(*chains.K, *chains.mass);
    Modes modes;
    Work work;
    const Index count = 3 * copies + 1;
    ASSERT_EQ(compute_modes(pencil, count, {}, modes, work), ModesStatus::ok);
    expect_modes(pencil, modes, 1e-8);
    for (Index i = 0; i < count; ++i) {
      const double lambda = chains.lambda(int(i) / copies + 1);
      EXPECT_NEAR(modes.lambda[i], lambda, 1e-8 * lambda + 1e-13) << copies << " copies, mode " << i;
    }
  }
}

class ModesOfMass : public ::testing::TestWithParam<bool> {
 protected:
  std::shared_ptr<const SparsityPattern> pattern_ = grid_pattern(3, 7, 5, 4);
  SparseMatrix K_ = random_stiffness(pattern_, 1);
  MassMatrix mass_ =
      GetParam() ? MassMatrix(some_consistent_mass(pattern_)) : MassMatrix(some_masses(pattern_->rows(), 2));
};

TEST_P(ModesOfMass, AgreeWithADenseSolver) {
  const AssembledPencil pencil(K_, mass_);
  ASSERT_GT(pencil.size(), 300) << "large enough not to be solved densely";
  const Vector dense = dense_eigenvalues(pencil);
  for (const Index count : {1, 3, 20, 60}) {
    Modes modes;
    Work work;
    ASSERT_EQ(compute_modes(pencil, count, {}, modes, work), ModesStatus::ok);
    expect_modes(pencil, modes, 1e-8);
    // Both are accurate to rounding: n epsilon |A|, with n = 720 and |A| about 20.
    EXPECT_LT((modes.lambda - dense.head(count)).cwiseAbs().maxCoeff(), 1e-8 * dense[count - 1] + 1e-11);
  }
}

TEST_P(ModesOfMass, OfAnIndefiniteStiffnessStartWithTheNegativeOnes) {
  SparseMatrix K = K_;
  mass_.add_to(-0.5, K);  // all eigenvalues move by -0.5
  const AssembledPencil pencil(K, mass_);
  const Vector dense = dense_eigenvalues(pencil);
  Modes modes;
  Work work;
  ASSERT_EQ(compute_modes(pencil, 10, {}, modes, work), ModesStatus::ok);
  expect_modes(pencil, modes, 1e-8);
  EXPECT_LT((modes.lambda - dense.head(10)).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_NEAR(modes.lambda[0], -0.5, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(LumpedAndConsistent, ModesOfMass, ::testing::Bool());

TEST(Modes, CanBeAllOfThem) {
  const auto pattern = grid_pattern(3, 2, 2, 1);
  const SparseMatrix K = random_stiffness(pattern, 3);
  const MassMatrix mass(some_masses(pattern->rows(), 4));
  const AssembledPencil pencil(K, mass);
  Modes modes;
  Work work;
  ASSERT_EQ(compute_modes(pencil, pencil.size(), {}, modes, work), ModesStatus::ok);
  ASSERT_EQ(modes.count(), pencil.size());
  expect_modes(pencil, modes, 1e-8);
  EXPECT_THROW((void)compute_modes(pencil, pencil.size() + 1, {}, modes, work), std::invalid_argument);
  EXPECT_EQ(compute_modes(pencil, 0, {}, modes, work), ModesStatus::ok);
  EXPECT_EQ(modes.count(), 0);
}

TEST(Modes, OfNoStiffnessAreZero) {
  for (const int n : {2, 8}) {  // dense and sparse
    const auto pattern = grid_pattern(3, n, 5, 5);
    const SparseMatrix K(pattern);
    const MassMatrix mass(some_masses(pattern->rows(), 5));
    Modes modes;
    Work work;
    ASSERT_EQ(compute_modes(AssembledPencil(K, mass), 7, {}, modes, work), ModesStatus::ok);
    EXPECT_EQ(modes.lambda, Vector::Zero(7));
    EXPECT_EQ(modes.residual, Vector::Zero(7));
    EXPECT_EQ(modes.U.cols(), 7);
  }
}

TEST(Modes, OfNumbersThatAreNotFiniteAreReported) {
  const auto pattern = grid_pattern(3, 6, 5, 5);
  SparseMatrix K = random_stiffness(pattern, 6);
  const MassMatrix mass(Vector(Vector::Ones(K.rows())));
  Work work;
  Modes modes;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL}) {
    K.block(pattern->diagonal(17))[4] = bad;
    EXPECT_EQ(compute_modes(AssembledPencil(K, mass), 5, {}, modes, work), ModesStatus::not_finite);
  }
}

TEST(Modes, HaveTheSameBitsEveryTimeAndForAnyNumberOfThreads) {
  const auto pattern = grid_pattern(3, 12, 9, 9);
  const SparseMatrix K = random_stiffness(pattern, 7);
  const MassMatrix mass(some_masses(pattern->rows(), 8));
  Modes one, other;
  Work work;
  ASSERT_EQ(compute_modes(AssembledPencil(K, mass), 9, {}, one, work), ModesStatus::ok);
  set_thread_count(2);
  ASSERT_EQ(compute_modes(AssembledPencil(K, mass), 9, {}, other, work), ModesStatus::ok);
  set_thread_count(1);
  EXPECT_EQ(one.lambda, other.lambda);
  EXPECT_EQ(one.U, other.U);
}

// A body whose stiffness changes a little with every step, and the factorization of a step.
class ModesByResidualTest : public ::testing::Test {
 protected:
  static constexpr double h2 = 50;
  void move_to(double t) {
    K_.set(1, K0_);
    K_.add(0.3 * std::sin(t), K1_);
    matrix_.set({1, 0, h2}, nullptr, K_);
  }
  std::shared_ptr<const SparsityPattern> pattern_ = grid_pattern(3, 9, 6, 5);
  SparseMatrix K0_ = random_stiffness(pattern_, 10), K1_ = random_stiffness(pattern_, 11), K_ = K0_;
  MassMatrix mass_{some_masses(pattern_->rows(), 12)};
  AssembledPencil pencil_{K_, mass_};
  ImplicitMatrix matrix_{mass_, pattern_, RefactorPolicy::automatic, 1e-6};
  ImplicitShiftInverse inverse_{matrix_};
  Work work_;
};

TEST_F(ModesByResidualTest, FollowAMovingBodyWithinTheirTolerance) {
  for (const Index count : {1, 5, 20}) {
    FollowedModes warm(count);
    matrix_.drop_factorization();
    for (int step = 0; step < 12; ++step) {
      move_to(0.02 * step);
      ASSERT_EQ(warm.update(pencil_, inverse_, work_), ModesStatus::ok);
      expect_modes(pencil_, warm.modes(), 1e-2);
      Modes cold;
      ASSERT_EQ(compute_modes(pencil_, count, {}, cold, work_), ModesStatus::ok);
      // A Rayleigh quotient is above its eigenvalue, by less than |r| = 1e-2 lambda (rigid: of the largest).
      const Vector excess = warm.modes().lambda - cold.lambda;
      EXPECT_GE(excess.minCoeff(), -1e-10);
      EXPECT_LE(excess.maxCoeff(), 1e-2 * std::max(cold.lambda[count - 1], 1e-6));
    }
  }
}

TEST_F(ModesByResidualTest, ConvergeOnTheFactorizationOfAnEarlierStiffness) {
  FollowedModes warm(8, 1e-4);
  move_to(0);
  ASSERT_EQ(matrix_.refactor(work_), SolveStatus::ok);
  FactorizedShiftInverse kept(matrix_.factorization(), h2);
  for (const double t : {0.0, 0.4, 0.8}) {
    K_.set(1, K0_);
    K_.add(0.3 * std::sin(t), K1_);
    ASSERT_EQ(warm.update(pencil_, kept, work_), ModesStatus::ok);
    expect_modes(pencil_, warm.modes(), 1e-4);
  }
  EXPECT_EQ(work_.factorizations, 1);
}

TEST_F(ModesByResidualTest, CostNoSolveWhenNothingChanged) {
  FollowedModes warm(6);
  move_to(0.1);
  ASSERT_EQ(warm.update(pencil_, inverse_, work_), ModesStatus::ok);
  const Work before = work_;
  ASSERT_EQ(warm.update(pencil_, inverse_, work_), ModesStatus::ok);
  EXPECT_EQ(work_.solves, before.solves);
  EXPECT_EQ(work_.mode_sweeps, before.mode_sweeps);
  EXPECT_EQ(work_.stiffness_products, before.stiffness_products + 1);
  EXPECT_FALSE(warm.refreshed());
  warm.forget();
  ASSERT_EQ(warm.update(pencil_, inverse_, work_), ModesStatus::ok);
  EXPECT_GT(work_.solves, before.solves);
}

TEST_F(ModesByResidualTest, FindTheNewLowestModesWhenTheStiffnessJumps) {
  FollowedModes warm(5, 1e-3);
  move_to(0);
  ASSERT_EQ(warm.update(pencil_, inverse_, work_), ModesStatus::ok);
  K_.set(1, random_stiffness(pattern_, 99));
  matrix_.set({1, 0, h2}, nullptr, K_);
  ASSERT_EQ(warm.update(pencil_, inverse_, work_), ModesStatus::ok);
  expect_modes(pencil_, warm.modes(), 1e-3);
  const Vector dense = dense_eigenvalues(pencil_);
  EXPECT_LE((warm.modes().lambda - dense.head(5)).cwiseAbs().maxCoeff(), 1e-3 * dense[4]);
}

TEST_F(ModesByResidualTest, ContinueAfterALoadWithTheSameBits) {
  FollowedModes one(5), other(5), wrong(6);
  move_to(0);
  ASSERT_EQ(one.update(pencil_, inverse_, work_), ModesStatus::ok);
  ArchiveWriter out;
  one.save(out);
  ArchiveReader in(out.bytes()), again(out.bytes());
  other.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(one.modes().U, other.modes().U);
  EXPECT_EQ(one.modes().lambda, other.modes().lambda);
  EXPECT_EQ(one.modes().residual, other.modes().residual);
  for (int step = 1; step < 4; ++step) {
    move_to(0.1 * step);
    ASSERT_EQ(one.update(pencil_, inverse_, work_), ModesStatus::ok);
    ASSERT_EQ(other.update(pencil_, inverse_, work_), ModesStatus::ok);
    EXPECT_EQ(one.modes().U, other.modes().U);
    EXPECT_EQ(one.modes().lambda, other.modes().lambda);
  }
  EXPECT_THROW(wrong.load(again), ArchiveError);
}

// Five unknowns have no basis of six vectors, although six would be few for modes of a larger pencil.
TEST(StoredModes, OfMoreVectorsThanUnknownsAreRefused) {
  const std::vector<double> five(5, 1.0), basis(30, 0.5);
  ArchiveWriter out;
  out.put(std::int64_t(5));  // modes
  out.put(std::int64_t(1));  // there are some
  out.put(std::int64_t(0));  // not turned
  out.put(1.0);              // norm
  for (int array = 0; array < 3; ++array) out.put(std::span<const double>(five));
  out.put(std::int64_t(5));  // rows
  out.put(std::span<const double>(basis));
  ArchiveReader in(out.bytes());
  FollowedModes modes(5);
  EXPECT_THROW(modes.load(in), ArchiveError);
}

TEST_F(ModesByResidualTest, StayAsTheyWereWhenTheMatrixIsNotPositiveDefinite) {
  FollowedModes warm(5);
  move_to(0);
  ASSERT_EQ(warm.update(pencil_, inverse_, work_), ModesStatus::ok);
  const Matrix U = warm.modes().U;
  SparseMatrix bad = K_;
  mass_.add_to(-10, bad);
  bad.add(1, K1_);
  ImplicitMatrix other(mass_, pattern_, RefactorPolicy::always, 1e-6);
  other.set({1, 0, 1}, nullptr, bad);
  ImplicitShiftInverse inverse(other);
  EXPECT_EQ(warm.update(AssembledPencil(bad, mass_), inverse, work_), ModesStatus::not_positive_definite);
  EXPECT_EQ(warm.modes().U, U);
  move_to(0.01);
  const long solves = work_.solves;
  ASSERT_EQ(warm.update(pencil_, inverse_, work_), ModesStatus::ok);
  expect_modes(pencil_, warm.modes(), 1e-2);
  EXPECT_LE(work_.solves - solves, 40) << "still warm";
}

// A body that turns, every vertex as it likes, with masses that are the same along all axes.
class TurningModesTest : public ModesByResidualTest {
 protected:
  static Vector vertex_masses(Index blocks) {
    const Vector masses = some_masses(blocks, 13);
    Vector all(3 * blocks);
    for (Index i = 0; i < all.size(); ++i) all[i] = masses[i / 3];
    return all;
  }
  // The largest of (2), by its definition.
  double true_residual(const Modes& modes) const {
    Matrix KU, MU;
    turning_pencil_.apply_K(modes.U, KU);
    vertex_mass_.apply(modes.U, MU);
    const double largest = modes.lambda.cwiseAbs().maxCoeff();
    double worst = 0;
    for (Index i = 0; i < modes.count(); ++i) {
      const bool rigid = std::abs(modes.lambda[i]) <= 1e-6 * largest;
      worst = std::max(worst, (KU.col(i) - modes.lambda[i] * MU.col(i)).norm() /
                                  (rigid ? largest * MU.col(i).norm() : KU.col(i).norm()));
    }
    return worst;
  }
  void turn_to(const BlockRotations& R, double t) {
    move_to(t);
    K_.set(1, turned(SparseMatrix(K_), R));
    turning_matrix_.set({1, 0, h2}, nullptr, K_);
    ASSERT_EQ(turning_matrix_.refactor(work_), SolveStatus::ok);
  }
  ModesStatus update(FollowedModes& warm, const BlockRotations& R) {
    return warm.update(
        turning_pencil_, turning_inverse_, [&]() -> const BlockRotations& { return R; }, work_);
  }

  MassMatrix vertex_mass_{vertex_masses(pattern_->block_rows())};
  AssembledPencil turning_pencil_{K_, vertex_mass_};
  ImplicitMatrix turning_matrix_{vertex_mass_, pattern_, RefactorPolicy::automatic, 1e-6};
  ImplicitShiftInverse turning_inverse_{turning_matrix_};
  const BlockRotations none_ = {};
};

TEST_F(TurningModesTest, OfAStiffnessThatOnlyTurnedNeedNoSweep) {
  FollowedModes warm(8);
  turn_to(random_rotations(pattern_->block_rows(), 0, 30), 0);
  ASSERT_EQ(update(warm, none_), ModesStatus::ok);
  const Vector lambda = warm.modes().lambda;
  const Work before = work_;
  for (const double angle : {0.3, 1.0, 3.0}) {
    const BlockRotations R = random_rotations(pattern_->block_rows(), angle, 31);
    turn_to(R, 0);
    ASSERT_EQ(update(warm, R), ModesStatus::ok);
    EXPECT_FALSE(warm.refreshed());
    EXPECT_EQ(warm.modes().lambda, lambda);
    EXPECT_LE(true_residual(warm.modes()), 1e-2);
  }
  EXPECT_EQ(work_.solves, before.solves);
  EXPECT_EQ(work_.mode_sweeps, before.mode_sweeps);
  EXPECT_EQ(work_.stiffness_products, before.stiffness_products + 2 + 1 + 1)
      << "as they are, then turned, and from then on turned alone";
}

TEST_F(TurningModesTest, StartRefreshesFromTheTurnedOnes) {
  // Turned and changed beyond the tolerance: sweeps from the turned modes need fewer than from those left behind.
  const BlockRotations R = random_rotations(pattern_->block_rows(), 1.0, 32);
  const auto sweeps = [&](const BlockRotations& known) {
    FollowedModes warm(8);
    turn_to(random_rotations(pattern_->block_rows(), 0, 30), 0);
    EXPECT_EQ(update(warm, none_), ModesStatus::ok);
    const long before = work_.mode_sweeps;
    turn_to(R, 1e-3);
    EXPECT_EQ(update(warm, known), ModesStatus::ok);
    EXPECT_TRUE(warm.refreshed());
    EXPECT_LE(true_residual(warm.modes()), 1e-2);
    return work_.mode_sweeps - before;
  };
  EXPECT_LT(sweeps(R), sweeps(none_));
}

TEST_F(TurningModesTest, MeetTheirToleranceWheneverTheySayThatTheyDo) {
  int kept = 0, refreshed = 0;
  for (const Index count : {4, 12, 30}) {
    for (const double speed : {3e-5, 1e-4, 1e-3}) {
      FollowedModes warm(count);
      double angle_then = 0, angle = 0;
      for (int step = 0; step < 40; ++step) {
        angle = 0.05 * step;
        // Rotations about axes that stay: the one since the latest refresh is by the difference of the angles.
        turn_to(random_rotations(pattern_->block_rows(), angle, 33), speed * step);
        ASSERT_EQ(update(warm, random_rotations(pattern_->block_rows(), angle - angle_then, 33)),
                  ModesStatus::ok);
        EXPECT_LE(true_residual(warm.modes()), 1e-2)
            << count << " modes, speed " << speed << ", step " << step << (warm.refreshed() ? "" : ", kept");
        ++(warm.refreshed() ? refreshed : kept);
        if (warm.refreshed()) angle_then = angle;
      }
    }
  }
  EXPECT_GT(kept, 50) << "of 360";
  EXPECT_GT(refreshed, 50);
}

TEST_F(TurningModesTest, ContinueAfterALoadWithTheSameBits) {
  FollowedModes one(5), other(5);
  turn_to(random_rotations(pattern_->block_rows(), 0, 34), 0);
  ASSERT_EQ(update(one, none_), ModesStatus::ok);
  for (int step = 1; step < 30; ++step) {
    const BlockRotations R = random_rotations(pattern_->block_rows(), 0.05 * step, 34);
    ArchiveWriter out;
    one.save(out);
    ArchiveReader in(out.bytes());
    other.load(in);
    EXPECT_TRUE(in.at_end());
    turn_to(R, 5e-5 * step);
    ASSERT_EQ(update(one, R), ModesStatus::ok);
    ASSERT_EQ(update(other, R), ModesStatus::ok);
    ASSERT_EQ(one.refreshed(), other.refreshed());
    ASSERT_EQ(one.error(), other.error());
    ASSERT_EQ(one.modes().U, other.modes().U) << "step " << step;
    ASSERT_EQ(one.modes().lambda, other.modes().lambda);
    ArchiveWriter end, other_end;
    one.save(end);
    other.save(other_end);
    ASSERT_EQ(end.bytes(), other_end.bytes()) << "step " << step;
    if (step < 4) {
      EXPECT_FALSE(one.refreshed()) << "served by turning alone";
    }
    if (one.refreshed()) return;  // rotations would now start here
  }
  ADD_FAILURE() << "modes were never refreshed";
}

TEST(FollowedModes, OfASmallSystemAreAllItHas) {
  const Chains chain(1, 4);
  const AssembledPencil pencil(*chain.K, *chain.mass);
  ImplicitMatrix matrix(*chain.mass, chain.pattern, RefactorPolicy::automatic, 1e-6);
  matrix.set({1, 0, 1}, nullptr, *chain.K);
  ImplicitShiftInverse inverse(matrix);
  FollowedModes warm(10);
  Work work;
  ASSERT_EQ(warm.update(pencil, inverse, work), ModesStatus::ok);
  ASSERT_EQ(warm.modes().count(), 4);
  for (int k = 1; k <= 4; ++k) EXPECT_NEAR(warm.modes().lambda[k - 1], chain.lambda(k), 1e-12);
}

TEST(ShiftInverse, OfAMatrixAndOfAFactorizationSolveTheSame) {
  const auto pattern = grid_pattern(3, 6, 5, 4);
  const SparseMatrix K = random_stiffness(pattern, 20);
  const MassMatrix mass(some_masses(pattern->rows(), 21));
  Work work;
  ImplicitMatrix matrix(mass, pattern, RefactorPolicy::automatic, 1e-6);
  matrix.set({4, 0, 2}, nullptr, K);
  ImplicitShiftInverse implicit(matrix);
  EXPECT_EQ(implicit.shift(), 0.5);
  EXPECT_GT(implicit.preparation_work(), implicit.solve_work());
  ASSERT_EQ(implicit.prepare(work), SolveStatus::ok);
  EXPECT_EQ(implicit.preparation_work(), 0);
  EXPECT_EQ(work.factorizations, 1);

  SparseMatrix A(pattern);
  A.set(0.5, K);
  mass.add_to(1, A);
  CholeskyFactorization cholesky(pattern);
  FactorizedShiftInverse direct(cholesky, 0.5);
  EXPECT_THROW((void)direct.prepare(work), std::logic_error);
  ASSERT_EQ(cholesky.factorize(A), FactorStatus::ok);
  ASSERT_EQ(direct.prepare(work), SolveStatus::ok);
  EXPECT_GT(direct.solve_work(), 0);

  Matrix R(K.rows(), 3), X, Y, AX;
  for (int j = 0; j < 3; ++j) R.col(j) = random_vector(K.rows(), 22 + j);
  implicit.apply(R, X, work);
  direct.apply(R, Y, work);
  EXPECT_EQ(work.solves, 6);
  A.apply(Y, AX);
  EXPECT_LT((AX - R).norm(), 1e-12 * R.norm());
  // The factor is rounded to single precision, 6e-8, and the condition number is below 20.
  EXPECT_LT((X - Y).norm(), 2e-6 * Y.norm());
}

}  // namespace
}  // namespace phiflex

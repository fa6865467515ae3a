#include "phiflex/linalg/multigrid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/base/parallel.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_vector;

// A grid of cells of unit size whose couplings are springs along their lengths, k'(x_i, x_j), and a mass m on every
// vertex: its kernel without the mass are the rigid motions, as that of an elastic body.
struct GridBody {
  std::shared_ptr<const SparsityPattern> pattern;
  Vector positions;
  SparseMatrix A;
};

Vector grid_positions(int nx, int ny, int nz) {
  Vector x(3 * Index(nx + 1) * (ny + 1) * (nz + 1));
  Index v = 0;
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i, ++v) x.segment<3>(3 * v) << i, j, k;
  return x;
}

template <class Stiffness>
GridBody make_body(int nx, int ny, int nz, double mass, const Stiffness& stiffness) {
  const auto pattern = grid_pattern(3, nx, ny, nz);
  GridBody body{pattern, grid_positions(nx, ny, nz), SparseMatrix(pattern)};
  for (int i = 0; i < pattern->block_rows(); ++i)
    for (int k = pattern->row_start()[i]; k < pattern->row_start()[i + 1]; ++k) {
      const int j = pattern->column()[k];
      if (j == i) continue;
      const Eigen::Vector3d d = body.positions.segment<3>(3 * j) - body.positions.segment<3>(3 * i);
      const Eigen::Matrix3d block = stiffness(i, j) / d.squaredNorm() * d * d.transpose();
      for (int n = 0; n < 9; ++n) {
        body.A.block(k)[n] -= block(n / 3, n % 3);
        body.A.block(pattern->diagonal(i))[n] += block(n / 3, n % 3);
      }
    }
  body.A.add_to_diagonal(mass, Vector::Ones(body.A.rows()));
  return body;
}

double uniform(int, int) {
  return 1;
}

// Conjugate gradients from 0 until the residual is 1e-8 of the right-hand side; -1: not within 200.
int iterations(const GridBody& body, Multigrid& multigrid) {
  const Vector b = random_vector(body.A.rows(), 3);
  Vector x = Vector::Zero(b.size()), r = b, z, p, Ap(b.size());
  multigrid.precondition(r, z);
  p = z;
  double rz = r.dot(z);
  for (int n = 1; n <= 200; ++n) {
    body.A.apply(p, Ap);
    const double alpha = rz / p.dot(Ap);
    x += alpha * p;
    r -= alpha * Ap;
    if (r.norm() <= 1e-8 * b.norm()) return n;
    multigrid.precondition(r, z);
    const double before = rz;
    rz = r.dot(z);
    p = z + rz / before * p;
  }
  return -1;
}

TEST(Multigrid, IterationsDoNotGrowWithTheBody) {
  std::vector<int> counts;
  for (const int n : {9, 14, 20}) {
    const GridBody body = make_body(2 * n, n, n, 1e-4, uniform);
    Multigrid multigrid(body.pattern);
    ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
    EXPECT_GE(multigrid.levels(), 2);
    EXPECT_LT(multigrid.unknowns(1), body.A.rows() / 5);
    counts.push_back(iterations(body, multigrid));
  }
  for (const int count : counts) {
    EXPECT_GT(count, 0);
    EXPECT_LE(count, 30);
    EXPECT_LE(count, counts.front() + 5);
  }
}

TEST(Multigrid, RigidMotionsThatTheMassAloneHoldsCostNoIterations) {
  // The stiffness is 1e8 and more of the mass: rounding to single precision must not hold the body.
  const GridBody body = make_body(20, 9, 9, 1e-8, uniform);
  Multigrid multigrid(body.pattern);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  const int count = iterations(body, multigrid);
  EXPECT_GT(count, 0);
  EXPECT_LE(count, 30);
}

TEST(Multigrid, IsSymmetricAndPositiveDefinite) {
  const GridBody body = make_body(16, 9, 9, 1e-3, uniform);
  Multigrid multigrid(body.pattern);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  Vector Bx, By;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Vector x = random_vector(body.A.rows(), seed), y = random_vector(body.A.rows(), seed + 100);
    multigrid.precondition(x, Bx);
    multigrid.precondition(y, By);
    EXPECT_NEAR(y.dot(Bx), x.dot(By), 1e-6 * std::sqrt(x.dot(Bx) * y.dot(By)));
    EXPECT_GT(x.dot(Bx), 0);
  }
}

TEST(Multigrid, HasTheSameBitsForAnyNumberOfThreads) {
  const GridBody body = make_body(20, 12, 12, 1e-3, uniform);
  const Vector r = random_vector(body.A.rows(), 5);
  Vector one, other;
  const int before = thread_count();
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    Multigrid multigrid(body.pattern);
    ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
    multigrid.precondition(r, threads == 1 ? one : other);
  }
  set_thread_count(before);
  EXPECT_EQ(one, other);
}

TEST(Multigrid, BuiltAgainOnKeptAggregatesIsTheSame) {
  const GridBody body = make_body(16, 9, 9, 1e-3, uniform);
  const GridBody softer = make_body(16, 9, 9, 1e-3, [](int i, int j) { return 0.5 + 0.1 * ((i + j) % 3); });
  const Vector r = random_vector(body.A.rows(), 7);
  Vector first, again;
  Multigrid multigrid(body.pattern);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  multigrid.precondition(r, first);
  GridBody other{body.pattern, body.positions, SparseMatrix(body.pattern)};
  other.A.set(1, body.A);
  std::copy_n(softer.A.values(), softer.A.value_count(), other.A.values());
  ASSERT_EQ(multigrid.build(other.A, body.positions), FactorStatus::ok);
  EXPECT_LE(iterations(other, multigrid), 30);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  multigrid.precondition(r, again);
  EXPECT_EQ(first, again);
}

TEST(Multigrid, DoesNotDependOnUnits) {
  const GridBody body = make_body(16, 9, 9, 1e-3, uniform);
  Multigrid multigrid(body.pattern), tiny(body.pattern);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  SparseMatrix small(body.pattern);
  small.set(1e-60, body.A);
  ASSERT_EQ(tiny.build(small, 1e-9 * body.positions), FactorStatus::ok);
  const Vector r = random_vector(body.A.rows(), 7);
  Vector z, z_tiny;
  multigrid.precondition(r, z);
  tiny.precondition(1e-60 * r, z_tiny);
  EXPECT_LE((z - z_tiny).norm(), 1e-4 * z.norm());
}

TEST(Multigrid, TakesRegionsAMillionTimesStiffer) {
  const GridBody body =
      make_body(20, 10, 10, 1e-3, [](int i, int j) { return std::max(i, j) % 21 > 10 ? 1e6 : 1; });
  Multigrid multigrid(body.pattern);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  const int count = iterations(body, multigrid);
  EXPECT_GT(count, 0);
  EXPECT_LE(count, 60);
}

TEST(Multigrid, TakesPiecesThatNothingConnects) {
  // Columns of cells along z, and vertices alone.
  const GridBody body = make_body(12, 12, 12, 1e-3, [](int i, int j) {
    const int a = i % 13, b = j % 13;
    return a / 3 == b / 3 && a % 13 < 9 && b % 13 < 9 ? 1 : 0;
  });
  Multigrid multigrid(body.pattern);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  const int count = iterations(body, multigrid);
  EXPECT_GT(count, 0);
  EXPECT_LE(count, 40);
}

TEST(Multigrid, OfAMatrixWithoutCouplingsIsItsInverse) {
  const GridBody body = make_body(12, 12, 12, 2, [](int, int) { return 0; });
  Multigrid multigrid(body.pattern);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  const int count = iterations(body, multigrid);
  EXPECT_GT(count, 0);
  EXPECT_LE(count, 2);
}

TEST(Multigrid, OfASmallBodyIsAFactorization) {
  const GridBody body = make_body(4, 4, 4, 1e-3, uniform);
  Multigrid multigrid(body.pattern);
  ASSERT_EQ(multigrid.build(body.A, body.positions), FactorStatus::ok);
  EXPECT_EQ(iterations(body, multigrid), 1);
}

TEST(Multigrid, SaysWhatItCannotTake) {
  GridBody body = make_body(12, 9, 9, 1e-3, uniform);
  Multigrid multigrid(body.pattern);
  body.A.add_to_diagonal(-100, Vector::Ones(body.A.rows()));
  EXPECT_EQ(multigrid.build(body.A, body.positions), FactorStatus::not_positive_definite);
  EXPECT_FALSE(multigrid.ready());
  body.A.values()[0] = std::nan("");
  EXPECT_EQ(multigrid.build(body.A, body.positions), FactorStatus::not_finite);
  EXPECT_THROW(Multigrid(grid_pattern(2, 3, 3, 3)), std::invalid_argument);
  const GridBody good = make_body(12, 9, 9, 1e-3, uniform);
  Multigrid other(good.pattern);
  EXPECT_EQ(other.build(good.A, good.positions), FactorStatus::ok);
}

}  // namespace
}  // namespace phiflex

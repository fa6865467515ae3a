#include "phiflex/linalg/dense_square_root.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_stiffness;
using testing::random_vector;

// A consistent-like mass: diagonally dominant, so that its condition number is below 10.
Matrix some_mass(Index n) {
  Matrix M = Matrix::Identity(n, n);
  for (Index i = 0; i + 1 < n; ++i) M(i, i + 1) = M(i + 1, i) = 0.2;
  return 3.0 * M;
}

TEST(DenseSquareRoot, SquaredIsThePencilAndSelfAdjointInTheMassProduct) {
  const SparseMatrix stiffness = random_stiffness(grid_pattern(3, 2, 2, 2), 1);
  const Matrix K = Matrix(stiffness.to_eigen()), M = some_mass(K.rows());
  Matrix Omega;
  ASSERT_EQ(dense_square_root(K, M, Omega), SquareRootStatus::ok);
  // Backward stable up to the condition of M (below 10) and a modest factor of n = 81. K is singular (the
  // translations): eigenvalues of round-off size eps |A| enter Omega as sqrt(eps |A|), but its square as
  // eps |A| again.
  const double bound = 10 * double(K.rows()) * std::numeric_limits<double>::epsilon();
  EXPECT_LT((M * Omega * Omega - K).norm(), bound * K.norm());
  const Matrix self_adjoint = M * Omega;
  EXPECT_LT((self_adjoint - self_adjoint.transpose()).norm(), bound * self_adjoint.norm());
}

TEST(DenseSquareRoot, OfADiagonalPencilHasTheFrequencies) {
  Matrix K = Matrix::Zero(3, 3), M = Matrix::Zero(3, 3), Omega;
  K.diagonal() << 1, 8, 27;
  M.diagonal() << 1, 2, 3;
  ASSERT_EQ(dense_square_root(K, M, Omega), SquareRootStatus::ok);
  Matrix expected = Matrix::Zero(3, 3);
  expected.diagonal() << 1, 2, 3;
  EXPECT_LT((Omega - expected).cwiseAbs().maxCoeff(), 32 * std::numeric_limits<double>::epsilon());
}

TEST(DenseSquareRoot, RefusesWhatHasNone) {
  Matrix Omega;
  const Matrix I = Matrix::Identity(4, 4);
  Matrix K = I;
  K(2, 2) = -1e-3;
  EXPECT_EQ(dense_square_root(K, I, Omega), SquareRootStatus::indefinite);
  EXPECT_EQ(dense_square_root(I, K, Omega), SquareRootStatus::indefinite);
  K(2, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(dense_square_root(K, I, Omega), SquareRootStatus::not_finite);
  EXPECT_THROW((void)dense_square_root(I, Matrix::Identity(3, 3), Omega), std::invalid_argument);
  EXPECT_EQ(dense_square_root(Matrix(0, 0), Matrix(0, 0), Omega), SquareRootStatus::ok);
}

}  // namespace
}  // namespace phiflex

#include "phiflex/linalg/block_products.h"

#include <gtest/gtest.h>

#include <limits>

#include "phiflex/base/parallel.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

Matrix random_block(Index rows, Index columns, unsigned seed) {
  const Vector numbers = testing::random_vector(rows * columns, seed);
  return Eigen::Map<const Matrix>(numbers.data(), rows, columns);
}

TEST(BlockProducts, AgreeWithEigenForAllShapes) {
  for (const Index rows : {1, 7, 64, 1000, 9001})
    for (const Index depth : {0, 1, 5, 17})
      for (const Index columns : {1, 4, 6, 11}) {
        // Sums of at most 9001 products below 1, in another order: far below rows * epsilon * rows, and
        // rounding errors of random signs stay near the square root of that.
        const double bound = double(rows + depth) * 32 * std::numeric_limits<double>::epsilon();
        const Matrix A = random_block(rows, depth, 1), B = random_block(depth, columns, 2);
        Matrix C = random_block(rows, columns, 3);
        const Matrix before = C;
        subtract_product(A, B, C);
        EXPECT_LE((C - (before - A * B)).cwiseAbs().maxCoeff(), bound);
        multiply(A, B, C);
        EXPECT_LE((C - A * B).cwiseAbs().maxCoeff(), bound);
        Matrix G(depth, columns);
        multiply_transposed(A, C, G);
        EXPECT_LE((G - A.transpose() * C).norm(), 17 * bound * double(depth + 1));
      }
}

TEST(BlockProducts, MayOverwriteTheirFirstFactor) {
  Matrix V = random_block(3000, 9, 4);
  const Matrix C = random_block(9, 5, 5), expected = V * C;
  multiply(V, C, V.leftCols(5));
  EXPECT_LT((V.leftCols(5) - expected).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(BlockProducts, HaveTheSameBitsForAnyNumberOfThreads) {
  const Matrix A = random_block(20000, 6, 6), B = random_block(20000, 5, 7), S = random_block(6, 3, 8);
  Matrix G1(6, 5), G(6, 5), C1(20000, 3), C(20000, 3);
  set_thread_count(1);
  multiply_transposed(A, B, G1);
  multiply(A, S, C1);
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    multiply_transposed(A, B, G);
    multiply(A, S, C);
    EXPECT_EQ(G, G1);
    EXPECT_EQ(C, C1);
  }
  set_thread_count(1);
}

TEST(SymmetricEigenSolver, DiagonalizesAndReportsWhatIsNotFinite) {
  SymmetricEigenSolver solver;
  for (const Index n : {1, 6, 40, 6}) {
    const Matrix X = random_block(n, n, unsigned(n));
    const Matrix H = X + X.transpose();
    Vector theta(n);
    Matrix Y(n, n);
    ASSERT_TRUE(solver.solve(H, theta, Y));
    const double bound = 100 * double(n) * std::numeric_limits<double>::epsilon();
    EXPECT_LT((H * Y - Y * theta.asDiagonal()).norm(), bound * H.norm());
    EXPECT_LT((Y.transpose() * Y - Matrix::Identity(n, n)).norm(), bound);
  }
  Matrix H = Matrix::Identity(3, 3), Y(3, 3);
  Vector theta(3);
  H(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(solver.solve(H, theta, Y));
}

}  // namespace
}  // namespace phiflex

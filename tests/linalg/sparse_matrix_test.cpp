#include "phiflex/linalg/sparse_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "phiflex/base/parallel.h"
#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_vector;

SparseMatrix random_matrix(const std::shared_ptr<const SparsityPattern>& pattern, unsigned seed) {
  SparseMatrix A(pattern);
  const Vector values = random_vector(Index(A.value_count()), seed);
  std::copy(values.begin(), values.end(), A.values());
  return A;
}

TEST(SparsityPattern, HasTheDiagonalAndBothDirectionsOfEveryCouplingOnceAndInOrder) {
  const SparsityPattern p(3, 4, {{2, 0}, {0, 2}, {1, 1}, {0, 3}, {2, 0}});
  EXPECT_EQ(p.row_start(), (std::vector<int>{0, 3, 4, 6, 8}));
  EXPECT_EQ(p.column(), (std::vector<int>{0, 2, 3, 1, 0, 2, 0, 3}));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(p.column()[p.diagonal(i)], i);
  EXPECT_EQ(p.rows(), 12);
}

TEST(SparsityPattern, IsSymmetricAndFindsExactlyItsBlocks) {
  const auto p = grid_pattern(3, 3, 2, 2);
  Index found = 0;
  for (int i = 0; i < p->block_rows(); ++i)
    for (int j = 0; j < p->block_rows(); ++j) {
      const int k = p->find(i, j);
      EXPECT_EQ(k < 0, p->find(j, i) < 0);
      if (k < 0) continue;
      ++found;
      EXPECT_EQ(p->column()[k], j);
      EXPECT_TRUE(p->row_start()[i] <= k && k < p->row_start()[i + 1]);
    }
  EXPECT_EQ(found, p->blocks());
}

TEST(SparsityPattern, DoesNotDependOnTheOrderOfItsCouplings) {
  std::vector<Coupling> couplings = {{0, 1}, {4, 2}, {3, 1}, {2, 0}, {1, 4}};
  const SparsityPattern one(2, 5, couplings);
  std::reverse(couplings.begin(), couplings.end());
  const SparsityPattern other(2, 5, couplings);
  EXPECT_EQ(one.column(), other.column());
  EXPECT_EQ(one.row_start(), other.row_start());
}

TEST(SparsityPattern, RefusesRowsThatAreNotThereAndOtherBlockSizes) {
  EXPECT_THROW(SparsityPattern(3, 2, {{0, 2}}), std::invalid_argument);
  EXPECT_THROW(SparsityPattern(3, 2, {{-1, 0}}), std::invalid_argument);
  EXPECT_THROW(SparsityPattern(4, 2, {}), std::invalid_argument);
  EXPECT_THROW(SparsityPattern(0, 2, {}), std::invalid_argument);
  EXPECT_THROW(SparsityPattern(3, -1, {}), std::invalid_argument);
}

class SparseMatrixOfBlocks : public ::testing::TestWithParam<int> {};

TEST_P(SparseMatrixOfBlocks, MultipliesAsEigenDoes) {
  const SparseMatrix A = random_matrix(grid_pattern(GetParam(), 12, 11, 9), 1);
  const Vector x = random_vector(A.rows(), 2);
  Vector y;
  A.apply(x, y);
  const Vector expected = A.to_eigen() * x;
  // Each entry sums at most 3 * 15 products of numbers below 1; the two orders of summation differ by less
  // than 2 * 45 rounding errors of a sum below 45.
  const double bound = 90 * 45 * std::numeric_limits<double>::epsilon();
  EXPECT_LT((y - expected).cwiseAbs().maxCoeff(), bound);
}

TEST_P(SparseMatrixOfBlocks, MultipliesToTheSameBitsForAnyNumberOfThreads) {
  const SparseMatrix A = random_matrix(grid_pattern(GetParam(), 20, 15, 15), 3);
  const Vector x = random_vector(A.rows(), 4);
  Vector y1, y;
  set_thread_count(1);
  A.apply(x, y1);
  for (const int threads : {2, 3, 8}) {
    set_thread_count(threads);
    A.apply(x, y);
    EXPECT_EQ(y, y1);
  }
  set_thread_count(1);
}

TEST_P(SparseMatrixOfBlocks, MultipliesABlockOfVectorsToTheBitsOfEachAlone) {
  const SparseMatrix A = random_matrix(grid_pattern(GetParam(), 12, 11, 9), 10);
  Matrix X(A.rows(), 5), Y;
  for (int j = 0; j < 5; ++j) X.col(j) = random_vector(A.rows(), 11 + j);
  for (const int columns : {0, 1, 2, 5})
    for (const int threads : {1, 2}) {
      set_thread_count(threads);
      A.apply(X.leftCols(columns).eval(), Y);
      ASSERT_EQ(Y.cols(), columns);
      for (int j = 0; j < columns; ++j) {
        Vector y;
        A.apply(Vector(X.col(j)), y);
        EXPECT_EQ(Vector(Y.col(j)), y);
      }
    }
  set_thread_count(1);
}

TEST_P(SparseMatrixOfBlocks, MultipliesASingleRowOfBlocks) {
  // All of x is used at once; the address sanitizer watches that nothing behind it is.
  const int b = GetParam();
  const SparseMatrix A = random_matrix(std::make_shared<SparsityPattern>(b, 1, std::vector<Coupling>{}), 5);
  Vector x = Vector::Constant(b, 1.0), y;
  A.apply(x, y);
  for (int r = 0; r < b; ++r) {
    double sum = 0;
    for (int c = 0; c < b; ++c) sum += A.block(0)[b * r + c];
    EXPECT_NEAR(y[r], sum, 4 * std::numeric_limits<double>::epsilon());
  }
}

TEST_P(SparseMatrixOfBlocks, AddsMatricesOfItsOwnAndOfASmallerPattern) {
  const int b = GetParam();
  const auto large = grid_pattern(b, 3, 3, 3);
  const auto small =
      std::make_shared<SparsityPattern>(b, large->block_rows(), std::vector<Coupling>{{0, 1}, {5, 4}});
  const SparseMatrix A = random_matrix(large, 6), B = random_matrix(small, 7);
  SparseMatrix C(large);
  C.set(2, A);
  C.add(0.5, A);
  C.add(-3, B);
  const Vector x = random_vector(A.rows(), 8);
  Vector Ax, Bx, Cx;
  A.apply(x, Ax);
  B.apply(x, Bx);
  C.apply(x, Cx);
  // Sums of at most 45 products below 3: as in the product with Eigen, with room for the three terms.
  EXPECT_LT((Cx - (2.5 * Ax - 3 * Bx)).cwiseAbs().maxCoeff(), 1e-12);

  C.set(1, B);
  C.add_to_diagonal(2, Vector::Constant(B.rows(), 1.5));
  C.apply(x, Cx);
  EXPECT_LT((Cx - (Bx + 3 * x)).cwiseAbs().maxCoeff(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(BlockSizes, SparseMatrixOfBlocks, ::testing::Values(1, 2, 3));

TEST(SparseMatrix, RefusesWhatDoesNotFit) {
  const auto large = grid_pattern(3, 2, 2, 2);
  const auto small = std::make_shared<SparsityPattern>(3, large->block_rows(), std::vector<Coupling>{});
  SparseMatrix A(large), B(small), other(grid_pattern(3, 2, 2, 3));
  EXPECT_THROW(B.add(1, A), std::invalid_argument);
  EXPECT_THROW(A.add(1, other), std::invalid_argument);
  Vector x(5), y;
  EXPECT_THROW(A.apply(x, y), std::invalid_argument);
  Vector same = Vector::Zero(A.rows());
  EXPECT_THROW(A.apply(same, same), std::invalid_argument);
}

TEST(SparseMatrix, KnowsItsDiagonal) {
  const SparseMatrix A = random_matrix(grid_pattern(3, 3, 2, 1), 9);
  EXPECT_EQ(A.diagonal(), Vector(A.to_eigen().diagonal()));
}

}  // namespace
}  // namespace phiflex

#include "phiflex/linalg/svd.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phiflex {
namespace {

Matrix wave_matrix(Index rows, Index columns) {
  Matrix A(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) A(i, j) = std::sin(1.3 * double(i * j) + double(i) - double(j));
  return A;
}

TEST(Svd, TheMatrixIsTheProductOfItsPartsForEveryShape) {
  for (const auto& [rows, columns] : {std::pair{7, 7}, {9, 4}, {4, 9}, {1, 5}, {5, 1}, {3, 0}}) {
    const Matrix A = wave_matrix(rows, columns);
    const Svd parts = svd(A);
    ASSERT_EQ(parts.s.size(), std::min(rows, columns));
    EXPECT_LE((parts.U * parts.s.asDiagonal() * parts.V.transpose() - A).norm(), 1e-14 * (1 + A.norm()));
    for (Index i = 1; i < parts.s.size(); ++i) EXPECT_GE(parts.s[i - 1], parts.s[i]);
  }
}

TEST(Svd, TheRankCountsIndependentColumns) {
  Matrix A(6, 4);
  A.leftCols(2) = wave_matrix(6, 2);
  A.col(2) = 2 * A.col(0) - A.col(1);
  A.col(3) = A.col(1);
  EXPECT_EQ(svd(A).rank(1e-12), 2);
  EXPECT_EQ(svd(Matrix::Zero(3, 3)).rank(1e-12), 0);
}

TEST(Svd, TheShortestOfTheBestSolutions) {
  Matrix A(3, 2);
  A << 1, 1, 1, 1, 0, 0;
  const Vector x = svd(A).solve(Vector::Constant(3, 4), 1e-12);
  EXPECT_NEAR(x[0], 2, 1e-14);  // x + y = 4, and x = y is shortest
  EXPECT_NEAR(x[1], 2, 1e-14);
}

TEST(Svd, RefusesNumbersThatAreNotFinite) {
  EXPECT_THROW(svd(Matrix::Constant(2, 2, std::nan(""))), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex

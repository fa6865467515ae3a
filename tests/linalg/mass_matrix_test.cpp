#include "phiflex/linalg/mass_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::grid_pattern;
using testing::random_stiffness;
using testing::random_vector;

MassMatrix consistent(const std::shared_ptr<const SparsityPattern>& pattern) {
  SparseMatrix M = random_stiffness(pattern, 1);
  M.add_to_diagonal(1, Vector::Ones(M.rows()));
  return MassMatrix(std::move(M));
}

// What must hold for a mass matrix of either kind: solve inverts apply, dot is x' apply(y), add_to adds it.
void expect_one_operator(const MassMatrix& M, const std::shared_ptr<const SparsityPattern>& pattern) {
  const Vector x = random_vector(M.rows(), 2), y = random_vector(M.rows(), 3);
  Vector Mx, My, back, Ax;
  M.apply(x, Mx);
  M.apply(y, My);
  M.solve(Mx, back);
  EXPECT_LT((back - x).norm(), 1e-12 * x.norm());  // condition number below 100
  EXPECT_NEAR(M.dot(x, y), x.dot(My), 1e-12 * x.norm() * My.norm());
  EXPECT_NEAR(M.dot(x, y), M.dot(y, x), 1e-12 * x.norm() * My.norm());
  SparseMatrix A(pattern);
  M.add_to(4, A);  // a power of two: no rounding
  A.apply(x, Ax);
  EXPECT_LT((Ax - 4 * Mx).norm(), 1e-13 * Mx.norm());
  EXPECT_EQ(M.diagonal(), Vector(A.diagonal() / 4));

  Matrix X(M.rows(), 2), MX, back_X;
  X << x, y;
  M.apply(X, MX);
  EXPECT_EQ(MX.col(0), Mx);
  EXPECT_EQ(MX.col(1), My);
  M.solve(MX, back_X);
  EXPECT_LT((back_X - X).norm(), 1e-12 * X.norm());
}

TEST(MassMatrix, LumpedIsOneOperatorInAllItsForms) {
  const auto pattern = grid_pattern(3, 4, 3, 2);
  const MassMatrix M(Vector(random_vector(pattern->rows(), 4).array() + 1.5));
  EXPECT_TRUE(M.lumped());
  EXPECT_EQ(M.matrix(), nullptr);
  expect_one_operator(M, pattern);
}

TEST(MassMatrix, ConsistentIsOneOperatorInAllItsForms) {
  const auto pattern = grid_pattern(3, 4, 3, 2);
  const MassMatrix M = consistent(pattern);
  EXPECT_FALSE(M.lumped());
  expect_one_operator(M, pattern);
  expect_one_operator(M, grid_pattern(3, 4, 3, 2));  // another pattern object with the same blocks
}

TEST(MassMatrix, RefusesMassesThatAreNotPositive) {
  EXPECT_THROW(MassMatrix(Vector(Vector::Zero(3))), std::invalid_argument);
  EXPECT_THROW(MassMatrix(Vector(Vector::Constant(3, -1.0))), std::invalid_argument);
  EXPECT_THROW(MassMatrix(Vector(Vector::Constant(3, std::nan("")))), std::invalid_argument);
  SparseMatrix indefinite = random_stiffness(grid_pattern(3, 2, 2, 2), 1);
  indefinite.add_to_diagonal(-1, Vector::Ones(indefinite.rows()));
  EXPECT_THROW(MassMatrix(std::move(indefinite)), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex

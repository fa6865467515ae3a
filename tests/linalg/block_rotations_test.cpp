#include "phiflex/linalg/block_rotations.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/linalg/grid_matrices.h"

namespace phiflex {
namespace {

using testing::random_rotations;
using testing::random_vector;

constexpr Index kBlocks = 7;
constexpr double kRounding = 1e-15;  // of sums of three products of numbers up to 1

TEST(BlockRotations, TurnEveryBlockOfAVectorByItsOwnRotation) {
  const BlockRotations R = random_rotations(kBlocks, 1.3, 1);
  const Vector x = random_vector(3 * kBlocks, 2);
  Vector forth = x, back = x;
  R.apply(forth);
  R.apply_transposed(back);
  for (Index v = 0; v < kBlocks; ++v) {
    const Eigen::Vector3d block = x.segment<3>(3 * v);
    EXPECT_LT((forth.segment<3>(3 * v) - R[v] * block).norm(), kRounding);
    EXPECT_LT((back.segment<3>(3 * v) - R[v].transpose() * block).norm(), kRounding);
  }
  R.apply_transposed(forth);
  EXPECT_LT((forth - x).cwiseAbs().maxCoeff(), 2 * kRounding);
}

TEST(BlockRotations, TurnTheColumnsOfABlockAsTheyTurnVectors) {
  const BlockRotations R = random_rotations(kBlocks, 2.9, 3);
  Matrix X(3 * kBlocks, 4);
  for (Index j = 0; j < X.cols(); ++j) X.col(j) = random_vector(X.rows(), 4 + unsigned(j));
  Matrix forth = X, back = X;
  R.apply(forth);
  R.apply_transposed(back);
  for (Index j = 0; j < X.cols(); ++j) {
    Vector x = X.col(j), y = X.col(j);
    R.apply(x);
    R.apply_transposed(y);
    EXPECT_EQ(forth.col(j), x);
    EXPECT_EQ(back.col(j), y);
  }
}

TEST(BlockRotations, AreEmptyUntilTheyHaveBlocksAndAfterTheyWereCleared) {
  BlockRotations R;
  EXPECT_TRUE(R.empty());
  R.resize(2);
  EXPECT_FALSE(R.empty());
  EXPECT_EQ(R.blocks(), 2);
  R.clear();
  EXPECT_TRUE(R.empty());
}

}  // namespace
}  // namespace phiflex

#include "phiflex/linalg/small_symmetric.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phiflex {
namespace {

template <int n>
using Small = Eigen::Matrix<double, n, n>;

// Full, with eigenvalues of both signs, the same every time.
template <int n>
Small<n> symmetric_sample() {
  Small<n> A;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A(i, j) = std::cos(1.7 * i * j + i + j);
  return A;
}

template <int n>
void expect_decomposition(const Small<n>& A) {
  Small<n> values = A, V = Small<n>::Identity();
  diagonalize(n, {values.data(), n * n}, {V.data(), n * n});
  const double size = A.cwiseAbs().maxCoeff();
  Small<n> product = Small<n>::Zero();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      EXPECT_TRUE(i == j || std::abs(values(i, j)) <= 1e-15 * size) << values(i, j);
      for (int k = 0; k < n; ++k) product(i, j) += V(i, k) * values(k, k) * V(j, k);
    }
  }
  EXPECT_LE((product - A).cwiseAbs().maxCoeff(), 4e-14 * size);
  EXPECT_LE((V.transpose().lazyProduct(V) - Small<n>::Identity()).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(SmallSymmetric, IsTheProductOfItsEigenvaluesAndOrthonormalVectors) {
  expect_decomposition<3>(symmetric_sample<3>());
  expect_decomposition<6>(symmetric_sample<6>());
  expect_decomposition<12>(symmetric_sample<12>());
}

TEST(SmallSymmetric, EqualAndWidelyDifferentEigenvaluesAreFound) {
  expect_decomposition<6>(Small<6>::Identity());
  expect_decomposition<6>(Small<6>::Ones());
  expect_decomposition<6>(Small<6>::Zero());
  Small<3> graded = symmetric_sample<3>();
  graded.col(0) *= 1e-8, graded.row(0) *= 1e-8;
  expect_decomposition<3>(graded);
  expect_decomposition<3>(1e200 * symmetric_sample<3>());
  expect_decomposition<3>(1e-200 * symmetric_sample<3>());
}

TEST(SmallSymmetric, ThePositivePartOfAMatrixAndOfItsNegativeDifferByTheMatrix) {
  const Small<12> A = symmetric_sample<12>();
  const Small<12> above = positive_part(A), below = positive_part(Small<12>(-A));
  EXPECT_LE((above - below - A).norm(), 1e-14 * A.norm());
  EXPECT_LE(above.lazyProduct(below).norm(), 1e-14 * A.squaredNorm());
}

TEST(SmallSymmetric, ThePositivePartOfAPositiveMatrixIsTheMatrix) {
  Small<6> A = symmetric_sample<6>();
  A = A.lazyProduct(A.transpose()).eval() + Small<6>::Identity();
  EXPECT_LE((positive_part(A) - A).norm(), 1e-14 * A.norm());
}

}  // namespace
}  // namespace phiflex

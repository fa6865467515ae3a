#include "phiflex/base/mat3.h"

#include <gtest/gtest.h>

#include "phiflex/base/dual.h"

namespace phiflex {
namespace {

// Small whole numbers: all results are exact.
const Mat3<double> A = {2, -1, 3, 0, 4, 1, -2, 5, 7};
const Mat3<double> B = {1, 2, -3, 4, 0, 6, -5, 1, 2};
const Vec3<double> u = {1, -2, 4}, w = {3, 5, -1};

void expect_equal(const Mat3<double>& x, const Mat3<double>& y) {
  for (int k = 0; k < 9; ++k) EXPECT_EQ(x.e[k], y.e[k]) << "entry " << k;
}

TEST(Mat3, RowsComeFirst) {
  EXPECT_EQ(A(0, 2), 3);
  EXPECT_EQ(A(2, 0), -2);
  EXPECT_EQ(column(A, 2)[1], 1);
  expect_equal(from_columns(column(A, 0), column(A, 1), column(A, 2)), A);
}

TEST(Mat3, ProductOfMatricesActsLikeOneAfterTheOther) {
  const Vec3<double> once = (A * B) * u, twice = A * (B * u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(once[i], twice[i]);
  expect_equal(transpose(A * B), transpose(B) * transpose(A));
}

TEST(Mat3, TraceOfAProductIsAContraction) {
  EXPECT_EQ(trace(transpose(A) * B), contract(A, B));
  EXPECT_EQ(trace(outer(u, w)), dot(u, w));
}

TEST(Mat3, CofactorTimesTransposeIsTheDeterminant) {
  expect_equal(cofactor(A) * transpose(A), Mat3<double>::scaled_identity(determinant(A)));
  expect_equal(cofactor(Mat3<double>::zero()), Mat3<double>::zero());
}

TEST(Mat3, CofactorIsTheDerivativeOfTheDeterminantAndHasItsOwn) {
  Mat3<Dual<>> moved;
  for (int k = 0; k < 9; ++k) moved.e[k] = {A.e[k], B.e[k]};
  EXPECT_EQ(determinant(moved).slope, contract(cofactor(A), B));
  const Mat3<Dual<>> C = cofactor(moved);
  for (int k = 0; k < 9; ++k) EXPECT_EQ(C.e[k].slope, cofactor_derivative(A, B).e[k]);
}

TEST(Mat3, InverseUndoes) {
  const Mat3<double> one = A * inverse(A);
  // Ten operations on numbers up to 100 over a determinant of 84.
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(one.e[k], k % 4 == 0 ? 1 : 0, 10 * 100 * 1.2e-16);
}

TEST(Mat3, CrossProductIsOrthogonalToBothAndOdd) {
  EXPECT_EQ(dot(cross(u, w), u), 0);
  EXPECT_EQ(dot(cross(u, w), w), 0);
  EXPECT_EQ(dot(cross(u, w) + cross(w, u), cross(u, w)), 0);
  EXPECT_EQ(determinant(from_columns(u, w, cross(u, w))), dot(cross(u, w), cross(u, w)));
}

TEST(Mat3, SumsAndMultiplesAreEntryByEntry) {
  Mat3<double> sum = A;
  sum += B;
  sum -= A;
  expect_equal(sum, B);
  expect_equal(2.0 * A - A, A);
  expect_equal(diagonal(Vec3<double>{2, 2, 2}), Mat3<double>::scaled_identity(2));
  EXPECT_EQ(norm(Vec3<double>{2, 3, 6}), 7);
}

}  // namespace
}  // namespace phiflex

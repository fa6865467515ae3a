#include "phiflex/integrate/anderson.h"
#include "phiflex/linalg/dense_solvers.h"

#include <gtest/gtest.h>

namespace phiflex::testing {
namespace {

Matrix spread_matrix(Index n, double largest) {
  Matrix A = Matrix::Identity(n, n);
  for (Index i = 0; i < n; ++i) {
    A(i, i) += (largest - 1) * double(i) / double(n - 1);
    if (i > 0) A(i, i - 1) = A(i - 1, i) = 0.3;
  }
  return A;
}

TEST(Anderson, SolvesALinearProblemInAsManyIterationsAsItHasUnknowns) {
  const Index n = 7;
  const Matrix A = spread_matrix(n, 20), B = Matrix::Identity(n, n) / 10;
  const Vector b = Vector::LinSpaced(n, 1, -2);
  Anderson anderson(n);
  Vector w = Vector::Zero(n), next;
  double first = 0;
  for (int k = 0; k <= n + 1; ++k) {
    const Vector r = A * w - b, d = -B * r;
    if (k == 0) first = r.norm();
    anderson.advance(w, d, r, next);
    w = next;
  }
  // The regularization of 1e-10 leaves about that per iteration; the plain iteration diverges, |I - BA| > 1.
  EXPECT_LT((A * w - b).norm(), 1e-7 * first);
}

TEST(Anderson, ForgetsWhatItSawAfterARestart) {
  const Index n = 4;
  const Vector w = Vector::Ones(n), d = Vector::LinSpaced(n, 0, 1), r = -d;
  Anderson anderson(n);
  Vector next;
  anderson.advance(w, d, r, next);
  EXPECT_EQ(next, w + d);
  anderson.advance(w + d, 0.5 * d, 0.5 * r, next);
  EXPECT_LT((next - (w + 2 * d)).norm(), 1e-9);  // the secant's answer
  anderson.restart();
  anderson.advance(w, d, r, next);
  EXPECT_EQ(next, w + d);
}

TEST(Anderson, IteratesThatDoNotChangeAreHarmless) {
  const Index n = 3;
  const Vector w = Vector::Ones(n), d = Vector::Zero(n);
  Anderson anderson(n);
  Vector next;
  for (int k = 0; k < 12; ++k) anderson.advance(w, d, d, next);
  EXPECT_EQ(next, w);
}

}  // namespace
}  // namespace phiflex::testing

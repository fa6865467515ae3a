// The exponential and the phi-functions of small dense matrices against formulas of their own.
#include "phiflex/matfun/dense_phi.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/matfun/test_operators.h"

namespace phiflex {
namespace {

using testing::kEps;

// phi_k(z) for real z in long double. The series where it does not cancel, z >= -1; else
// phi_k(z) = integral over s in [0,1] of e^((1-s) z) s^(k-1)/(k-1)!  by parts, which is the recurrence and does
// not cancel for z < -1 because 1/(k-1)! exceeds phi_{k-1}(z) there.
long double phi(int k, long double z) {
  if (z < -1) {
    long double value = std::exp(z), factorial = 1;  // factorial: (j-1)!
    for (int j = 1; j <= k; ++j) {
      if (j > 1) factorial *= j - 1;
      value = (value - 1 / factorial) / z;
    }
    return value;
  }
  long double term = 1, sum = 0;
  for (int j = 1; j <= k; ++j) term /= j;
  for (int j = 1; term != 0 && j < 2000; ++j) {
    sum += term;
    term *= z / (k + j);
    if (std::abs(term) < 1e-25L * std::abs(sum)) break;
  }
  return sum;
}

Matrix exponential(const Matrix& A, double tau = 1) {
  DenseExponential E;
  EXPECT_TRUE(E.compute(tau, A));
  return E.value();
}

Vector phi_sum(const Matrix& A, const std::vector<Vector>& u, double tau) {
  Vector w;
  DensePhi dense;
  EXPECT_TRUE(dense.evaluate(A, u, tau, w));
  return w;
}

TEST(DensePhi, EqualsTheScalarFunctionsForOneByOneMatrices) {
  for (const double z : {0.0, 1e-300, -1e-8, 1e-3, -0.3, 0.9, -1.7, 4.0, -20.0, 30.0, -300.0, 300.0}) {
    for (int k = 0; k <= 5; ++k) {
      std::vector<Vector> u(k + 1);
      u[k] = Vector::Ones(1);
      const double value = phi_sum(Matrix::Constant(1, 1, z), u, 1)[0];
      const auto exact = double(phi(k, z));
      // Rounding z relatively by eps changes e^z by eps z; squaring makes a few times that.
      EXPECT_NEAR(value, exact, 10 * kEps * (1 + std::abs(z)) * std::abs(exact)) << "k=" << k << " z=" << z;
    }
  }
}

// Norms on both sides of every threshold of the degree, and beyond it of the squarings.
TEST(DensePhi, EqualsTheFormulaByEigenvaluesForDiagonalizableMatrices) {
  const Index n = 12;
  for (const double size : {0.01, 0.02, 0.2, 0.3, 0.9, 1.0, 2.0, 2.2, 5.0, 6.0, 50.0, 500.0}) {
    // |A|_1 <= sqrt(n) |A|_2 = size.
    const Vector lambda = Vector::LinSpaced(n, -size, size / 2) / std::sqrt(double(n));
    const Matrix Q = testing::random_orthogonal(n, 3), A = Q * lambda.asDiagonal() * Q.transpose();
    for (int k = 0; k <= 4; ++k) {
      std::vector<Vector> u(k + 1);
      u[k] = testing::random_vector(n, 5);
      const double tau = 0.8;
      const Vector values = Vector::NullaryExpr(
          n, [&](Index i) { return std::pow(tau, k) * double(phi(k, (long double)(tau)*lambda[i])); });
      const Vector exact = Q * values.asDiagonal() * (Q.transpose() * u[k]);
      // Relative to |phi_k(A)| |u|; the matrix itself has errors of n eps from forming it.
      EXPECT_LE((phi_sum(A, u, tau) - exact).norm(),
                20 * kEps * (1 + size) * values.cwiseAbs().maxCoeff() * u[k].norm())
          << "k=" << k << " |A|=" << size;
    }
  }
}

TEST(DensePhi, EqualsTheFiniteSeriesForNilpotentMatrices) {
  const Index n = 6;
  Matrix N = Matrix::Zero(n, n);
  for (Index i = 0; i + 1 < n; ++i) N(i, i + 1) = double(i + 1);
  const double tau = 1.25;
  for (int k = 0; k <= 4; ++k) {
    std::vector<Vector> u(k + 1);
    u[k] = testing::random_vector(n, 2);
    // tau^k phi_k(tau N) u = sum_j tau^(k+j) N^j u / (k+j)!
    Vector exact = Vector::Zero(n), power = u[k];
    double factor = std::pow(tau, k) / std::tgamma(k + 1.0);
    for (int j = 0; j < n; ++j) {
      exact += factor * power;
      power = N * power;
      factor *= tau / (k + j + 1);
    }
    EXPECT_LE((phi_sum(N, u, tau) - exact).norm(), 100 * kEps * exact.norm()) << "k=" << k;
  }
}

TEST(DensePhi, AddsAllTermsOfTheSum) {
  const Index n = 8;
  const Matrix A = testing::random_kind(n, 4);
  std::vector<Vector> u;
  Vector sum = Vector::Zero(n);
  for (int k = 0; k <= 4; ++k) {
    u.push_back(std::pow(10.0, 3 * k - 6) * testing::random_vector(n, unsigned(k)));
    std::vector<Vector> one(k + 1);
    one[k] = u[k];
    sum += phi_sum(A, one, 0.7);
  }
  EXPECT_LE((phi_sum(A, u, 0.7) - sum).norm(), 100 * kEps * sum.norm());
}

TEST(DenseExponential, RotatesByTheAngle) {
  Matrix A(2, 2);
  A << 0, -1, 1, 0;
  for (const double angle : {1e-9, 0.5, 3.0, 40.0, 1e4}) {
    Matrix R(2, 2);
    R << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    EXPECT_LE((exponential(A, angle) - R).norm(), 10 * kEps * (1 + angle)) << angle;
  }
}

TEST(DenseExponential, OfTheTransposeIsTheTransposeAndOfTheNegativeTheInverse) {
  const Index n = 20;
  const Matrix A = testing::random_kind(n, 6);
  const Matrix E = exponential(A);
  EXPECT_LE((exponential(A.transpose()) - E.transpose()).norm(), 100 * kEps * E.norm());
  EXPECT_LE((exponential(-A) * E - Matrix::Identity(n, n)).norm(),
            100 * kEps * exponential(-A).norm() * E.norm());
}

TEST(DenseExponential, TakesABlockOfALargerMatrixAndEveryOtherSizeAfterIt) {
  const Matrix A = testing::random_kind(15, 1);
  DenseExponential E;
  for (const Index n : {15, 4, 1, 9}) {
    ASSERT_TRUE(E.compute(0.5, A.topLeftCorner(n, n)));
    const Matrix alone = exponential(A.topLeftCorner(n, n), 0.5);
    // The last bits depend on where in memory a matrix begins.
    EXPECT_LE((Matrix(E.value()) - alone).norm(), 10 * kEps * alone.norm());
  }
  EXPECT_TRUE(E.compute(1, Matrix(0, 0)));
}

TEST(DenseExponential, EstimatesTheNormOfItsLeadingBlockFromBelow) {
  DenseExponential E;
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Matrix S = testing::stiff_kind(12, seed, 50);
    ASSERT_TRUE(E.compute(1, S));
    EXPECT_LE(E.leading_norm(12), std::exp(-0.1) * (1 + 100 * kEps));
    EXPECT_GE(E.leading_norm(12), 0.95 * std::exp(-0.1));
    ASSERT_TRUE(E.compute(1, testing::skew_kind(12, seed, 20)));
    EXPECT_NEAR(E.leading_norm(12), 1, 1e-13);
  }
}

TEST(DenseExponential, RefusesWhatIsNotFiniteAndWhereNoDigitIsLeft) {
  DenseExponential E;
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity, 1e300, 1e20}) {
    Matrix A = testing::skew_kind(6, 1, 3);
    A(2, 4) = bad;
    EXPECT_FALSE(E.compute(1, A)) << bad;
  }
  EXPECT_FALSE(E.compute(nan, Matrix::Identity(3, 3)));
  EXPECT_FALSE(E.compute(1000, Matrix::Identity(3, 3)));  // e^1000 overflows
  ASSERT_TRUE(E.compute(-1e10, Matrix::Identity(3, 3)));  // and e^-1e10 is zero
  EXPECT_EQ(Matrix(E.value()), Matrix(Matrix::Zero(3, 3)));
}

}  // namespace
}  // namespace phiflex

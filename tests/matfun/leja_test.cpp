// `leja`: the points, the coefficients, and the spectrum the evaluator thinks it sees.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "phiflex/matfun/leja_points.h"
#include "tests/matfun/phi_sums.h"

namespace phiflex {
namespace {

using testing::dense_phi;
using testing::random_vector;
using Complex = std::complex<double>;

testing::PhiSums leja(const Matrix& A, const std::vector<Vector>& u, const PhiOptions& options) {
  return testing::evaluate_phi("leja", A, u, {1}, options);
}

TEST(LejaPoints, EachMaximizesItsDistancesFromThoseBefore) {
  const auto& xi = leja_points();
  const auto product = [&](double x, int count) {
    double result = 1;
    for (int l = 0; l < count; ++l) result *= std::abs(x - xi[l]);
    return result;
  };
  for (int i = 1; i < kLejaPairs; ++i) {
    double largest = 0;
    for (int j = 0; j <= 5000; ++j) largest = std::max(largest, product(-2 + 4.0 * j / 5000, i));
    // The points are the best of 2001 candidates: between two of them a maximum is off by at most
    // (i pi / 2000)^2 / 2 < 0.6 % for i < 64, and near other points by little more.
    EXPECT_GE(product(xi[i], i), 0.98 * largest) << i;
  }
}

// Newton interpolation (3) of leja_points.h on the boundary of the ellipse, where the error is largest. The
// degree suffices by far for k <= 16; e^(s a) is the size of the terms for a disc.
TEST(LejaPoints, InterpolateTheExponentialOnAnyEllipse) {
  for (const double k : {0.5, 4.0, 16.0}) {
    for (const double f : {-1.0, -0.6, 0.0, 0.6, 1.0}) {  // imaginary interval, ..., disc, ..., real interval
      NewtonExponential newton;
      const double shift = -k;
      newton.compute(shift, k, f);
      const double a = 1 + f, b = 1 - f;  // in units of the capacity
      for (int i = 0; i <= 40; ++i) {
        const double angle = std::numbers::pi * i / 40;
        const Complex x(a * std::cos(angle), b * std::sin(angle));
        Complex sum = 0, product = 1;
        for (int l = 0; l < kLejaPairs; ++l) {
          sum += (newton.even[l] + newton.odd[l] * x) * product;
          product *= x * x - newton.y[l];
        }
        const double size = std::exp(shift + k * a);
        EXPECT_LE(std::abs(sum - std::exp(shift + k * x)), 1e-12 * size + 1e-13) << "k=" << k << " f=" << f;
      }
    }
  }
}

// On the imaginary interval of half-length R the series needs R + O(R^(1/3) log(1/tolerance)) products: for
// substeps of R = 64 / 1.1 and 1e-4 about 80, so that the whole costs below 1.6 products per radian.
TEST(Leja, CostsLittleMoreThanOneProductPerRadianOfAnUndampedSystem) {
  const Index n = 100;
  const double frequency = 1000;
  const Matrix A = testing::skew_kind(n, 1, frequency);
  const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2)};
  const auto [report, w] = leja(A, u, {.tolerance = 1e-4});
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_LE(report.products, 1.6 * frequency);
  EXPECT_EQ(report.rejected, 0);
  const Vector exact = dense_phi(A, u, 1);
  EXPECT_LE((w[0] - exact).norm(), 3e-4 * exact.norm());
}

// On the real interval [-R, 0] a substep needs a degree of about sqrt(R) times a logarithm: less than one
// product per unit.
TEST(Leja, CostsLessThanOneProductPerUnitOfAStiffSymmetricSystem) {
  const Index n = 100;
  const double fastest = 2000;
  const Matrix A = testing::stiff_kind(n, 1, fastest);
  const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2)};
  const auto [report, w] = leja(A, u, {.tolerance = 1e-4});
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_LE(report.products, fastest);
  const Vector exact = dense_phi(A, u, 1);
  EXPECT_LE((w[0] - exact).norm(), 3e-4 * exact.norm());
}

TEST(Leja, FindsOutWhenItsBoxIsTooSmall) {
  const Index n = 60;
  for (const auto& [name, A] : {testing::NamedMatrix{"skew", testing::skew_kind(n, 1, 60)},
                                testing::NamedMatrix{"stiff", testing::stiff_kind(n, 1, 200)},
                                testing::NamedMatrix{"oscillator", testing::oscillator_kind(n, 1, 60)},
                                testing::NamedMatrix{"random", 5 * testing::random_kind(n, 1)}}) {
    const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2), random_vector(n, 3)};
    const Vector exact = dense_phi(A, u, 1);
    for (const int basis : {1, 2}) {  // Ritz values of one or two steps see next to nothing
      const auto [report, w] = leja(A, u, {.tolerance = 1e-6, .basis = basis});
      ASSERT_EQ(report.status, EvaluationStatus::ok) << name;
      EXPECT_LE((w[0] - exact).norm(), 3e-6 * exact.norm()) << name << " basis " << basis;
    }
  }
}

TEST(Leja, HoldsNoBasisBesideItsProbe) {
  const Index n = 200;
  const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2)};
  const auto [report, w] = leja(testing::skew_kind(n, 1, 400), u, {.tolerance = 1e-8});
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_LE(report.largest_basis, 25);
}

}  // namespace
}  // namespace phiflex

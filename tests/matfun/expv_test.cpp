// `expv` against a plain transcription of the algorithm it is named after.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "phiflex/matfun/catalogue.h"
#include "phiflex/matfun/dense_phi.h"
#include "tests/matfun/test_operators.h"

namespace phiflex {
namespace {

using testing::DenseOperator;
using testing::random_vector;

struct Expokit {
  Vector w;
  long substeps = 0, rejected = 0;
};

double two_digits(double t) {
  const double s = std::pow(10.0, std::floor(std::log10(t)) - 1);
  return std::ceil(t / s) * s;
}

// Sidje's algorithm, line by line: exp(t A) v with an absolute tolerance per unit of time.
Expokit expokit(double t_out, const Matrix& A, const Vector& v, double tol, Index m) {
  const double anorm = A.cwiseAbs().rowwise().sum().maxCoeff(), gamma = 0.9, delta = 1.2;
  const auto steps = double(m);
  Expokit result{v};
  double beta = v.norm(), t_now = 0;
  const double fact =
      std::pow((steps + 1) / std::numbers::e, steps + 1) * std::sqrt(2 * std::numbers::pi * (steps + 1));
  double t_new = two_digits(1 / anorm * std::pow(fact * tol / (4 * beta * anorm), 1 / steps));
  while (t_now < t_out) {
    ++result.substeps;
    double t_step = std::min(t_out - t_now, t_new), error = 0, xm = 0;
    Matrix V(A.rows(), m + 1), H = Matrix::Zero(m + 2, m + 2);
    V.col(0) = result.w / beta;
    for (Index j = 0; j < m; ++j) {
      Vector p = A * V.col(j);
      for (Index i = 0; i < 2 * (j + 1); ++i) {  // twice, so that results can be compared to rounding
        const double h = V.col(i % (j + 1)).dot(p);
        H(i % (j + 1), j) += h;
        p -= h * V.col(i % (j + 1));
      }
      H(j + 1, j) = p.norm();
      V.col(j + 1) = p / H(j + 1, j);
    }
    H(m + 1, m) = 1;
    const double avnorm = (A * V.col(m)).norm();
    DenseExponential F;
    for (;;) {
      EXPECT_TRUE(F.compute(t_step, H));
      const double p1 = std::abs(beta * F.value()(m, 0)), p2 = std::abs(beta * F.value()(m + 1, 0) * avnorm);
      error = p1 > 10 * p2 ? p2 : p1 > p2 ? p1 * p2 / (p1 - p2) : p1;
      xm = p1 > p2 ? 1 / steps : 1 / (steps - 1);
      if (error <= delta * t_step * tol) break;
      ++result.rejected;
      t_step = two_digits(gamma * t_step * std::pow(t_step * tol / error, xm));
    }
    result.w = V * (beta * F.value().col(0).head(m + 1));
    beta = result.w.norm();
    t_now += t_step;
    t_new = two_digits(gamma * t_step * std::pow(t_step * tol / error, xm));
  }
  return result;
}

Matrix augment(const Matrix& A, const Vector& b) {
  const Index n = A.rows();
  Matrix C = Matrix::Zero(n + 1, n + 1);
  C.topLeftCorner(n, n) = A;
  C.col(n).head(n) = b;
  return C;
}

EvaluationReport expv(const Matrix& A, const std::vector<Vector>& u, double tau, const PhiOptions& options,
                      Vector& w) {
  return find_evaluator("expv")->make_phi(options)->evaluate(DenseOperator(A), u, {&tau, 1}, {&w, 1});
}

TEST(Expv, TakesTheSubstepsOfExpokit) {
  const Index n = 80;
  for (const auto& [name, A] : {testing::NamedMatrix{"skew", testing::skew_kind(n, 2, 300)},
                                testing::NamedMatrix{"oscillator", testing::oscillator_kind(n, 3, 200)},
                                testing::NamedMatrix{"stiff", testing::stiff_kind(n, 4, 3000)}}) {
    for (const double tolerance : {1e-7, 1e-3}) {
      const Vector v = random_vector(n, 5);
      const Expokit expected = expokit(1, A, v, tolerance, 30);
      Vector w;
      const EvaluationReport report = expv(A, {v}, 1, {.expokit_tolerance = tolerance}, w);
      EXPECT_EQ(report.status, EvaluationStatus::ok);
      EXPECT_EQ(report.substeps, expected.substeps) << name << " " << tolerance;
      EXPECT_EQ(report.rejected, expected.rejected) << name << " " << tolerance;
      EXPECT_GT(report.substeps, 3);
      // The same steps: results agree far beyond the tolerance, to rounding times the number of substeps.
      EXPECT_LE((w - expected.w).norm(), 1e-10 * (v.norm() + expected.w.norm())) << name;
      EXPECT_EQ(report.krylov_vectors, 30 * report.substeps);
      EXPECT_EQ(report.products, 31 * report.substeps);
      EXPECT_EQ(report.largest_basis, 31);
    }
  }
}

TEST(Expv, TakesTheSubstepsOfExpokitOnTheIncrementForm) {
  const Index n = 80;
  for (const auto& [name, A] : {testing::NamedMatrix{"oscillator", testing::oscillator_kind(n, 3, 200)},
                                testing::NamedMatrix{"stiff", testing::stiff_kind(n, 4, 3000)}}) {
    const Vector b = 10 * random_vector(n, 5);
    const Expokit expected = expokit(1, augment(A, b), Vector::Unit(n + 1, n), 1e-7, 30);
    Vector w;
    const EvaluationReport report = expv(A, {Vector{}, b}, 1, {.expokit_tolerance = 1e-7}, w);
    EXPECT_EQ(report.substeps, expected.substeps) << name;
    EXPECT_LE((w - expected.w.head(n)).norm(), 1e-9 * w.norm()) << name;
  }
}

TEST(Expv, MeetsExpokitsAbsoluteTolerance) {
  const Index n = 60;
  const Matrix A = testing::skew_kind(n, 2, 200);
  const Vector v = random_vector(n, 5);
  DensePhi dense;
  Vector exact, w;
  const double tau = 1.5;
  ASSERT_TRUE(dense.evaluate(A, std::vector<Vector>{v}, tau, exact));
  for (const double tolerance : {1e-2, 1e-5, 1e-8}) {
    const EvaluationReport report = expv(A, {v}, tau, {.expokit_tolerance = tolerance}, w);
    EXPECT_LE((w - exact).norm(), 1.2 * tau * tolerance);
    EXPECT_LE((w - exact).norm(), report.error * exact.norm());
  }
}

TEST(Expv, GivesUpAfterTenRejections) {
  const Index n = 60;
  Vector w;
  const EvaluationReport report =
      expv(testing::skew_kind(n, 2, 200), {random_vector(n, 5)}, 1, {.expokit_tolerance = 1e-200}, w);
  EXPECT_EQ(report.status, EvaluationStatus::not_converged);
}

TEST(Expv, UsesTheBasisThatIsAskedFor) {
  const Index n = 60;
  Vector w;
  const Matrix A = testing::skew_kind(n, 2, 100);
  const EvaluationReport ten = expv(A, {random_vector(n, 5)}, 1, {.basis = 10}, w);
  EXPECT_EQ(ten.krylov_vectors, 10 * ten.substeps);
  const EvaluationReport bounded = expv(A, {random_vector(n, 5)}, 1, {.largest_basis = 16}, w);
  EXPECT_EQ(bounded.largest_basis, 16);
}

TEST(Expv, ReportsAnInnerProductThatIsNotPositiveDefinite) {
  const Index n = 12;
  const testing::DenseProduct negative(-Matrix::Identity(n, n));
  Vector w;
  for (const std::vector<Vector>& u :
       {std::vector<Vector>{random_vector(n, 1)}, {Vector{}, random_vector(n, 1)}})
    EXPECT_EQ(expv(testing::random_kind(n, 1), u, 1, {.norm = &negative}, w).status,
              EvaluationStatus::not_positive_definite);
}

}  // namespace
}  // namespace phiflex

// What every general evaluator of the catalogue promises. A new one is held to all of it without a line here.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "phiflex/matfun/catalogue.h"
#include "phiflex/matfun/dense_phi.h"
#include "tests/allocation_counter.h"
#include "tests/matfun/test_operators.h"

namespace phiflex {
namespace {

using testing::DenseOperator;
using testing::random_vector;

using testing::kEps;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> general_evaluators() {
  std::vector<std::string> names;
  for (const EvaluatorEntry& entry : evaluator_catalogue())
    if (entry.info->family == EvaluatorFamily::general) names.emplace_back(entry.info->name);
  return names;
}

struct Outcome {
  EvaluationReport report;
  std::vector<Vector> w;
};

class GeneralEvaluator : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<PhiEvaluator> make(const PhiOptions& options) {
    return find_evaluator(GetParam())->make_phi(options);
  }
  static Outcome evaluate(const LinearOperator& A, const std::vector<Vector>& u,
                          const std::vector<double>& tau, const PhiOptions& options) {
    Outcome outcome{{}, std::vector<Vector>(tau.size())};
    outcome.report = make(options)->evaluate(A, u, tau, outcome.w);
    return outcome;
  }
};

// u_0, ..., u_p with entries near 1.
std::vector<Vector> random_vectors(Index n, int p, unsigned seed) {
  std::vector<Vector> u;
  for (int k = 0; k <= p; ++k) u.push_back(random_vector(n, 100 * seed + unsigned(k)));
  return u;
}

Vector reference(const Matrix& A, const std::vector<Vector>& u, double tau) {
  Vector w;
  DensePhi phi;
  EXPECT_TRUE(phi.evaluate(A, u, tau, w));
  return w;
}

double relative_error(const Vector& x, const Vector& exact) {
  return (x - exact).norm() / exact.norm();
}

// "Tolerance asked is tolerance got": the true error may be up to three times what was asked for.
constexpr double kFactor = 3;

TEST_P(GeneralEvaluator, AgreesWithTheDenseReferenceToItsToleranceForEveryKindOfMatrix) {
  const Index n = 36;
  const std::vector<double> tau = {0.2, 0.55, 1};
  for (const unsigned seed : {1u, 2u}) {
    for (const auto& [name, A] : testing::kinds_of_matrices(n, seed)) {
      for (int p = 0; p <= 4; ++p) {
        const auto u = random_vectors(n, p, seed + 7);
        std::vector<Vector> exact;
        for (const double t : tau) exact.push_back(reference(A, u, t));
        for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10}) {
          const auto [report, w] = evaluate(DenseOperator(A), u, tau, {.tolerance = tolerance});
          ASSERT_EQ(report.status, EvaluationStatus::ok) << name << " p=" << p << " asked " << tolerance;
          EXPECT_EQ(report.evaluator, GetParam());
          EXPECT_GT(report.products + long(A.isZero()), 0);
          for (std::size_t j = 0; j < tau.size(); ++j)
            EXPECT_LE(relative_error(w[j], exact[j]), kFactor * tolerance)
                << name << " p=" << p << " seed=" << seed << " tau=" << tau[j] << " asked " << tolerance
                << " reported " << report.error << " substeps " << report.substeps;
        }
      }
    }
  }
}

// The increment form of exponential integrators: u_0 is absent, and so may be others.
TEST_P(GeneralEvaluator, TakesEmptyVectorsForZero) {
  const Index n = 24;
  for (const auto& [name, A] : testing::kinds_of_matrices(n, 3)) {
    std::vector<Vector> u(4), full(4, Vector::Zero(n));
    for (const int k : {1, 3}) u[k] = full[k] = random_vector(n, unsigned(k));
    const auto [report, w] = evaluate(DenseOperator(A), u, {0.5, 1}, {.tolerance = 1e-7});
    ASSERT_EQ(report.status, EvaluationStatus::ok) << name;
    EXPECT_LE(relative_error(w[0], reference(A, full, 0.5)), kFactor * 1e-7) << name;
    EXPECT_LE(relative_error(w[1], reference(A, full, 1)), kFactor * 1e-7) << name;
  }
}

// Here codes go wrong that set up the second substep from the wrong time.
TEST_P(GeneralEvaluator, KeepsItsToleranceOverManySubsteps) {
  const Index n = 40;
  for (const auto& [name, A] : {testing::NamedMatrix{"skew", testing::skew_kind(n, 5, 150)},
                                testing::NamedMatrix{"stiff", testing::stiff_kind(n, 5, 1500)},
                                testing::NamedMatrix{"oscillator", testing::oscillator_kind(n, 5, 150)}}) {
    for (int p = 0; p <= 4; ++p) {
      const auto u = random_vectors(n, p, 11);
      for (const double tolerance : {1e-3, 1e-7}) {
        const auto [report, w] = evaluate(DenseOperator(A), u, {0.3, 1, 1.7},
                                          {.tolerance = tolerance, .basis = 8, .largest_basis = 16});
        ASSERT_EQ(report.status, EvaluationStatus::ok) << name << " p=" << p << " asked " << tolerance;
        EXPECT_GE(report.substeps, 3);
        for (const auto& [j, t] : {std::pair<int, double>{0, 0.3}, {1, 1.0}, {2, 1.7}})
          EXPECT_LE(relative_error(w[j], reference(A, u, t)), kFactor * tolerance)
              << name << " p=" << p << " tau=" << t << " asked " << tolerance << " reported " << report.error
              << " substeps " << report.substeps;
      }
    }
  }
}

// w' = A w + u_1 + t u_2 + t^2/2 u_3, the derivative by the central difference of sixth order: with
// |A| = 4 and d = 0.02 it is off by (4 d)^6/140 < 2e-9 relative to |A w|, and rounding and the tolerance 1e-12 add
// less than 1e-12 / d = 5e-11.
TEST_P(GeneralEvaluator, SatisfiesItsDefiningDifferentialEquation) {
  const Index n = 20;
  const double d = 0.02;
  for (const Matrix& A : {Matrix(testing::random_kind(n, 2)), Matrix(testing::skew_kind(n, 2, 4)),
                          Matrix(testing::defective_kind(n, -1))}) {
    const auto u = random_vectors(n, 3, 5);
    std::vector<double> tau;
    for (int i = -3; i <= 3; ++i) tau.push_back(0.8 + i * d);
    const auto [report, w] = evaluate(DenseOperator(A), u, tau, {.tolerance = 1e-12});
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    const Vector derivative = (45 * (w[4] - w[2]) - 9 * (w[5] - w[1]) + (w[6] - w[0])) / (60 * d);
    const Vector right = A * w[3] + u[1] + 0.8 * u[2] + 0.32 * u[3];
    EXPECT_LE((derivative - right).norm(), 1e-8 * right.norm());
  }
}

// From the time s on, w solves the same equation with u_k replaced by sum_l s^l/l! u_{k+l} and w(0) by w(s).
TEST_P(GeneralEvaluator, ContinuesFromAnyTimeOnTheSameSolution) {
  const Index n = 30;
  const double s = 0.4, tolerance = 1e-9;
  for (const auto& [name, A] : testing::kinds_of_matrices(n, 4)) {
    const auto u = random_vectors(n, 4, 21);
    const auto [report, w] = evaluate(DenseOperator(A), u, {s, 1}, {.tolerance = tolerance});
    std::vector<Vector> moved = {w[0]};
    for (int k = 1; k <= 4; ++k) {
      Vector sum = Vector::Zero(n);
      double factor = 1;
      for (int l = 0; k + l <= 4; factor *= s / ++l) sum += factor * u[k + l];
      moved.push_back(sum);
    }
    const auto again = evaluate(DenseOperator(A), moved, {1 - s}, {.tolerance = tolerance});
    // Three errors of the tolerance; exp((1 - s) A) enlarges the one at s by less than 30 (nonnormal).
    EXPECT_LE(relative_error(again.w[0], w[1]), 30 * kFactor * tolerance) << name;
  }
}

TEST_P(GeneralEvaluator, IsLinearInItsVectors) {
  const Index n = 30;
  const double tolerance = 1e-8;
  for (const auto& [name, A] : testing::kinds_of_matrices(n, 6)) {
    const auto u = random_vectors(n, 3, 31), v = random_vectors(n, 3, 32);
    std::vector<Vector> sum;
    for (int k = 0; k <= 3; ++k) sum.push_back(2 * u[k] - 3 * v[k]);
    const DenseOperator op(A);
    const Vector wu = evaluate(op, u, {1}, {.tolerance = tolerance}).w[0];
    const Vector wv = evaluate(op, v, {1}, {.tolerance = tolerance}).w[0];
    const Vector ws = evaluate(op, sum, {1}, {.tolerance = tolerance}).w[0];
    EXPECT_LE((ws - (2 * wu - 3 * wv)).norm(),
              kFactor * tolerance * (ws.norm() + 2 * wu.norm() + 3 * wv.norm()))
        << name;
  }
}

TEST_P(GeneralEvaluator, GivesOneOverKFactorialForTheZeroMatrix) {
  const Index n = 9;
  const double tau = 1.5;
  double factor = 1;
  for (int k = 0; k <= 6; factor *= tau / ++k) {
    std::vector<Vector> u(k + 1);
    u[k] = random_vector(n, unsigned(k));
    const auto [report, w] = evaluate(DenseOperator(Matrix::Zero(n, n)), u, {tau}, {.tolerance = 1e-10});
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_LE(relative_error(w[0], factor * u[k]), 100 * kEps) << "k=" << k;
  }
}

TEST_P(GeneralEvaluator, ReturnsExactZerosForZeroVectors) {
  const DenseOperator A(testing::random_kind(7, 1));
  for (const std::vector<Vector>& u :
       {std::vector<Vector>{}, {Vector::Zero(7)}, {Vector{}, Vector{}}, {Vector{}, Vector::Zero(7)}}) {
    const auto [report, w] = evaluate(A, u, {0.5, 2}, {});
    EXPECT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_EQ(report.error, 0);
    for (const Vector& each : w) EXPECT_EQ(each, Vector(Vector::Zero(7)));
  }
}

TEST_P(GeneralEvaluator, EndsExactlyWhereTheKrylovSpaceEnds) {
  // An eigenvector, and a sum of three.
  const Index n = 30;
  const Vector rates = -testing::geometric(n, 0.1, 20);
  const Matrix Q = testing::random_orthogonal(n, 3), A = Q * rates.asDiagonal() * Q.transpose();
  for (const Index count : {1, 3}) {
    const Vector x = Q.leftCols(count).rowwise().sum();
    Vector exact = Vector::Zero(n);
    for (Index i = 0; i < count; ++i) exact += std::exp(2 * rates[i]) * Q.col(i);
    const auto [report, w] = evaluate(DenseOperator(A), {x}, {2}, {.tolerance = 1e-10});
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_LE(relative_error(w[0], exact), kFactor * 1e-10);
    const auto phi = evaluate(DenseOperator(A), {Vector{}, x}, {2}, {.tolerance = 1e-10});
    exact.setZero();
    for (Index i = 0; i < count; ++i) exact += std::expm1(2 * rates[i]) / rates[i] * Q.col(i);
    EXPECT_LE(relative_error(phi.w[0], exact), kFactor * 1e-10);
  }
  const auto one = evaluate(DenseOperator(Matrix::Constant(1, 1, -3)), {Vector::Ones(1)}, {2}, {});
  EXPECT_NEAR(one.w[0][0], std::exp(-6), kFactor * 1e-4 * std::exp(-6));
}

TEST_P(GeneralEvaluator, ReportsInputThatIsNotFinite) {
  const Index n = 12;
  const DenseOperator good(testing::random_kind(n, 1));
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (int k = 0; k <= 2; ++k) {
      auto u = random_vectors(n, 2, 1);
      u[k][5] = bad;
      EXPECT_EQ(evaluate(good, u, {1}, {}).report.status, EvaluationStatus::not_finite);
    }
    Matrix A = good.matrix();
    A(3, 4) = bad;
    EXPECT_EQ(evaluate(DenseOperator(A), random_vectors(n, 2, 1), {1}, {}).report.status,
              EvaluationStatus::not_finite);
  }
  EXPECT_EQ(evaluate(good, random_vectors(n, 2, 1), {kInfinity}, {}).report.status,
            EvaluationStatus::not_finite);
}

TEST_P(GeneralEvaluator, ReportsAResultThatOverflows) {
  const Index n = 5;
  const auto [report, w] = evaluate(DenseOperator(1000 * Matrix::Identity(n, n)), {Vector::Ones(n)}, {1}, {});
  EXPECT_NE(report.status, EvaluationStatus::ok);
}

TEST_P(GeneralEvaluator, RefusesSizesAndTimesThatDoNotFit) {
  const DenseOperator A(testing::random_kind(6, 1));
  EXPECT_THROW(evaluate(A, {Vector::Ones(5)}, {1}, {}), std::invalid_argument);
  EXPECT_THROW(evaluate(A, {Vector::Ones(6)}, {1, 1}, {}), std::invalid_argument);
  EXPECT_THROW(evaluate(A, {Vector::Ones(6)}, {-1}, {}), std::invalid_argument);
}

TEST_P(GeneralEvaluator, IsIndifferentToTheUnitsOfTimeAndOfTheVectors) {
  // A / c for the time c tau, with u_k c^-k: the same result. Squares of 1e+-200 leave the range of numbers.
  const Index n = 16;
  for (const auto& [name, A] : testing::kinds_of_matrices(n, 8)) {
    auto u = random_vectors(n, 1, 3);
    const Vector exact = reference(A, u, 1);
    for (const double c : {1e-200, 1e200}) {
      std::vector<Vector> scaled = {u[0], u[1] / c};
      const auto [report, w] = evaluate(DenseOperator(A / c), scaled, {c}, {.tolerance = 1e-6});
      ASSERT_EQ(report.status, EvaluationStatus::ok) << name << " time " << c;
      EXPECT_LE(relative_error(w[0], exact), kFactor * 1e-6) << name << " time " << c;
    }
    for (const double c : {1e-250, 1e250}) {
      const auto [report, w] = evaluate(DenseOperator(A), {c * u[0], c * u[1]}, {1}, {.tolerance = 1e-6});
      ASSERT_EQ(report.status, EvaluationStatus::ok) << name << " size " << c;
      EXPECT_LE(relative_error(w[0] / c, exact), kFactor * 1e-6) << name << " size " << c;
    }
  }
}

TEST_P(GeneralEvaluator, TreatsATinyMatrixAsZeroAndAHugeOneWithoutWrongResults) {
  const Index n = 10;
  const auto u = random_vectors(n, 2, 4);
  const Matrix A = testing::random_kind(n, 9);
  const auto tiny = evaluate(DenseOperator(1e-300 * A), u, {2}, {.tolerance = 1e-8});
  ASSERT_EQ(tiny.report.status, EvaluationStatus::ok);
  EXPECT_LE(relative_error(tiny.w[0], u[0] + 2 * u[1] + 2 * u[2]), kFactor * 1e-8);
  for (const double huge : {1e20, 1e150, 1e300}) {
    const auto [report, w] =
        evaluate(DenseOperator(huge * testing::skew_kind(n, 9, 1)), u, {2}, {.substep_limit = 1000});
    EXPECT_NE(report.status, EvaluationStatus::ok) << huge;  // not a digit of the phase is known
  }
}

TEST_P(GeneralEvaluator, GivesUpAtItsLimitOfSubsteps) {
  const Index n = 60;
  const Matrix A = testing::skew_kind(n, 9, 4000);
  const auto u = random_vectors(n, 1, 4);
  const auto [report, w] = evaluate(
      DenseOperator(A), u, {1}, {.tolerance = 1e-6, .basis = 10, .largest_basis = 12, .substep_limit = 3});
  if (report.status == EvaluationStatus::ok) {
    EXPECT_LE(report.substeps, 3);
    EXPECT_LE(relative_error(w[0], reference(A, u, 1)), kFactor * 1e-6);
  } else {
    EXPECT_EQ(report.status, EvaluationStatus::not_converged);
  }
}

TEST_P(GeneralEvaluator, TellsWhenRoundOffBarsTheToleranceOfASmallResult) {
  // w = integral over a whole period of a rotation: zero, but for rounding.
  Matrix A(2, 2);
  A << 0, 1, -1, 0;
  const double period = 6.283185307179586;
  const auto [report, w] =
      evaluate(DenseOperator(A), {Vector{}, Vector::Unit(2, 0)}, {period}, {.tolerance = 1e-6});
  if (report.status == EvaluationStatus::ok) {
    EXPECT_LE(w[0].norm(), 1e-12);
    // Where rounding happens to cancel as well, zero is right to the last bit.
    if (w[0].norm() > 0) {
      EXPECT_GT(report.error, 1e-6);
    }
  }
  // And a near miss: the result is 1e-4 of its way, and still asked for 1e-6 of itself.
  const double near = period + 1e-4;
  const auto close = evaluate(DenseOperator(A), {Vector{}, Vector::Unit(2, 0)}, {near}, {.tolerance = 1e-6});
  ASSERT_EQ(close.report.status, EvaluationStatus::ok);
  const Vector exact = (Vector(2) << std::sin(1e-4), std::cos(1e-4) - 1).finished();
  EXPECT_LE(relative_error(close.w[0], exact), kFactor * 1e-6);
}

TEST_P(GeneralEvaluator, MeetsItsToleranceWhereTheResultHasDecayed) {
  // From 1 to 3e-14, all of it along the slowest mode in the end.
  const Index n = 30;
  const Vector rates = -testing::geometric(n, 30, 900);
  const Matrix Q = testing::random_orthogonal(n, 3), A = Q * rates.asDiagonal() * Q.transpose();
  const Vector x = random_vector(n, 2),
               exact = Q * (rates.array().exp() * (Q.transpose() * x).array()).matrix();
  const auto [report, w] = evaluate(DenseOperator(A), {x}, {1}, {.tolerance = 1e-4});
  if (report.status == EvaluationStatus::ok) {
    EXPECT_LE(relative_error(w[0], exact), kFactor * std::max(1e-4, report.error));
  }
}

TEST_P(GeneralEvaluator, MeasuresErrorsInTheInnerProductThatIsGiven) {
  // Displacements count 1e6 times as much as velocities: they are w of about the size of 1/|A|.
  const Index n = 40;
  const Matrix A = testing::oscillator_kind(n, 3, 100);
  Vector weights(n);
  weights << Vector::Constant(n / 2, 1e6), Vector::Ones(n / 2);
  const testing::DenseProduct G(weights.asDiagonal());
  for (int p = 0; p <= 3; ++p) {
    const auto u = random_vectors(n, p, 8);
    const Vector exact = reference(A, u, 1);
    const auto size = [&](const Vector& x) { return std::sqrt(x.dot(weights.cwiseProduct(x))); };
    for (const double tolerance : {1e-3, 1e-7}) {
      const auto [report, w] = evaluate(DenseOperator(A), u, {1}, {.tolerance = tolerance, .norm = &G});
      ASSERT_EQ(report.status, EvaluationStatus::ok);
      EXPECT_LE(size(w[0] - exact), kFactor * tolerance * size(exact)) << "p=" << p << " asked " << tolerance;
    }
  }
}

TEST_P(GeneralEvaluator, AllocatesNothingTheSecondTime) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  const Index n = 50;
  const DenseOperator A(testing::skew_kind(n, 4, 60));
  const auto u = random_vectors(n, 2, 5);
  const std::vector<double> tau = {0.4, 1};
  const testing::DenseProduct G(Matrix::Identity(n, n));
  for (const InnerProduct* norm :
       {static_cast<const InnerProduct*>(nullptr), static_cast<const InnerProduct*>(&G)}) {
    const auto evaluator = make({.tolerance = 1e-6, .norm = norm});
    std::vector<Vector> w(2);
    ASSERT_EQ(evaluator->evaluate(A, u, tau, w).status, EvaluationStatus::ok);
    const Vector first = w[1];
    EXPECT_EQ(testing::allocations_of([&] { (void)evaluator->evaluate(A, u, tau, w); }), 0);
    EXPECT_EQ(w[1], first);  // and nothing of the first call shows in the second
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, GeneralEvaluator, ::testing::ValuesIn(general_evaluators()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace phiflex

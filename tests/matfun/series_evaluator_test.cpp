// The rules that `taylor` and `leja` share: when a series ends, when a substep or an evaluation is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/matfun/phi_sums.h"

namespace phiflex {
namespace {

using testing::random_vector;

class SeriesEvaluation : public ::testing::TestWithParam<const char*> {
 protected:
  static testing::PhiSums evaluate(const Matrix& A, const std::vector<Vector>& u, const PhiOptions& options) {
    return testing::evaluate_phi(GetParam(), A, u, {1}, options);
  }
};

// A part of 1e6 decays at once and leaves a part of 1. Errors relative to the result on the way would leave 100
// in the slow part.
TEST_P(SeriesEvaluation, IsAsExactInWhatASlowPartLeavesOfALargeFastOne) {
  const Index n = 20;
  const Vector rates = -testing::geometric(n, 0.5, 60);
  const Matrix Q = testing::random_orthogonal(n, 3), A = Q * rates.asDiagonal() * Q.transpose();
  Vector modal = Vector::Unit(n, 0);
  modal[n - 1] = 1e6;
  const Vector exact = Q * (rates.array().exp() * modal.array()).matrix();
  const auto [report, w] = evaluate(A, {Q * modal}, {.tolerance = 1e-4});
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_LE((w[0] - exact).norm(), 3e-4 * exact.norm());
}

// All decays, by e^-100: relative to the result, substeps are as exact as without the decay.
TEST_P(SeriesEvaluation, KeepsRelativeDigitsOfAResultThatDecaysAsAWhole) {
  const Index n = 20;
  const Matrix A = testing::skew_kind(n, 3, 5) - 100 * Matrix::Identity(n, n);
  const Vector x = random_vector(n, 1);
  const auto [report, w] = evaluate(A, {x}, {.tolerance = 1e-6});
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  const Vector turned = testing::dense_phi(testing::skew_kind(n, 3, 5), {x}, 1);
  EXPECT_LE((std::exp(100.0) * w[0] - turned).norm(), 3e-6 * turned.norm());
}

TEST_P(SeriesEvaluation, SaysAtOnceThatItsLimitWillNotDo) {
  const Index n = 20;
  const auto [report, w] = evaluate(testing::skew_kind(n, 3, 1e5), {random_vector(n, 1)},
                                    {.tolerance = 1e-6, .substep_limit = 50});
  EXPECT_EQ(report.status, EvaluationStatus::not_converged);
  EXPECT_EQ(report.substeps, 0);
  EXPECT_LE(report.products, 30);  // the probe
}

TEST_P(SeriesEvaluation, ReportsAnInnerProductThatIsNotPositiveDefinite) {
  const Index n = 20;
  const testing::DenseProduct G(-Matrix::Identity(n, n));
  const auto [report, w] = evaluate(testing::skew_kind(n, 3, 10), {random_vector(n, 1)}, {.norm = &G});
  EXPECT_EQ(report.status, EvaluationStatus::not_positive_definite);
}

// The error that is reported is not smaller than a tenth of the true one, nor beyond the tolerance.
TEST_P(SeriesEvaluation, ReportsAnErrorBetweenTheTrueOneAndTheTolerance) {
  const Index n = 40;
  for (const double tolerance : {1e-3, 1e-8}) {
    const Matrix A = testing::skew_kind(n, 3, 100);
    const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2)};
    const auto [report, w] = evaluate(A, u, {.tolerance = tolerance});
    const Vector exact = testing::dense_phi(A, u, 1);
    EXPECT_LE((w[0] - exact).norm() / exact.norm(), 10 * report.error);
    EXPECT_LE(report.error, tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Evaluators, SeriesEvaluation, ::testing::Values("taylor", "leja"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace phiflex

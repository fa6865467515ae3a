// `taylor`: the reach of truncated series, and what the evaluator makes of it.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/matfun/taylor_theta.h"
#include "tests/matfun/phi_sums.h"

namespace phiflex {
namespace {

using testing::dense_phi;
using testing::random_vector;

testing::PhiSums taylor(const Matrix& A, const std::vector<Vector>& u, const PhiOptions& options) {
  return testing::evaluate_phi("taylor", A, u, {1}, options);
}

TEST(Taylor, ReachesAsFarAsTheTablesOfThePapersSay) {
  // Higham (2008), Table A.3, and Al-Mohy, Higham (2011), Table 3.1, for double precision: printed to three and
  // to two digits.
  const auto theta = taylor_thetas(0x1p-53);
  for (const auto& [m, printed] : {std::pair<int, double>{2, 2.58e-8},
                                   {5, 2.40e-3},
                                   {10, 1.44e-1},
                                   {15, 6.41e-1},
                                   {20, 1.44},
                                   {25, 2.43},
                                   {30, 3.54}})
    EXPECT_NEAR(theta[m], printed, 0.005 * printed) << m;
  for (const auto& [m, printed] :
       {std::pair<int, double>{35, 4.7}, {40, 6.0}, {45, 7.2}, {50, 8.5}, {55, 9.9}})
    EXPECT_NEAR(theta[m], printed, 0.05 + 1e-9) << m;
}

TEST(Taylor, ReachGrowsWithDegreeAndTolerance) {
  const auto tight = taylor_thetas(1e-12), loose = taylor_thetas(1e-4);
  for (int m = 1; m <= kLargestTaylorDegree; ++m) {
    EXPECT_LT(tight[m], loose[m]);
    if (m > 1) {
      EXPECT_LT(tight[m - 1], tight[m]);
    }
  }
}

// The defining equation of theta for scalars: T_m(x) = exp(x + dx), |dx| <= tolerance |x| for |x| <= theta.
TEST(Taylor, SeriesHasTheBackwardErrorThatWasAskedForUpToItsReach) {
  for (const double tolerance : {1e-3, 1e-6}) {
    const auto theta = taylor_thetas(tolerance);
    for (const int m : {5, 12, 30}) {
      for (const double x : {-theta[m], theta[m]}) {
        double term = 1, sum = 1;
        for (int j = 1; j <= m; ++j) sum += term *= x / j;
        // min: beyond 2^-10 the tolerance is not taken as it is; rounding of T_m(-theta) costs e^(2 theta) eps.
        EXPECT_LE(std::abs(std::log(sum) - x),
                  std::min(tolerance, 0x1p-10) * std::abs(x) + 1e-15 * std::exp(2 * theta[m]))
            << m << " " << x;
      }
    }
  }
}

// |J| is the square of the largest frequency in the infinity norm, yet powers of J grow as the frequency: with
// the norm alone there would be frequency times more substeps.
TEST(Taylor, ChoosesItsSubstepsByTheGrowthOfPowersNotByTheNorm) {
  const Index n = 80;
  const double frequency = 300;
  const Matrix A = testing::oscillator_kind(n, 1, frequency);
  ASSERT_GT(testing::DenseOperator(A).norm(), 50 * frequency);
  const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2)};
  const auto [report, w] = taylor(A, u, {.tolerance = 1e-6});
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_LE(report.products, 8 * frequency);
  const Vector exact = dense_phi(A, u, 1);
  EXPECT_LE((w[0] - exact).norm(), 3e-6 * exact.norm());
}

TEST(Taylor, CostsLessForALooserTolerance) {
  const Index n = 60;
  const Matrix A = testing::skew_kind(n, 1, 100);
  const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2)};
  const auto tight = taylor(A, u, {.tolerance = 1e-10}), loose = taylor(A, u, {.tolerance = 1e-2});
  EXPECT_LE(1.4 * double(loose.report.products), double(tight.report.products));
}

// A vector in a slow invariant space: the series ends long before the degree that the norm of A asks for.
TEST(Taylor, EndsItsSeriesEarlyForSmoothData) {
  const Index n = 60;
  const Matrix A = (-testing::geometric(n, 0.01, 300)).asDiagonal();
  const auto smooth = taylor(A, {Vector::Unit(n, 0)}, {.tolerance = 1e-8});
  const auto rough = taylor(A, {random_vector(n, 1)}, {.tolerance = 1e-8});
  EXPECT_NEAR(smooth.w[0][0], std::exp(-0.01), 1e-10);
  EXPECT_LE(smooth.report.products, rough.report.products / 2);
}

// A probe that misses the fast direction proposes too long a substep; the terms tell.
TEST(Taylor, DoesNotRelyOnItsEstimateOfTheNorm) {
  class Shy final : public LinearOperator {
   public:
    explicit Shy(Matrix A) : A_(std::move(A)) {}
    Index size() const override { return A_.rows(); }
    void apply(const Vector& x, Vector& y) const override { y.noalias() = A_ * x; }
    double norm() const override { return 1e-3; }

   private:
    Matrix A_;
  };
  const Index n = 40;
  const Matrix A = testing::skew_kind(n, 1, 200);
  const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2), random_vector(n, 3)};
  std::vector<Vector> w(1);
  const std::vector<double> tau = {1};
  const auto report = find_evaluator("taylor")->make_phi({.tolerance = 1e-6})->evaluate(Shy(A), u, tau, w);
  ASSERT_EQ(report.status, EvaluationStatus::ok);
  EXPECT_GT(report.rejected, 0);
  const Vector exact = dense_phi(A, u, 1);
  EXPECT_LE((w[0] - exact).norm(), 3e-6 * exact.norm());
}

}  // namespace
}  // namespace phiflex

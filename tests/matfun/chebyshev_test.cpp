// Chebyshev series for functions of a pencil: what is its own beyond the contract.
#include <gtest/gtest.h>

#include "phiflex/matfun/catalogue.h"
#include "phiflex/matfun/chebyshev_series.h"
#include "phiflex/matfun/spectral_bounds.h"
#include "tests/matfun/pencil_cases.h"

namespace phiflex {
namespace {

using testing::ExactFunctions;
using testing::MassKind;
using testing::random_matrix;
using testing::Spectrum;
using testing::SpringNet;

// A pencil whose norm is too small by a factor: its largest eigenvalues lie outside the interval.
class Understated final : public Pencil {
 public:
  Understated(const Pencil& pencil, double factor) : pencil_(pencil), factor_(factor) {}
  const MassMatrix& mass() const override { return pencil_.mass(); }
  void apply_K(const Matrix& X, Matrix& Y) const override { pencil_.apply_K(X, Y); }
  double norm() const override { return factor_ * pencil_.norm(); }

 private:
  const Pencil& pencil_;
  double factor_;
};

TEST(ChebyshevSeries, ReproducesAFunctionOnItsInterval) {
  const double times[] = {0.5, 1};
  const PhiSumFunction f = testing::step_function(times, 1, {0.1, 0.001});
  ChebyshevSeries series;
  ASSERT_EQ(series.expand(f, -2, 900, 1e-14, 1000), ChebyshevSeries::Outcome::ok);
  EXPECT_LE(series.degree(), 60);  // h w_max/2 = 15, and the fall beyond it
  Matrix value(f.rows(), 2);
  for (const double lambda : {-2.0, 0.0, 1.3, 77.0, 899.0}) {
    f.evaluate(lambda, value);
    const double x = (lambda - series.middle()) / series.radius();
    for (Index i = 0; i < f.rows(); ++i)
      for (Index j = 0; j < 2; ++j) {
        double sum = 0;
        for (int k = 0; k <= series.degree(); ++k)
          sum += series.coefficient(k, i, j) * std::cos(k * std::acos(std::clamp(x, -1.0, 1.0)));
        EXPECT_NEAR(sum, value(i, j), 1e-12 * series.largest(i, j) * 60) << lambda;
      }
  }
}

TEST(ChebyshevSeries, SaysWhenAFunctionIsTooRoughOrNotFinite) {
  ChebyshevSeries series;
  EXPECT_EQ(series.expand(UserFunction([](double x) { return std::abs(x - 0.3); }), 0, 1, 1e-14, 256),
            ChebyshevSeries::Outcome::not_resolved);
  EXPECT_EQ(
      series.expand(UserFunction([](double x) { return x < 0.9 ? x : std::nan(""); }), 0, 1, 1e-14, 256),
      ChebyshevSeries::Outcome::not_finite);
}

TEST(SpectralBounds, HoldTheSpectrum) {
  for (const Spectrum spectrum : {Spectrum::definite, Spectrum::indefinite})
    for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
      const SpringNet net(spectrum, mass, 7);
      const ExactFunctions exact_functions(net);
      const SpectralBounds bounds = estimate_spectrum(net.pencil, 12);
      EXPECT_GE(bounds.largest, exact_functions.lambda().maxCoeff());
      EXPECT_LE(bounds.largest, 2 * exact_functions.lambda().maxCoeff());
    }
}

TEST(Chebyshev, NeverReturnsAWrongResultWhenTheNormIsTooSmall) {
  const SpringNet net(Spectrum::definite, MassKind::lumped, 400);
  const ExactFunctions exact_functions(net);
  const Matrix b = random_matrix(net.K.rows(), 2, 4);
  const double times[] = {1};
  const PhiSumFunction f = testing::step_function(times, 1);
  const Matrix exact = exact_functions.apply(f, b);
  int successes = 0;
  for (const double factor : {0.95, 0.8, 0.6, 0.3, 0.1, 0.01}) {
    const Understated pencil(net.pencil, factor);
    Matrix y;
    Work work;
    const EvaluationReport report =
        find_evaluator("chebyshev")->make_pencil({1e-6, 60})->evaluate(pencil, nullptr, f, b, y, work);
    if (report.status != EvaluationStatus::ok) continue;
    ++successes;
    EXPECT_LE(exact_functions.relative_error(f, y, exact), 3e-6) << factor;
  }
  EXPECT_GE(successes, 2);  // moderately wrong intervals are mended
}

TEST(Chebyshev, KeepsThreeBlocksWhateverTheStiffness) {
  for (const double stiffness : {1.0, 1e4}) {
    const SpringNet net(Spectrum::definite, MassKind::lumped, stiffness);
    const double times[] = {1};
    Matrix y;
    Work work;
    const EvaluationReport report = find_evaluator("chebyshev")
                                        ->make_pencil({1e-6, 10})
                                        ->evaluate(net.pencil, nullptr, testing::step_function(times, 1),
                                                   random_matrix(net.K.rows(), 2, 4), y, work);
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_EQ(report.largest_basis, 3);
  }
}

}  // namespace
}  // namespace phiflex

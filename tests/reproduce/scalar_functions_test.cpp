#include "phiflex/reproduce/scalar_functions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phiflex {
namespace {

Value call_scalar(const char* name, std::vector<Value> arguments) {
  return scalar_functions().at(name)(arguments);
}

TEST(ScalarFunctions, BackwardEulerDampsByLogOnePlusXSquaredOverX) {
  const std::vector<double> x{0.1, 1, 1.98, 50};
  for (const char* method : {"be", "si"}) {
    const std::vector<double> d = call_scalar("damping", {method, x}).numbers();
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(d[i], std::log1p(x[i] * x[i]) / x[i], 1e-12) << method;
  }
}

TEST(ScalarFunctions, GeneralizedAlphaAsPrintedIsUnstable) {
  EXPECT_LE(call_scalar("spectral_radius", {"generalized-alpha:rho_infinity=0.5", 1.}).number(), 1);
  // 1.22, from the matrix of the method with alpha = am + af written out
  EXPECT_NEAR(
      call_scalar("spectral_radius", {"generalized-alpha:rho_infinity=0.5", 1., 0., "printed"}).number(),
      1.22, 0.005);
}

TEST(ScalarFunctions, TheFoldedAngleNeverExceedsARightAngle) {
  // zheng with (1/4, 1, 1) turns by 2 atan(x/2): beyond x = 2 the printed arctan folds it.
  const double full = call_scalar("period_elongation", {"zheng", 5., 0.}).number();
  const double folded = call_scalar("period_elongation", {"zheng", 5., 0., "folded"}).number();
  EXPECT_NEAR(full, 5 / (2 * std::atan(2.5)) - 1, 1e-9);
  EXPECT_NEAR(folded, 5 / (std::acos(-1.) - 2 * std::atan(2.5)) - 1, 1e-9);
  EXPECT_THROW(call_scalar("period_elongation", {"zheng", 5., 0., "half"}), ExpressionError);
}

TEST(ScalarFunctions, TheMidpointRuleShowsThePhysicalDampingRatioOfSmallSteps) {
  EXPECT_NEAR(call_scalar("amplitude_decay", {"midpoint", 0.01, 0.05}).number(), 0.05 / std::sqrt(1 - 0.0025),
              1e-5);
}

TEST(ScalarFunctions, BackwardEulerTurnsByAQuarterOfPiAtXOne) {
  // z = 1/(1 - i): (q, v) = (0, 1) gives q_n = Im(z^n)/w, so q_4 = 0.
  const std::vector<double> q = call_scalar("oscillator", {"be", 20., 0., 0.05, 4., 0., 1.}).numbers();
  ASSERT_EQ(q.size(), 5u);
  EXPECT_NEAR(q[1], 0.5 / 20, 1e-14);
  EXPECT_NEAR(q[4], 0, 1e-14);
}

TEST(ScalarFunctions, TheExactOscillatorIsASineWithoutDamping) {
  EXPECT_NEAR(call_scalar("exact_oscillator", {3., 0., 0.4, 0., 3.}).number(), std::sin(1.2), 1e-14);
}

TEST(ScalarFunctions, ZhengIsUnstableOnceTheStiffnessHasQuadrupled) {
  // S with p = 1/4 of the rest stiffness bears w <= w0: z + 1/z - 2 = -4 x^2 / (1 + x^2/4) < -4 for x^2 > 4/3.
  EXPECT_LE(call_scalar("stiffened_radius", {"zheng", 1., 4.}).number(), 1 + 1e-12);
  EXPECT_GT(call_scalar("stiffened_radius", {"zheng", 1.3, 4.}).number(), 1.01);
  EXPECT_LE(call_scalar("stiffened_radius", {"zheng:p=1:q=2", 100., 4.}).number(), 1 + 1e-9);
  EXPECT_THROW(call_scalar("stiffened_radius", {"zheng", 1., 0.}), ExpressionError);
}

TEST(ScalarFunctions, AMethodThatIsNotInTheCatalogueIsAnExpressionError) {
  EXPECT_THROW(call_scalar("damping", {"no-such-method", 1.}), ExpressionError);
  EXPECT_THROW(call_scalar("damping", {"be"}), ExpressionError);
}

}  // namespace
}  // namespace phiflex

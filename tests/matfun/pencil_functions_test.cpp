// Functions of one eigenvalue: the damped oscillator's integrals, phi, filters.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "phiflex/matfun/dense_phi.h"
#include "phiflex/matfun/pencil_functions.h"

namespace phiflex {
namespace {

using Integrals = std::array<double, 6>;  // S_-1 .. S_4

Integrals integrals(double lambda, Rayleigh damping, double t) {
  Integrals S;
  oscillator_integrals(lambda, damping, t, S);
  return S;
}

// S_k = t^(k+1) (1/(k+1)! - (lambda t^2)/(k+3)! + ...): two terms leave an error of (lambda t^2)^2, below 1e-16.
TEST(OscillatorIntegrals, FollowTheirSeriesForSmallArguments) {
  for (const double x : {1e-8, 1e-6, 1e-4})
    for (const double sign : {-1.0, 1.0}) {
      const double t = 0.3, lambda = sign * x * x / (t * t);
      const Integrals S = integrals(lambda, {}, t);
      for (int k = -1; k <= 4; ++k) {
        const double expected =
            std::pow(t, k + 1) * (1 / std::tgamma(1.0 + k + 1) - sign * x * x / std::tgamma(1.0 + k + 3));
        EXPECT_NEAR(S[std::size_t(k + 1)], expected, 1e-15 * std::abs(expected)) << x << " " << k;
      }
    }
}

// Against closed forms in extended precision, where they do not cancel: x >= 1. The size of the oscillation is
// 1/x^(k+1) for k <= 0 and t^(k+1)/x^2 above.
TEST(OscillatorIntegrals, AreAccurateFromSlowToFastOscillators) {
  const double t = 0.01;
  for (double x = 1; x <= 1.001e6; x *= std::pow(10, 0.125)) {
    const double lambda = (x / t) * (x / t);
    const Integrals S = integrals(lambda, {}, t);
    const long double l = lambda, tau = t, w = std::sqrt(l);
    const long double s0 = std::sin(w * tau) / w, c = std::cos(w * tau), s1 = (1 - c) / l,
                      s2 = (tau - s0) / l, s3 = (tau * tau / 2 - s1) / l, s4 = (tau * tau * tau / 6 - s2) / l;
    const long double expected[] = {c, s0, s1, s2, s3, s4};
    for (int k = -1; k <= 4; ++k) {
      const double size = k <= 0 ? std::pow(t / x, k + 1) : std::pow(t, k + 1) / (x * x);
      EXPECT_NEAR(S[std::size_t(k + 1)], double(expected[k + 1]), 1e-12 * size) << x << " " << k;
    }
  }
}

// phi_k of the 2 x 2 matrix by scaling and squaring: accurate to about |tJ| units of round-off, so |tJ| is
// kept below 60; entries are compared to the largest one in units of t.
TEST(OscillatorIntegrals, GiveThePhiFunctionsOfTheDampedOscillator) {
  const double t = 0.5;
  DensePhi dense;
  for (const double lambda : {-400.0, -16.0, -0.3, -1e-9, 0.0, 1e-9, 0.5, 15.9, 16.1, 100.0, 3000.0})
    for (const Rayleigh damping :
         {Rayleigh{}, Rayleigh{0.4, 0}, Rayleigh{7.9, 0.001}, Rayleigh{3.99, 0}, Rayleigh{4.01, 0},
          Rayleigh{60, 0}, Rayleigh{0, 0.02}, Rayleigh{2, 0.01}}) {
      const double d = damping.alpha + damping.beta * lambda;
      Matrix J(2, 2);
      J << 0, 1, -lambda, -d;
      for (int k = 0; k <= 4; ++k) {
        std::vector<Vector> u(std::size_t(k) + 1);
        const std::array half = {PhiSumFunction::Half{k, PhiSumFunction::Part::displacement},
                                 PhiSumFunction::Half{k, PhiSumFunction::Part::velocity}};
        const PhiSumFunction f({half[0], half[1]}, std::array{t}, damping, t);
        Matrix value(2, 2), expected(2, 2);
        f.evaluate(lambda, value);
        for (int column = 0; column < 2; ++column) {
          u.back() = Vector::Unit(2, column);
          Vector w;
          ASSERT_TRUE(dense.evaluate(J, u, t, w));
          expected.col(column) = w;
        }
        EXPECT_LE((value - expected).cwiseAbs().maxCoeff(), 2e-12 * expected.cwiseAbs().maxCoeff())
            << "lambda " << lambda << " d " << d << " k " << k << "\n"
            << value << "\n"
            << expected;
      }
    }
}

// (3) of pencil_functions.h holds for every k: S_(k-2) + d S_(k-1) + lambda S_k = t^(k-1)/(k-1)!.
TEST(OscillatorIntegrals, SatisfyTheDifferentialEquationWhereMethodsOfEvaluationMeet) {
  const double t = 1;
  for (const double delta : {0.0, 1.999, 2.001, 5.0, 40.0})
    for (const double x2 : {-4.001, -3.999, -0.5, 0.9, 3.999, 4.001, 5.0, 6.2, 6.3, 38.9, 39.1, 400.0}) {
      const Integrals S = integrals(x2, {delta, 0}, t);
      for (int k = 1; k <= 4; ++k) {
        const double terms[] = {S[std::size_t(k - 1)], delta * S[std::size_t(k)], x2 * S[std::size_t(k + 1)]};
        const double size = std::abs(terms[0]) + std::abs(terms[1]) + std::abs(terms[2]);
        EXPECT_NEAR(terms[0] + terms[1] + terms[2], 1 / std::tgamma(1.0 + k - 1), 1e-14 * size)
            << delta << " " << x2;
      }
    }
}

TEST(OscillatorIntegrals, OfAnOverdampedOscillatorDoNotOverflow) {
  // Two decays, fast -d and slow -lambda/d = -1: after t = 2 the slow one is left, S = e^-2/d, S_1 = (1-e^-2)/lambda.
  const double lambda = 1e8;
  const Integrals S = integrals(lambda, {0, 1}, 2);
  EXPECT_NEAR(S[1], std::exp(-2.0) / 1e8, 1e-7 * std::exp(-2.0) / 1e8);
  EXPECT_NEAR(S[2], (1 - std::exp(-2.0)) / lambda, 1e-7 / lambda);
  for (const double entry : integrals(1e14, {1e6, 10}, 1e3)) EXPECT_TRUE(std::isfinite(entry));
}

TEST(ScalarPhi, HasNoCancellationNearZero) {
  for (int k = 0; k <= 6; ++k)
    for (const double z : {-1e-8, 1e-8, -0.5, 0.999, -1.001, -8.0, 5.0}) {
      long double term = 1, sum = 0;  // the series, in extended precision
      for (int j = 1; j <= k; ++j) term /= j;
      for (int j = k + 1; j < k + 200; ++j) {
        sum += term;
        term *= (long double)(z) / j;
      }
      const double tolerance = z == -8.0 ? 1e-12 : 1e-14;  // there the alternating series itself cancels
      EXPECT_NEAR(phi(k, z), double(sum), tolerance * std::abs(double(sum))) << k << " " << z;
    }
}

TEST(Filters, AreTheirDefinitions) {
  for (const double x : {1e-7, 0.3, 1.9, 2.1, 7.0, 1234.5}) {
    const double sinc = std::sin(x) / x, half = std::sin(x / 2) / (x / 2);
    EXPECT_NEAR(cos_of(x * x), std::cos(x), 1e-12);
    EXPECT_NEAR(sinc_of(x * x), sinc, 1e-12);
    EXPECT_NEAR(cosc_of(x * x), half * half / 2, 1e-12);
  }
  EXPECT_DOUBLE_EQ(sinc_of(0), 1);
  EXPECT_NEAR(cos_of(-9), std::cosh(3.0), 1e-14 * std::cosh(3.0));
}

}  // namespace
}  // namespace phiflex

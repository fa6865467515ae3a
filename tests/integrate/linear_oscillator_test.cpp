// What each method does to q'' + w^2 q = 0, against closed forms. With w = 1 the step h is x = h w.
#include <complex>

#include "tests/integrate/method_test.h"

#include "phiflex/linalg/dense_solvers.h"

namespace phiflex::testing {
namespace {

using Complex = std::complex<double>;

// c = w q - i v turns the oscillator into c' = i w c.
Complex phasor(const State& state) {
  return {state.q[0], -state.v[0]};
}

std::vector<State> trajectory(std::string_view method, double x, int steps, IntegratorOptions options) {
  const SpringNetwork system = oscillator(1);
  const auto integrator = make_integrator(method, system, options);
  std::vector<State> states{at(1, 0.3)};
  for (int i = 0; i < steps; ++i) states.push_back(run(*integrator, states.back(), x, 1));
  return states;
}

// The factor of a step's amplitude, for one-step maps that act on the phasor as a complex number.
double amplification(std::string_view method, double x) {
  const auto states = trajectory(method, x, 1, MethodTest::tight());
  return std::abs(phasor(states[1])) / std::abs(phasor(states[0]));
}

// d/w of the oscillator q'' + d q' + w^2 q = 0 whose amplitude falls by the factor rho in a step.
double damping(double rho, double x) {
  return -2 * std::log(rho) / x;
}

// The largest modulus of the roots of the real recurrence of length m that a sequence of 2 m numbers obeys.
double spectral_radius(const std::vector<double>& sequence) {
  const Index m = static_cast<Index>(sequence.size()) / 2;
  // The terms are scaled by s^-n, so that a strongly damped sequence does not make a singular matrix.
  const double s = std::pow(std::abs(sequence.back() / sequence.front()), 1. / double(2 * m - 1));
  const auto term = [&](Index n) { return sequence[std::size_t(n)] / std::pow(s, double(n)); };
  const Matrix H = Matrix::NullaryExpr(m, m, [&](Index i, Index j) { return term(i + j); });
  const Vector b = Vector::NullaryExpr(m, [&](Index i) { return term(i + m); });
  Matrix companion = Matrix::Zero(m, m);
  companion.topRightCorner(m - 1, m - 1).setIdentity();
  companion.row(m - 1) = H.fullPivLu().solve(b).transpose();
  return s * companion.eigenvalues().cwiseAbs().maxCoeff();
}

// Rounding of one step, with room for the division by M + h^2 K.
constexpr double kRounding = 1e-13;

TEST(LinearOscillator, BackwardEulerAndSiDampByOneOverSqrtOnePlusX2PerStep) {
  for (const char* method : {"be", "si"})
    for (const double x : {0.01, 0.1, 1., 1.98, 10., 1e3})
      EXPECT_NEAR(amplification(method, x), 1 / std::sqrt(1 + x * x), kRounding) << method << " x = " << x;
}

TEST(LinearOscillator, BackwardEulerDampsMostAtX1980) {
  double best = 0, best_x = 0;
  for (double x = 1.5; x < 2.5; x += 1e-3) {
    const double d = damping(amplification("be", x), x);
    if (d > best) best = d, best_x = x;
  }
  EXPECT_NEAR(best, 0.8047, 5e-5);   // four digits are given
  EXPECT_NEAR(best_x, 1.980, 2e-3);  // the grid of x, at a flat maximum
}

TEST(LinearOscillator, Bdf2DampsAsItsCharacteristicRootSays) {
  const struct {
    double x, damping, digit;
  } table[] = {{.1, .000488, 1e-6}, {.5, .0386, 1e-4}, {1, .138, 1e-3},
               {2, .2715, 1e-4},    {10, .240, 1e-3},  {100, .0510, 1e-4}};
  for (const auto& row : table) {
    // The phasor obeys a complex recurrence of length two; its real part, of length four.
    const auto states = trajectory("bdf2", row.x, 8, MethodTest::tight());
    std::vector<double> q;
    for (std::size_t n = 0; n < 8; ++n) q.push_back(states[n].q[0]);
    const double observed = damping(spectral_radius(q), row.x);
    EXPECT_NEAR(observed, row.damping, row.digit) << "x = " << row.x;
    // (3/2 - i x) z^2 - 2 z + 1/2 = 0
    const Complex a(1.5, -row.x), root = std::sqrt(Complex(1) - a / 2.);
    const double rho = std::max(std::abs((1. + root) / a), std::abs((1. - root) / a));
    // The fit of four roots to eight numbers loses about half of the digits.
    EXPECT_NEAR(observed, damping(rho, row.x), 1e-5) << "x = " << row.x;
  }
}

TEST(LinearOscillator, TrBdf2DampsAsItsStabilityFunctionSays) {
  const double d = 1 - std::sqrt(0.5);
  for (const double x : {0.1, 1., 10., 1e3}) {
    // R(z) = (1 + (sqrt(2) - 1) z)/(1 - d z)^2 at z = i x, which falls as 1/x.
    const Complex z(0, x), R = (1. + (std::sqrt(2.) - 1) * z) / ((1. - d * z) * (1. - d * z));
    EXPECT_NEAR(amplification("tr-bdf2", x), std::abs(R), kRounding * std::max(1., x)) << "x = " << x;
  }
}

TEST(LinearOscillator, MidpointAndNewmarkDoNotDamp) {
  for (const double x : {0.1, 1., 10., 1e3}) {
    EXPECT_NEAR(amplification("midpoint", x), 1, kRounding) << "x = " << x;
    EXPECT_NEAR(amplification("newmark", x), 1, kRounding * std::max(1., x)) << "x = " << x;
  }
}

TEST(LinearOscillator, GeneralizedAlphaHasTheSpectralRadiusItIsAskedFor) {
  const struct {
    double r, rho, digit;
  } table[] = {{0, .0101, 1e-4}, {.5, .508, 1e-3}, {.9, .907, 1e-3}, {1, 1., 1e-3}};
  for (const auto& row : table) {
    IntegratorOptions options = MethodTest::tight();
    options.set("rho_infinity", row.r);
    const auto states = trajectory("generalized-alpha", 1e3, 6, options);
    std::vector<double> q;
    for (std::size_t n = 0; n < 6; ++n) q.push_back(states[n].q[0]);
    EXPECT_NEAR(spectral_radius(q), row.rho, row.digit) << "r = " << row.r;
  }
}

class ConditionallyStable : public MethodTest {};
class UnconditionallyStable : public MethodTest {};
class DeclaredLStable : public MethodTest {};
class DeclaredEnergyConserving : public MethodTest {};

TEST_P(ConditionallyStable, IsStableExactlyUpToItsLimit) {
  const SpringNetwork system = oscillator(1);
  // One per cent above the limit the amplitude grows by at least 1.01 per step, 4e8 in 2000 steps.
  const State below = run(*make(system), at(1, 0.3), 0.99 * info().stability_limit, 2000);
  const State above = run(*make(system), at(1, 0.3), 1.01 * info().stability_limit, 2000);
  EXPECT_LT(std::abs(phasor(below)), 20);
  EXPECT_GT(std::abs(phasor(above)), 1e6);
}

TEST_P(UnconditionallyStable, StaysBoundedAtAnyStep) {
  const SpringNetwork system = oscillator(1);
  for (const double x : {0.5, 3., 30., 300.}) {
    const auto integrator = make(system);
    State state = at(1, 0.3);
    double largest[2] = {0, 0};  // in the first 500 steps and in those after
    for (int i = 0; i < 1000; ++i) {
      state = run(*integrator, state, x, 1);
      largest[i / 500] = std::max(largest[i / 500], std::abs(phasor(state)));
      if (i != 499 || info().keeps_overshoot) continue;
      EXPECT_LT(std::abs(phasor(state)), 2 * (1 + x)) << "x = " << x;
    }
    // The first steps of generalized-alpha overshoot by its start a = M^-1 f, and those of chen-ricles by
    // x^2/4 times v, which it takes for (q - q-)/h; afterwards nothing grows (1.0002^500 = 1.1).
    EXPECT_LT(largest[0], (1 + x) * (1 + x)) << "x = " << x;
    EXPECT_LT(largest[1], 1.1 * largest[0]) << "x = " << x;
  }
}

TEST_P(DeclaredLStable, RemovesWhatItCannotResolve) {
  const SpringNetwork system = oscillator(1);
  EXPECT_LT(std::abs(phasor(run(*make(system), at(1, 0.3), 1e6, 3))), 1e-5);
}

TEST_P(DeclaredEnergyConserving, KeepsQuadraticEnergies) {
  const SpringNetwork system = chain(10, End::fixed, linear_law(100));
  const State start = lively_state(10), end = run(*make(system), start, 0.3, 200);
  const double energy = system.kinetic_energy(start) + system.potential_energy(start);
  // 200 steps, each wrong by the rounding of a solve with condition number up to 1 + h^2 w_max^2/4 = 10.
  EXPECT_NEAR((system.kinetic_energy(end) + system.potential_energy(end)) / energy, 1, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Integrate, ConditionallyStable, every_method_that([](const MethodInfo& method) {
                           return method.conditionally_stable;
                         }),
                         method_name);
INSTANTIATE_TEST_SUITE_P(Integrate, UnconditionallyStable, every_method_that([](const MethodInfo& method) {
                           return !method.conditionally_stable;
                         }),
                         method_name);
INSTANTIATE_TEST_SUITE_P(Integrate, DeclaredLStable,
                         every_method_that([](const MethodInfo& method) { return method.l_stable; }),
                         method_name);
INSTANTIATE_TEST_SUITE_P(Integrate, DeclaredEnergyConserving, every_method_that([](const MethodInfo& method) {
                           return method.conserves_linear_energy;
                         }),
                         method_name);

}  // namespace
}  // namespace phiflex::testing

// Into how many substeps the exponential Rosenbrock-Euler method divides its steps, by the energy that they lose.
#include "phiflex/integrate/exchange_substeps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

// A motion that exchanges its whole kinetic energy, 1 J, in a step of 1 s.
constexpr double kPart = 1.5e-3, kSpeed2 = 1, kAcceleration2 = std::numbers::pi * std::numbers::pi / 4;
bool accept(ExchangeSubsteps& substeps, double e) {
  return substeps.accept(1, e, kSpeed2, kAcceleration2);
}

TEST(ExchangeSubsteps, ErrorsFallWithTheSquareOfTheNumber) {
  ExchangeSubsteps substeps(true);
  EXPECT_TRUE(accept(substeps, 0.99 * kPart));
  EXPECT_EQ(substeps.count(), 1);
  EXPECT_TRUE(accept(substeps, 2 * kPart))
      << "it is above what is wanted, by less than a second step is worth";
  EXPECT_EQ(substeps.count(), 2);
  EXPECT_FALSE(accept(substeps, -10 * kPart)) << "a gain is as bad as a loss";
  EXPECT_EQ(substeps.count(), 7);
  EXPECT_TRUE(accept(substeps, 0.8 * kPart));
  EXPECT_EQ(substeps.count(), 7);
}

TEST(ExchangeSubsteps, AShorterStepMayLoseLess) {
  ExchangeSubsteps substeps(true);
  EXPECT_TRUE(substeps.accept(0.1, 0.2 * kPart, kSpeed2, kAcceleration2));
  EXPECT_EQ(substeps.count(), 2) << "it exchanges a tenth of the energy";
}

TEST(ExchangeSubsteps, AHardStepIsForgottenInTime) {
  ExchangeSubsteps substeps(true);
  EXPECT_FALSE(accept(substeps, 8.9 * kPart));
  EXPECT_EQ(substeps.count(), 3);
  EXPECT_TRUE(accept(substeps, 0.5 * kPart));
  int steps = 0;
  for (; steps < 200 && substeps.count() > 1; ++steps) EXPECT_TRUE(accept(substeps, 0));
  EXPECT_GT(steps, 20);
  EXPECT_LT(steps, 100);
}

TEST(ExchangeSubsteps, AStepIsDividedOnRequestAlone) {
  ExchangeSubsteps substeps(false);
  EXPECT_TRUE(accept(substeps, 100));
  EXPECT_EQ(substeps.count(), 1);
}

TEST(ExchangeSubsteps, AtRestAndWithoutNumbersThereIsOneStep) {
  ExchangeSubsteps substeps(true);
  EXPECT_TRUE(substeps.accept(1, 0, 0, 0));
  EXPECT_EQ(substeps.count(), 1);
  EXPECT_TRUE(substeps.accept(1, std::nan(""), 1, 1));
  EXPECT_EQ(substeps.count(), 1);
}

TEST(Ere, ALinearSystemIsNeverDivided) {
  const SpringNetwork system = chain(20, End::fixed, linear_law(100));
  IntegratorOptions options;
  options.set("divide", true);
  const auto ere = make_integrator("ere", system, options);
  State now = lively_state(20), next;
  for (int step = 0; step < 5; ++step) {
    const StepReport report = ere->step(now, 10, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_EQ(report.work.inner_steps, 0);
    std::swap(now, next);
  }
}

TEST(Ere, StepsThatLoseEnergyAreDivided) {
  const SpringNetwork system = chain(20, End::fixed, cubic_law(100, 200));
  const auto largest_change = [&](bool divide) {
    IntegratorOptions options;
    options.set("divide", divide);
    const auto ere = make_integrator("ere", system, options);
    State now = lively_state(20), next;
    const auto energy = [&] { return system.potential_energy(now) + system.kinetic_energy(now); };
    const double start = energy();
    double largest = 0;
    for (int step = 0; step < 40; ++step) {
      EXPECT_EQ(ere->step(now, 0.05, next).status, StepStatus::ok);
      std::swap(now, next);
      largest = std::max(largest, std::abs(energy() - start) / start);
    }
    return largest;
  };
  const double whole = largest_change(false), divided = largest_change(true);
  EXPECT_GT(whole, 0.01) << "the case";
  EXPECT_LT(divided, 0.2 * whole);
}

}  // namespace
}  // namespace phiflex::testing

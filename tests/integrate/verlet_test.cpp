// Verlet that divides its own step.
#include "phiflex/integrate/stable_step.h"
#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

TEST(Verlet, DividesAStepByNineTenthsOfItsLimitOnASpring) {
  const SpringNetwork system = oscillator(1);
  State next;
  const StepReport report = make_integrator("verlet", system, {})->step(lively_state(1), 10, next);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_EQ(report.work.inner_steps, 6);  // 10/1.8
  EXPECT_EQ(explicit_substeps(system, lively_state(1), 10), 6);
}

TEST(Verlet, WithAGivenNumberOfSubstepsItIsCentralDifferencesAtTheShorterStep) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(50, 20));
  IntegratorOptions options;
  options.set("substeps", 4);
  const State a = run(*make_integrator("verlet", system, options), lively_state(6), 0.25, 5);
  const State b = run(*make_integrator("central-difference", system, {}), lively_state(6), 0.0625, 20);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_TRUE(make_integrator("verlet", system, options)->info().symplectic);
  EXPECT_TRUE(make_integrator("verlet", system, options)->info().reversible);
  EXPECT_FALSE(make_integrator("verlet", system, {})->info().reversible);
}

TEST(Verlet, StaysStableAtAnyStepAndDamping) {
  // h w up to 60, and dashpots up to far beyond critical damping.
  for (const double dashpot : {0., 1., 20., 400.}) {
    const SpringNetwork system = chain(10, End::fixed, linear_law(900), dashpot);
    const State start = lively_state(10);
    const State end = run(*make_integrator("verlet", system, {}), start, 1, 50);
    // The shadow energy, which is kept, and the energy differ by 1/(1 - 0.9^2) at most.
    const auto energy = [&](const State& s) { return system.kinetic_energy(s) + system.potential_energy(s); };
    EXPECT_LT(energy(end), 6 * energy(start)) << "dashpot " << dashpot;
  }
}

TEST(Verlet, MakesAStepAgainWhereTheBodyStiffensOnTheWay) {
  // At rest the spring has w = 1; thrown at 30 m/s it is stretched to a stiffness of thousands.
  const SpringNetwork system(Vector::Ones(1), {{0, ground, cubic_law(1, 10), 0}});
  State now, next;
  now.q = Vector::Zero(1);
  now.v = Vector::Constant(1, 30.);
  const auto verlet = make_integrator("verlet", system, {});
  const auto energy = [&](const State& s) { return system.kinetic_energy(s) + system.potential_energy(s); };
  const double first = energy(now);
  long repeated = 0;
  for (int i = 0; i < 100; ++i) {
    const StepReport report = verlet->step(now, 0.13, next);
    ASSERT_EQ(report.status, StepStatus::ok) << "step " << i;
    repeated += report.work.rejected_steps;
    std::swap(now, next);
    ASSERT_LT(energy(now), 10 * first) << "step " << i;
  }
  EXPECT_GT(repeated, 0);
}

TEST(Verlet, ThatWouldNeedMoreThanAMillionSubstepsSaysThatItIsNotStable) {
  const SpringNetwork system(Vector::Ones(1), {{0, ground, linear_law(1e18), 0}});
  State next;
  EXPECT_EQ(make_integrator("verlet", system, {})->step(lively_state(1), 1, next).status,
            StepStatus::not_stable);
}

}  // namespace
}  // namespace phiflex::testing

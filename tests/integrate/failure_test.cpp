// Steps that cannot be taken, and the ways around: projected stiffness, line search, halved steps.
#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

class Failure : public MethodTest {};

// Barrier springs: a velocity of 1000 m/s leaves their domain at once, even in 1/32 of a step.
SpringNetwork barrier_chain() {
  return chain(4, End::fixed, barrier_law(10));
}

TEST_P(Failure, AForceThatIsNotFiniteFailsTheStepAndLeavesTheInputAlone) {
  const SpringNetwork system = barrier_chain();
  const auto integrator = make(system, IntegratorOptions{});
  State now = lively_state(4), next;
  now.q[0] = 2;
  const State copy = now;
  EXPECT_EQ(integrator->step(now, 0.01, next).status, StepStatus::not_finite);
  EXPECT_EQ(now.t, copy.t);
  EXPECT_EQ(now.q, copy.q);
  EXPECT_EQ(now.v, copy.v);
}

TEST_P(Failure, AFailedStepDoesNotChangeTheStepsAfterIt) {
  const SpringNetwork system = barrier_chain();
  const auto with = make(system), without = make(system);
  const State start = lively_state(4);
  const State before = run(*with, start, 0.01, 5);
  run(*without, start, 0.01, 5);
  State outside = before, next;
  outside.q[0] = 2;
  ASSERT_NE(with->step(outside, 0.01, next).status, StepStatus::ok);
  const State a = run(*with, before, 0.01, 5), b = run(*without, before, 0.01, 5);
  // A forgotten history would show at 1e-4 or more; a renewed factorization, only at the solver's tolerance.
  EXPECT_LT(distance(a, b), 1e-10);
}

TEST_P(Failure, AnInfiniteStateIsNeverReportedAsASuccess) {
  const SpringNetwork system = chain(4, End::fixed, cubic_law(10, 1e6));
  const auto integrator = make(system, IntegratorOptions{});
  State now = lively_state(4), next;
  now.v *= 1e200;
  const StepReport report = integrator->step(now, 1, next);
  if (report.status == StepStatus::ok) {
    EXPECT_TRUE(next.q.allFinite() && next.v.allFinite());
  }
}

INSTANTIATE_TEST_SUITE_P(Integrate, Failure, every_method(), method_name);

// q'' = q - q^3: at q = 0 the stiffness is -1, and M + h^2 K is not positive definite for h >= 1.
SpringNetwork double_well() {
  return SpringNetwork(Vector::Ones(1), {{0, ground, cubic_law(-1, 1), 0}});
}
State near_the_top() {
  State state;
  state.q = Vector::Constant(1, 0.01);
  state.v = Vector::Constant(1, 0.1);
  return state;
}
constexpr double kLongStep = 4;  // longer than the limits of all methods (generalized-alpha: 2.2)

class NewtonFallback : public ::testing::TestWithParam<std::string> {};

// Those with the settings of Newton's method, of which em has a part.
std::vector<std::string> newton_methods() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : integrator_catalogue())
    for (const std::string& key : option_keys(entry))
      if (key == "hessian_correction") names.emplace_back(entry.info->name);
  return names;
}

TEST_P(NewtonFallback, AnIndefiniteStiffnessIsProjectedAndCounted) {
  const SpringNetwork system = double_well();
  const auto integrator = make_integrator(GetParam(), system, {});
  State next;
  const StepReport report = integrator->step(near_the_top(), kLongStep, next);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_GT(report.work.projected_hessians, 0);
  EXPECT_EQ(report.work.halved_steps, 0);
}

TEST_P(NewtonFallback, TheDiagonalIsRaisedInsteadWhenAskedFor) {
  const SpringNetwork system = double_well();
  IntegratorOptions options;
  options.set("hessian_correction", "diagonal");
  options.set("newton_tolerance", 1e-12);
  State raised, projected;
  const StepReport report =
      make_integrator(GetParam(), system, options)->step(near_the_top(), kLongStep, raised);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_EQ(report.work.projected_hessians, 0);
  EXPECT_GT(report.work.raised_hessians, 0);
  EXPECT_EQ(report.work.halved_steps, 0);
  // Both corrections only change the way to the same solution.
  options.set("hessian_correction", "projection");
  ASSERT_EQ(make_integrator(GetParam(), system, options)->step(near_the_top(), kLongStep, projected).status,
            StepStatus::ok);
  EXPECT_NEAR(raised.q[0], projected.q[0], 1e-10);
  EXPECT_NEAR(raised.v[0], projected.v[0], 1e-10);
}

TEST_P(NewtonFallback, WithoutProjectionTheStepIsHalvedAndCounted) {
  const SpringNetwork system = double_well();
  IntegratorOptions options;
  options.set("project_hessian", false);
  const auto integrator = make_integrator(GetParam(), system, options);
  State next;
  const StepReport report = integrator->step(near_the_top(), kLongStep, next);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_EQ(report.work.projected_hessians, 0);
  EXPECT_GT(report.work.halved_steps, 0);
  EXPECT_DOUBLE_EQ(next.t, kLongStep);
}

TEST_P(NewtonFallback, WithoutAnyFallbackTheStepFailsAndSaysWhy) {
  const SpringNetwork system = double_well();
  IntegratorOptions options;
  options.set("project_hessian", false).set("halve_step", false);
  const auto integrator = make_integrator(GetParam(), system, options);
  State next;
  EXPECT_EQ(integrator->step(near_the_top(), kLongStep, next).status, StepStatus::not_positive_definite);
}

TEST_P(NewtonFallback, NewtonThatMayNotIterateEnoughDoesNotConverge) {
  const SpringNetwork system = chain(4, End::fixed, cubic_law(10, 1000));
  IntegratorOptions options;
  options.set("newton_limit", 1);
  options.set("halve_step", false);
  const auto integrator = make_integrator(GetParam(), system, options);
  State next;
  EXPECT_EQ(integrator->step(lively_state(4), 0.5, next).status, StepStatus::not_converged);
}

INSTANTIATE_TEST_SUITE_P(Integrate, NewtonFallback, ::testing::ValuesIn(newton_methods()),
                         [](const auto& parameter) {
                           std::string name(parameter.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Integrate, SiProjectsAnIndefiniteStiffnessOnBothSidesAndCountsIt) {
  const SpringNetwork system = double_well();
  const auto si = make_integrator("si", system, {});
  const State now = near_the_top();
  State next;
  const StepReport report = si->step(now, kLongStep, next);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_EQ(report.work.projected_hessians, 1);
  // The projected stiffness is zero: dv = h f.
  const double q = now.q[0], dv = kLongStep * (q - q * q * q);
  EXPECT_NEAR(next.v[0], now.v[0] + dv, 1e-15);

  IntegratorOptions plain;
  plain.set("project_hessian", false);
  const auto strict = make_integrator("si", system, plain);
  EXPECT_EQ(strict->step(now, kLongStep, next).status, StepStatus::not_positive_definite);
}

TEST(Integrate, ABodyThatWouldLeaveItsDomainIsHeldInsideByTheLineSearch) {
  const SpringNetwork system(Vector::Ones(1), {{0, ground, barrier_law(10), 0}});
  State now, next;
  now.q = Vector::Constant(1, 0.5);
  now.v = Vector::Constant(1, 10.);  // linearized, the step ends at 1.1, outside |q| < 1
  const auto be = make_integrator("be", system, {});
  const StepReport report = be->step(now, 0.1, next);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_GT(report.work.line_search_steps, 0);
  EXPECT_EQ(report.work.halved_steps, 0);
  EXPECT_LT(std::abs(next.q[0]), 1);
}

TEST(Integrate, AStepThatEndsOutsideTheDomainIsHalved) {
  // The midpoint rule evaluates no force at its end: at 0.92 in the middle of the step all is well.
  const SpringNetwork system(Vector::Ones(1), {{0, ground, barrier_law(10), 0}});
  State now, next;
  now.q = Vector::Constant(1, 0.5);
  now.v = Vector::Constant(1, 10.);
  for (const char* method : {"midpoint", "generalized-alpha"}) {
    const StepReport report = make_integrator(method, system, {})->step(now, 0.1, next);
    EXPECT_EQ(report.status, StepStatus::ok) << method;
    EXPECT_GT(report.work.halved_steps, 0) << method;
    EXPECT_LT(std::abs(next.q[0]), 1) << method;
  }
}

TEST(Integrate, NewtonConvergesInAQuietBodyWhoseForcesAreRounding) {
  // A stiff chain at its equilibrium up to rounding: no relative tolerance can be met, the floor of 1e-12 m
  // ends the iteration.
  const SpringNetwork system = chain(20, End::fixed, cubic_law(1e9, 1e9));
  State now, next;
  now.q = 1e-17 * lively_state(20).q;
  now.v = Vector::Zero(20);
  const auto be = make_integrator("be", system, {});
  const StepReport report = be->step(now, 0.01, next);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_LE(report.work.newton_iterations, 2);
}

}  // namespace
}  // namespace phiflex::testing

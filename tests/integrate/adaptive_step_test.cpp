// Steps divided by their error: the controller alone, on a method whose errors and costs are prescribed, and the
// methods with an embedded pair on nonlinear systems.
#include "phiflex/integrate/adaptive_step.h"

#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

// A method of which only the error estimate, the cost and the status are real: all functions of the time and the
// length of a step. It notes every step it is asked for.
struct Prescribed {
  std::function<double(double t, double d)> error = [](double, double) { return 0.; };
  std::function<double(double d)> cost = [](double) { return 0.; };
  std::function<StepStatus(double t, double d)> status = [](double, double) { return StepStatus::ok; };
};
constexpr MethodInfo kPrescribedInfo{
    .name = "prescribed", .summary = "", .order = 4, .embedded_order = 3, .citation = ""};

class PrescribedMethod final : public Integrator {
 public:
  struct Asked {
    double t, d;
  };
  PrescribedMethod(Prescribed prescribed, std::vector<Asked>& asked)
      : prescribed_(std::move(prescribed)), asked_(asked) {}
  const MethodInfo& info() const override { return kPrescribedInfo; }
  StepReport step(const State& now, double h, State& next) override {
    asked_.push_back({now.t, h});
    next = now;
    next.t = now.t + h;
    StepReport report;
    report.status = prescribed_.status(now.t, h);
    report.error_estimate = prescribed_.error(now.t, h);
    report.cost = prescribed_.cost(h);
    return report;
  }

 private:
  Prescribed prescribed_;
  std::vector<Asked>& asked_;
};

class Controller : public ::testing::Test {
 protected:
  static constexpr double kTolerance = 1e-3;
  // The estimate is `constant` d^3, so that (1) of adaptive_step.h allows d = (0.8 tol/constant)^(1/3).
  static double error_constant(double allowed) { return 0.8 * kTolerance / std::pow(allowed, 3); }

  AdaptiveStep make(Prescribed prescribed) {
    return {std::make_unique<PrescribedMethod>(std::move(prescribed), asked_), kTolerance};
  }
  static State start() {
    State state;
    state.q = state.v = Vector::Zero(1);
    return state;
  }
  std::vector<PrescribedMethod::Asked> asked_;
};

TEST_F(Controller, SaysThatNoStepIsAccurateWhereTheErrorDoesNotFall) {
  AdaptiveStep method = make({.error = [](double, double) { return 1.; }});
  State next;
  EXPECT_EQ(method.step(start(), 1, next).status, StepStatus::not_accurate);
}

TEST_F(Controller, SettlesAtEqualPartsNoLongerThanTheToleranceAllows) {
  const double C = error_constant(0.23);
  AdaptiveStep adaptive = make({.error = [=](double, double d) { return C * d * d * d; }});
  State now = start(), next;
  ASSERT_EQ(adaptive.step(now, 1, next).status, StepStatus::ok);  // learns
  asked_.clear();
  const StepReport report = adaptive.step(next, 1, now);
  ASSERT_EQ(asked_.size(), 5u);  // 1/0.23 is between 4 and 5
  for (const auto& inner : asked_) EXPECT_NEAR(inner.d, 0.2, 1e-12);
  EXPECT_EQ(report.work.inner_steps, 5);
  EXPECT_EQ(report.work.rejected_steps, 0);
  EXPECT_NEAR(*report.error_estimate, C * 0.008, 1e-12);
}

TEST_F(Controller, ShortensStepsWhereTheErrorRisesAndLengthensThemWhereItFalls) {
  // Steps of 0.2 are allowed, but of 0.02 between t = 3 and t = 5.
  const double calm = error_constant(0.2), rough = error_constant(0.02);
  AdaptiveStep adaptive =
      make({.error = [=](double t, double d) { return (t > 3 && t < 5 ? rough : calm) * d * d * d; }});
  State now = start(), next;
  std::vector<long> inner_steps, rejected;
  for (int i = 0; i < 8; ++i) {
    const StepReport report = adaptive.step(now, 1, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_LE(*report.error_estimate, kTolerance);
    inner_steps.push_back(report.work.inner_steps);
    rejected.push_back(report.work.rejected_steps);
    std::swap(now, next);
  }
  EXPECT_EQ(inner_steps[2], 5);
  EXPECT_GE(inner_steps[4], 50);
  EXPECT_EQ(inner_steps[7], 5);
  EXPECT_GT(rejected[3], 0);  // the rise was not to be foreseen
  EXPECT_EQ(rejected[7], 0);
}

TEST_F(Controller, CountsEveryStepMadeAgain) {
  const double C = error_constant(0.01);
  AdaptiveStep adaptive = make({.error = [=](double, double d) { return C * d * d * d; }});
  State now = start(), next;
  const StepReport report = adaptive.step(now, 1, next);
  EXPECT_EQ(long(asked_.size()), report.work.inner_steps + report.work.rejected_steps);
  // From 1 down to 0.01 by no more than a factor of five at a time.
  EXPECT_EQ(report.work.rejected_steps, 3);
}

TEST_F(Controller, MakesAgainAStepThatFails) {
  AdaptiveStep adaptive =
      make({.status = [](double, double d) { return d > 0.3 ? StepStatus::not_finite : StepStatus::ok; }});
  State now = start(), next;
  const StepReport report = adaptive.step(now, 1, next);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_EQ(next.t, 1);
  EXPECT_GT(report.work.rejected_steps, 0);
}

TEST_F(Controller, GivesUpWithTheStatusOfTheMethodAndForgetsTheAttempt) {
  bool fails = false;
  AdaptiveStep adaptive =
      make({.error = [](double, double d) { return d * d * d * 1e-2; },
            .status = [&](double t,
                          double) { return fails && t > 1.1 ? StepStatus::not_finite : StepStatus::ok; }});
  State now = start(), next;
  ASSERT_EQ(adaptive.step(now, 1, next).status, StepStatus::ok);
  ArchiveWriter before, after;
  adaptive.save(before);
  fails = true;
  const State untouched = next;
  State never = now;
  EXPECT_EQ(adaptive.step(next, 1, never).status, StepStatus::not_finite);
  EXPECT_EQ(never.t, now.t);
  EXPECT_EQ(next.t, untouched.t);
  adaptive.save(after);
  EXPECT_EQ(before.bytes(), after.bytes());
}

TEST_F(Controller, EndsExactlyOnTheCallersGridWhateverItTakesInside) {
  const double C = error_constant(0.037);
  AdaptiveStep adaptive =
      make({.error = [=](double t, double d) { return C * (1.5 + std::sin(9 * t)) * d * d * d; }});
  State now = start(), next;
  for (int i = 0; i < 20; ++i) {
    asked_.clear();
    const double before = now.t;
    ASSERT_EQ(adaptive.step(now, 0.1, next).status, StepStatus::ok);
    EXPECT_EQ(next.t, before + 0.1);
    for (const auto& inner : asked_) EXPECT_LE(inner.t + inner.d, before + 0.1 * (1 + 1e-9));
    std::swap(now, next);
  }
}

// Cost per unit of time a/d + b d, least at sqrt(a/b): the part a that every step has, and a basis that grows with
// the step.
class CostOfAStep {
 public:
  explicit CostOfAStep(double best) : b_(1 / (best * best)) {}
  double operator()(double d) const { return 1 + b_ * d * d; }

 private:
  double b_;
};

TEST_F(Controller, TakesShorterStepsThanTheToleranceAllowsWhereTheyAreCheaper) {
  const double C = error_constant(1);
  const CostOfAStep cost(0.1);
  AdaptiveStep adaptive = make({.error = [=](double, double d) { return C * d * d * d; }, .cost = cost});
  State now = start(), next;
  double spent = 0;
  const int steps = 60;  // the first sixteen are equal
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2) asked_.clear();
    const StepReport report = adaptive.step(now, 1, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    if (i >= steps / 2) spent += report.cost;
    std::swap(now, next);
  }
  // At the tolerance a second costs 101, at the best length 20. The controller never stands still: it changes the
  // length by 1.37 or 0.64 at least, from slopes between the last two, and so wanders about the best: within a
  // factor of four a second costs at most 43.
  EXPECT_LT(spent / (steps / 2), 43);
  double mean = 0;
  for (const auto& inner : asked_) mean += std::log(inner.d) / double(asked_.size());
  EXPECT_GT(std::exp(mean), 0.1 / 1.7);
  EXPECT_LT(std::exp(mean), 0.1 * 1.7);
}

TEST_F(Controller, TakesTheLongestStepsTheToleranceAllowsWhereLongStepsAreCheaper) {
  const double C = error_constant(0.2);
  const CostOfAStep cost(100);
  AdaptiveStep adaptive = make({.error = [=](double, double d) { return C * d * d * d; }, .cost = cost});
  State now = start(), next;
  std::vector<std::size_t> parts;
  for (int i = 0; i < 50; ++i) {
    asked_.clear();
    ASSERT_EQ(adaptive.step(now, 1, next).status, StepStatus::ok);
    parts.push_back(asked_.size());
    std::swap(now, next);
  }
  // Five parts are needed; a shorter step, tried after sixteen equal ones, makes at most two more.
  EXPECT_EQ(std::count(parts.begin() + 2, parts.end(), 5u) + std::count(parts.begin() + 2, parts.end(), 6u) +
                std::count(parts.begin() + 2, parts.end(), 7u),
            48);
  EXPECT_GT(std::count(parts.begin(), parts.end(), 5u), 25);
}

// ---- The methods with an embedded pair ---------------------------------------------------------------------

class EmbeddedPair : public MethodTest {
 protected:
  static IntegratorOptions with_tolerance(double tolerance) {
    IntegratorOptions options = tight();
    options.set("error_tolerance", tolerance);
    return options;
  }
};

TEST_P(EmbeddedPair, MeetsItsToleranceOnANonlinearOscillator) {
  // A pendulum that swings to 2.3 rad; 4 s in steps of 0.5.
  const SpringNetwork system(Vector::Ones(1), {{0, ground, pendulum_law(3)}});
  State start;
  start.q = Vector::Constant(1, 2);
  start.v = Vector::Constant(1, 2);
  const double h = 0.5, largest_velocity = 6;
  const int steps = 8;
  const auto rk4 = make_integrator("rk4", system, {});
  const State reference = run(*rk4, start, h / 4096, 4096 * steps);
  const double fixed_error = distance(run(*make(system), start, h, steps), reference);
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    const auto adaptive = make(system, with_tolerance(tolerance));
    State now = start, next;
    long inner_steps = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport report = adaptive->step(now, h, next);
      ASSERT_EQ(report.status, StepStatus::ok);
      EXPECT_LE(*report.error_estimate, tolerance);
      inner_steps += report.work.inner_steps;
      std::swap(now, next);
    }
    // An inner step may be wrong by the tolerance times its update, whose size is that of the velocity; what
    // the steps leave adds up, and the pendulum carries it on without more than doubling it in this time.
    const double error = distance(now, reference);
    EXPECT_LE(error, 2 * tolerance * largest_velocity * double(inner_steps)) << inner_steps << " inner steps";
    EXPECT_LE(error, 0.1 * fixed_error) << "the undivided steps would have done";
  }
}

TEST_P(EmbeddedPair, ContinuesBitForBitFromAnyStep) {
  SpringNetwork system = chain(20, End::fixed, cubic_law(200, 300), 0.2);
  system.set_load(Vector::Constant(20, 3), 7);
  IntegratorOptions options;
  options.set("error_tolerance", 1e-3);
  expect_bitwise_restart([&] { return make(system, options); }, lively_state(20), 0.1, 12, {1, 5, 11});
}

TEST_P(EmbeddedPair, TakesTheStepItIsGivenUnlessAToleranceIsSet) {
  const SpringNetwork system = chain(4, End::fixed, cubic_law(300, 5000));
  State next, divided;
  const StepReport fixed = make(system, IntegratorOptions{})->step(lively_state(4), 0.2, next);
  ASSERT_EQ(fixed.status, StepStatus::ok);
  EXPECT_EQ(fixed.work.inner_steps, 0);
  EXPECT_EQ(fixed.work.assemblies, 1);
  IntegratorOptions options;
  options.set("error_tolerance", 1e-3);
  const StepReport adapted = make(system, options)->step(lively_state(4), 0.2, divided);
  ASSERT_EQ(adapted.status, StepStatus::ok);
  EXPECT_GT(adapted.work.inner_steps, 1);
  EXPECT_EQ(adapted.work.assemblies, adapted.work.inner_steps + adapted.work.rejected_steps);
  EXPECT_EQ(divided.t, next.t);
}

INSTANTIATE_TEST_SUITE_P(Integrate, EmbeddedPair, every_method_that([](const MethodInfo& method) {
                           return method.embedded_order > 0;
                         }),
                         method_name);

TEST(AdaptiveStep, ServesExactlyTheMethodsThatDeclareAnEmbeddedPair) {
  for (const MethodEntry& entry : integrator_catalogue()) {
    const std::vector<std::string> names = option_keys(entry);
    const bool reads = std::find(names.begin(), names.end(), "error_tolerance") != names.end();
    EXPECT_EQ(reads, entry.info->embedded_order > 0) << entry.info->name;
  }
}

}  // namespace
}  // namespace phiflex::testing

// The explicit methods that divide by a matrix of the rest shape: zheng, chang, chen-ricles, gui.

#include "tests/integrate/method_test.h"

#include "phiflex/linalg/dense_solvers.h"

namespace phiflex::testing {
namespace {

// Linear and damped, with a largest frequency of 2 sqrt(1e4): h w is 0.2 and 200 for the steps below.
SpringNetwork stiff_linear_chain() {
  return chain(10, End::fixed, linear_law(1e4), 3);
}

TEST(RestShape, ZhengAndChangAreAverageAccelerationNewmarkOnLinearSystems) {
  const SpringNetwork system = stiff_linear_chain();
  for (const char* name : {"zheng", "chang"})
    for (const double h : {0.001, 0.1, 1.}) {
      const auto method = make_integrator(name, system, MethodTest::tight());
      const auto newmark = make_integrator("newmark", system, MethodTest::tight());
      State a = lively_state(10), b = a;
      // Velocities of modes with h w = 200 are w = 200 times their positions. Rounding of 1000 steps is 1000
      // times 1e-16 of that, and of a solve with a condition number up to (h w)^2/4 = 1e4.
      for (int i = 0; i < 1000; ++i) {
        a = run(*method, a, h, 1);
        b = run(*newmark, b, h, 1);
        ASSERT_LT((a.q - b.q).norm(), 1e-10) << name << ", h = " << h << ", step " << i;
        ASSERT_LT((a.v - b.v).norm(), 1e-8) << name << ", h = " << h << ", step " << i;
      }
    }
}

TEST(RestShape, ZhengObeysItsTwoStepRecurrence) {
  // S (q+ - 2q + q-) = h^2 f(t, q, (q - q-)/h) for any p, q, r, on a nonlinear damped chain under a load.
  SpringNetwork system = chain(6, End::fixed, cubic_law(30, 80), 0.6);
  system.set_load(Vector::LinSpaced(6, 1, 2), 3);
  IntegratorOptions options;
  options.set("p", 0.4);
  options.set("q", 1.3);
  options.set("r", 1.7);
  const double h = 0.05;
  State rest;
  rest.q = rest.v = Vector::Zero(6);
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(rest);
  const Matrix K0 = tangent->K().to_eigen(), D0 = tangent->D()->to_eigen();
  const Matrix M = system.mass().diagonal().asDiagonal();
  const Matrix S = 0.4 * h * h * K0 + 1.3 / 2 * h * D0 + 1.7 * M;

  const auto zheng = make_integrator("zheng", system, options);
  State before = lively_state(6), now = run(*zheng, before, h, 1);
  for (int i = 0; i < 20; ++i) {
    const State next = run(*zheng, now, h, 1);
    State with_difference = now;
    with_difference.v = (now.q - before.q) / h;
    Vector f;
    system.force(with_difference, f);
    const Vector left = S * (next.q - 2 * now.q + before.q);
    EXPECT_LT((left - h * h * f).norm(), 1e-13 * (S * now.q).norm() + 1e-13) << "step " << i;
    before = now;
    now = next;
  }
}

TEST(RestShape, ZhengFactorizesOnceAndAgainForAnotherStep) {
  const SpringNetwork system = chain(10, End::fixed, cubic_law(30, 80), 0.6);
  const auto zheng = make_integrator("zheng", system, {});
  State now = lively_state(10), next;
  Work work;
  const auto steps = [&](int n, double h) {
    for (int i = 0; i < n; ++i) {
      const StepReport report = zheng->step(now, h, next);
      ASSERT_EQ(report.status, StepStatus::ok);
      work += report.work;
      std::swap(now, next);
    }
  };
  steps(20, 0.02);
  EXPECT_EQ(work.factorizations, 1);
  EXPECT_EQ(work.assemblies, 1);
  EXPECT_EQ(work.solves, 20);
  steps(5, 0.01);
  EXPECT_EQ(work.factorizations, 2);
  EXPECT_EQ(work.solves, 25);
}

TEST(RestShape, WithoutDampingZhengAndChangTakeOneForcePerStep) {
  const SpringNetwork system = chain(10, End::fixed, cubic_law(30, 80));
  for (const char* name : {"zheng", "chang"}) {
    const auto method = make_integrator(name, system, {});
    State now = lively_state(10), next;
    Work work;
    for (int i = 0; i < 10; ++i) {
      work += method->step(now, 0.01, next).work;
      std::swap(now, next);
    }
    EXPECT_EQ(work.force_evaluations, 11) << name;
  }
}

TEST(RestShape, AChangedStepRestartsZhengFromPositionAndVelocity) {
  // After a change of h, or of the state, the step is that of a fresh integrator.
  const SpringNetwork system = chain(6, End::fixed, cubic_law(30, 80), 0.6);
  const auto used = make_integrator("zheng", system, {}), used_too = make_integrator("zheng", system, {});
  const State middle = run(*used, lively_state(6), 0.02, 7);
  run(*used_too, lively_state(6), 0.02, 7);
  State pushed = middle;
  pushed.v[2] += 1;
  const auto fresh = [&](const State& from, double h) {
    return run(*make_integrator("zheng", system, {}), from, h, 1);
  };
  EXPECT_EQ(run(*used, middle, 0.01, 1).q, fresh(middle, 0.01).q);
  EXPECT_EQ(run(*used_too, pushed, 0.02, 1).v, fresh(pushed, 0.02).v);
}

// The frequency of a run without damping: from the recurrence q+ + q- = 2 cos(w h) q.
double frequency(Integrator& integrator, double h) {
  State a = at(1, 0.3), b = run(integrator, a, h, 1), c = run(integrator, b, h, 1);
  return std::acos((a.q[0] + c.q[0]) / (2 * b.q[0])) / h;
}

TEST(RestShape, AnyRButOneMakesZhengVibrateAtOneOverSqrtROfTheFrequency) {
  const SpringNetwork system = oscillator(1);
  IntegratorOptions options;
  for (const double r : {1., 3., 0.5}) {
    options.set("r", r);
    const auto zheng = make_integrator("zheng", system, options);
    EXPECT_EQ(zheng->info().order, r == 1 ? 2 : 0);
    // x = h/sqrt(r): the period error of the method is x^2/12, and of cancellation 1e-16/x^2.
    const double w = 1 / std::sqrt(r), x = 0.01 * w;
    EXPECT_NEAR(frequency(*zheng, 0.01), w, 1.1 * w * x * x / 12 + 1e-11) << "r = " << r;
  }
}

TEST(RestShape, GuiHasThePeriodErrorThatItsLambdaSays) {
  // 4 sin(w' h/2)^2 = x^2/(1 + x^2/lambda) at w = 1, h = x.
  const SpringNetwork system = oscillator(1);
  IntegratorOptions options;
  for (const double lambda : {2., 4., 12.}) {
    options.set("lambda", lambda);
    const auto gui = make_integrator("gui", system, options);
    const double x = 0.5, exact = 2 * std::asin(x / 2 / std::sqrt(1 + x * x / lambda)) / x;
    EXPECT_NEAR(frequency(*gui, x), exact, 1e-13) << "lambda = " << lambda;
    const double leading = 1 - (1 / (2 * lambda) - 1. / 24) * x * x;
    EXPECT_NEAR(exact, leading, 0.1 * std::pow(x, 4)) << "lambda = " << lambda;
  }
}

TEST(RestShape, GuiIsStableAndZhengDefinedExactlyUpToTheLimitTheyDeclare) {
  const SpringNetwork system = oscillator(1);
  IntegratorOptions options;
  options.set("p", 0.1);
  options.set("lambda", 12);
  for (const char* name : {"zheng", "gui"}) {
    const auto below = make_integrator(name, system, options);
    ASSERT_TRUE(below->info().conditionally_stable) << name;
    EXPECT_LT(std::abs(run(*below, at(1, 0.3), 0.99 * below->info().stability_limit, 2000).q[0]), 30) << name;
  }
  // One per cent above the limit the roots -1 +- sqrt(0.02...) grow by at least 1.01 per step, 4e8 in 2000.
  const auto gui = make_integrator("gui", system, options);
  EXPECT_GT(std::abs(run(*gui, at(1, 0.3), 1.01 * gui->info().stability_limit, 2000).q[0]), 1e6);
  const auto zheng = make_integrator("zheng", system, options);
  State next;
  EXPECT_EQ(zheng->step(at(1, 0.3), 1.01 * zheng->info().stability_limit, next).status,
            StepStatus::not_positive_definite);
}

TEST(RestShape, OnLinearSystemsZhengMovesByTheMeanOfItsVelocitiesForAnyPAndQ) {
  // q+ = q + h/2 (v + v+): no velocity is out of proportion to the motion, resolved or not.
  const SpringNetwork system = stiff_linear_chain();
  IntegratorOptions options;
  options.set("p", 0.4);
  options.set("q", 1.5);
  for (const double h : {0.001, 1.}) {
    const auto zheng = make_integrator("zheng", system, options);
    State now = lively_state(10);
    for (int i = 0; i < 50; ++i) {
      const State next = run(*zheng, now, h, 1);
      EXPECT_LT((next.q - now.q - h / 2 * (now.v + next.v)).norm(), 1e-10) << "h = " << h << ", step " << i;
      now = next;
    }
  }
}

TEST(RestShape, GuiWithLambdaFourIsChenRicles) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(30, 80), 0.6);
  const State gui = run(*make_integrator("gui", system, {}), lively_state(6), 0.05, 20);
  const State chen_ricles = run(*make_integrator("chen-ricles", system, {}), lively_state(6), 0.05, 20);
  EXPECT_EQ(gui.q, chen_ricles.q);
  EXPECT_EQ(gui.v, chen_ricles.v);
}

TEST(RestShape, ChenRiclesIsItsFormula) {
  SpringNetwork system = chain(5, End::fixed, cubic_law(30, 80), 0.6);
  system.set_load(Vector::LinSpaced(5, 1, 2), 3);
  State rest, now = lively_state(5);
  rest.q = rest.v = Vector::Zero(5);
  now.t = 0.4;
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(rest);
  const double h = 0.1;
  const Matrix M = system.mass().diagonal().asDiagonal();
  const Matrix S = M + h / 2 * Matrix(tangent->D()->to_eigen()) + h * h / 4 * Matrix(tangent->K().to_eigen());
  Vector f;
  system.force(now, f);
  const Vector alpha_a = S.ldlt().solve(f);
  const State next = run(*make_integrator("chen-ricles", system, {}), now, h, 1);
  EXPECT_LT((next.v - now.v - h * alpha_a).norm(), 1e-13);
  EXPECT_LT((next.q - now.q - h * now.v - h * h * alpha_a).norm(), 1e-13);
}

TEST(RestShape, PositionsOfChenRiclesAreOfOrderTwoWhenItsVelocityIsTakenInTheMiddleOfAStep) {
  // Its v is (q - q-)/h: started with q(h) - q(0) over h it follows q'' + q = 0 to second order.
  const SpringNetwork system = oscillator(1);
  const auto error = [&](double h) {
    State start = at(std::cos(h), (std::cos(h) - 1) / h);
    start.t = h;
    const int n = int(std::lround(1 / h));
    const State end = run(*make_integrator("chen-ricles", system, {}), start, h, n - 1);
    return std::abs(end.q[0] - std::cos(end.t));
  };
  EXPECT_NEAR(std::log2(error(1. / 64) / error(1. / 128)), 2, 0.05);
}

TEST(RestShape, ChangKeepsOrderTwoWhereTheDampingIsNotThatOfTheRestShape) {
  // Barely damped at rest, strongly where it is displaced: the damping is the spring's force law in velocity.
  class Dragged final : public MechanicalSystem {
   public:
    Index dofs() const override { return 1; }
    const MassMatrix& mass() const override { return network_.mass(); }
    double potential_energy(const State& s) const override { return network_.potential_energy(s); }
    void force(const State& s, Vector& f) const override {
      network_.force(s, f);
      f[0] -= std::abs(s.v[0]) * s.v[0];
    }
    std::shared_ptr<const SparsityPattern> pattern() const override { return network_.pattern(); }
    std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness d) const override {
      return network_.assembled_tangent(d);
    }

   private:
    SpringNetwork network_ = oscillator(2, 0.5);
  } system;
  const State reference = run(*make_integrator("rk4", system, {}), at(1, 1), 1. / 4096, 4096);
  const auto error = [&](int n) {
    return distance(run(*make_integrator("chang", system, {}), at(1, 1), 1. / n, n), reference);
  };
  EXPECT_NEAR(std::log2(error(128) / error(256)), 2, 0.1);
}

TEST(RestShape, AMatrixThatIsNotFiniteAtRestIsTakenAtTheFirstState) {
  // A barrier spring whose rest is outside its domain: finite only for 0.5 < q < 2.5, like a body whose held
  // vertices start away from the rest shape.
  const Law shifted = {[](double q) { return barrier_law(10).energy(q - 1.5); },
                       [](double q) { return barrier_law(10).force(q - 1.5); },
                       [](double q) { return barrier_law(10).stiffness(q - 1.5); }};
  const SpringNetwork system(Vector::Ones(1), {{0, ground, shifted, 0}});
  for (const char* name : {"zheng", "chang", "chen-ricles", "gui"}) {
    const State end = run(*make_integrator(name, system, {}), at(1.2, 0), 0.01, 50);
    EXPECT_TRUE(std::isfinite(system.potential_energy(end))) << name;
  }
}

TEST(RestShape, WarningsTellWhatTheParametersDo) {
  const SpringNetwork system = oscillator(1);
  const auto said = [&](const char* name, const IntegratorOptions& options) {
    std::string all;
    for (const std::string& warning : find_integrator(name)->warnings(system, options)) all += warning + "\n";
    return all;
  };
  EXPECT_EQ(said("zheng", {}), "");
  EXPECT_EQ(said("gui", {}), "");
  IntegratorOptions options;
  options.set("r", 3);
  EXPECT_NE(said("zheng", options).find("0.577"), std::string::npos);
  options = {};
  options.set("p", 0.1);
  EXPECT_NE(said("zheng", options).find("h w_max < 2.58"), std::string::npos);
  options = {};
  options.set("q", 0.5);
  EXPECT_NE(said("zheng", options).find("conditionally stable"), std::string::npos);
  options.set("lambda", 12);
  EXPECT_NE(said("gui", options).find("h w_max < 2.449"), std::string::npos);
}

TEST(RestShape, ParametersOutOfRangeAreRefused) {
  const SpringNetwork system = oscillator(1);
  for (const char* key : {"p", "q", "r"})
    EXPECT_THROW(make_integrator("zheng", system, {{key, -1}}), std::invalid_argument);
  EXPECT_THROW(make_integrator("gui", system, {{"lambda", 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex::testing

// Single steps against their definitions.

#include "tests/integrate/method_test.h"

#include "phiflex/linalg/dense_solvers.h"

namespace phiflex::testing {
namespace {

TEST(Integrate, SiIsOneNewtonStepOfBackwardEuler) {
  const Index n = 5;
  SpringNetwork system = chain(int(n), End::fixed, cubic_law(30, 80), 0.6);
  system.set_load(Vector::LinSpaced(n, 1, 2), 3);
  State now = lively_state(n), next;
  now.t = 0.4;
  const double h = 0.1;
  const auto si = make_integrator("si", system, MethodTest::tight());
  ASSERT_EQ(si->step(now, h, next).status, StepStatus::ok);

  // Backward Euler as a system for u = (q+, v+):  G = (q+ - q - h v+, M (v+ - v) - h f(t + h, q+, v+)) = 0,
  // one step of Newton's method from u = (q, v), with f linearized in time as well.
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(now);
  const Matrix K = tangent->K().to_eigen(), D = tangent->D()->to_eigen();
  const Matrix M = system.mass().diagonal().asDiagonal();
  Vector f, g;
  system.force(now, f);
  tangent->load_rate(g);
  Matrix dG(2 * n, 2 * n);
  dG << Matrix::Identity(n, n), -h * Matrix::Identity(n, n), h * K, M + h * D;
  Vector G(2 * n);
  G << -h * now.v, -h * (f + h * g);
  const Vector du = -dG.partialPivLu().solve(G);
  EXPECT_LT((next.q - now.q - du.head(n)).norm(), 1e-13);
  EXPECT_LT((next.v - now.v - du.tail(n)).norm(), 1e-12);
}

// A mass on top of a hill, W = -q^2/2 + q^4/4, with a step that sees it: M + h^2 K = 1 - h^2 < 0.
TEST(Integrate, AnIndefiniteFactorizationStepsAsTheFormulaHasIt) {
  const SpringNetwork system(Vector::Ones(1), {{0, ground, cubic_law(-1, 1)}});
  const State now = at(0.1, 0.2);
  const double h = 2, q = 0.1, v = 0.2, f = q - q * q * q, K = -1 + 3 * q * q;
  for (const char* method : {"si", "mssi"}) {
    State next;
    IntegratorOptions options;
    options.set("project_hessian", false);
    EXPECT_EQ(make_integrator(method, system, options)->step(now, h, next).status,
              StepStatus::not_positive_definite);
    options.set("factorization", "indefinite");
    ASSERT_EQ(make_integrator(method, system, options)->step(now, h, next).status, StepStatus::ok);
    EXPECT_NEAR(next.v[0], v + h * (f - h * K * v) / (1 + h * h * K), 1e-14) << method;
  }
  // Backward Euler, whose equation v+ = v + h f(q + h v+) has a solution beside the hill.
  State next;
  Vector force;
  ASSERT_EQ(make_integrator("be", system, {{"factorization", "indefinite"}})->step(now, h, next).status,
            StepStatus::ok);
  system.force(next, force);
  EXPECT_NEAR(next.v[0], v + h * force[0], 1e-7);
  // The one mode moves exactly: SIERE is then the exponential step, which has no pole.
  const double w = std::sqrt(-K), sinh = std::sinh(h * w), cosh = std::cosh(h * w);
  ASSERT_EQ(make_integrator("siere", system, {{"factorization", "indefinite"}, {"modes", 1}})
                ->step(now, h, next)
                .status,
            StepStatus::ok);
  EXPECT_NEAR(next.q[0], q + sinh / w * v + (cosh - 1) / (w * w) * f, 1e-12);
  EXPECT_NEAR(next.v[0], cosh * v + sinh / w * f, 1e-12);
}

TEST(Integrate, BackwardEulerSolvesItsEquation) {
  const Index n = 5;
  SpringNetwork system = chain(int(n), End::fixed, cubic_law(30, 80), 0.6);
  system.set_load(Vector::LinSpaced(n, 1, 2), 3);
  const State now = lively_state(n);
  State next;
  const double h = 0.1;
  const auto be = make_integrator("be", system, MethodTest::tight());
  ASSERT_EQ(be->step(now, h, next).status, StepStatus::ok);
  Vector f;
  system.force(next, f);
  const Vector residual = system.mass().diagonal().cwiseProduct(next.v - now.v) - h * f;
  EXPECT_LT(residual.norm(), 1e-12 * (h * f.norm() + now.v.norm()));
  EXPECT_LT((next.q - now.q - h * next.v).norm(), 1e-15);
}

TEST(Integrate, TrBdf2IsATrapezoidalStepAndABackwardDifference) {
  const Index n = 5;
  SpringNetwork system = chain(int(n), End::fixed, cubic_law(30, 80), 0.6);
  system.set_load(Vector::LinSpaced(n, 1, 2), 3);
  const State now = lively_state(n);
  State middle, next;
  const double h = 0.1, gamma = 2 - std::sqrt(2.), d = gamma / 2, c = 1 / (gamma * (2 - gamma));
  // Newmark's average acceleration is the trapezoidal rule.
  ASSERT_EQ(make_integrator("newmark", system, MethodTest::tight())->step(now, gamma * h, middle).status,
            StepStatus::ok);
  ASSERT_EQ(make_integrator("tr-bdf2", system, MethodTest::tight())->step(now, h, next).status,
            StepStatus::ok);
  Vector f;
  system.force(next, f);
  const Vector dv = next.v - (c * middle.v - (c - 1) * now.v);
  // Newton's method stops at 1e-13 of the velocities, in two steps.
  EXPECT_LT((system.mass().diagonal().cwiseProduct(dv) - d * h * f).norm(),
            1e-11 * (h * f.norm() + now.v.norm()));
  EXPECT_LT((next.q - (c * middle.q - (c - 1) * now.q) - d * h * next.v).norm(), 1e-12);
}

TEST(Integrate, CentralDifferenceTakesOneForcePerStepWithoutDampingAndTwoWith) {
  for (const double dashpot : {0., 0.5}) {
    const SpringNetwork system = chain(5, End::fixed, cubic_law(30, 80), dashpot);
    const auto method = make_integrator("central-difference", system, {});
    State now = lively_state(5), next;
    Work work;
    for (int i = 0; i < 10; ++i) {
      work += method->step(now, 0.01, next).work;
      std::swap(now, next);
    }
    EXPECT_EQ(work.force_evaluations, dashpot == 0 ? 11 : 20);
  }
}

}  // namespace
}  // namespace phiflex::testing

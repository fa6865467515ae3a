// What every step keeps: rest, its input, momentum; and what the method declares:
// reversibility, symplecticity.
#include <cstring>

#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

class Invariants : public MethodTest {};
class DeclaredReversible : public MethodTest {};
class DeclaredSymplectic : public MethodTest {};

TEST_P(Invariants, RestIsAFixedPointToTheLastBit) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(50, 20), 0.4);
  State rest;
  rest.q = rest.v = Vector::Zero(6);
  const State end = run(*make(system, IntegratorOptions{}), rest, 0.01, 5);
  EXPECT_EQ(end.q, rest.q);
  EXPECT_EQ(end.v, rest.v);
  EXPECT_DOUBLE_EQ(end.t, 0.05);
}

TEST_P(Invariants, AStepNeverModifiesItsInput) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(50, 20), 0.4);
  const auto integrator = make(system);
  State now = lively_state(6), next;
  for (int i = 0; i < 4; ++i) {
    const State copy = now;
    ASSERT_EQ(integrator->step(now, 0.02, next).status, StepStatus::ok);
    EXPECT_EQ(now.t, copy.t);
    EXPECT_EQ(now.q, copy.q);
    EXPECT_EQ(now.v, copy.v);
    EXPECT_DOUBLE_EQ(next.t, now.t + 0.02);
    std::swap(now, next);
  }
}

TEST_P(Invariants, AFreeChainKeepsItsMomentum) {
  const SpringNetwork system = chain(8, End::free, cubic_law(50, 20), 0.4);
  const auto momentum = [&](const State& state) { return system.mass().diagonal().dot(state.v); };
  State start = lively_state(8);
  start.v.array() += 1;
  const State end = run(*make(system), start, 0.02, 50);
  // Inner forces cancel exactly; 50 steps round to 1e-16 each, and Newton stops at 1e-13 of the momentum.
  EXPECT_NEAR(momentum(end) / momentum(start), 1, 1e-11);
}

TEST_P(Invariants, AFreeMassMovesOnAStraightLine) {
  const SpringNetwork system = chain(5, End::free, linear_law(1e4));
  State start;
  start.q = Vector::Zero(5);
  start.v = Vector::Constant(5, 2.);
  const State end = run(*make(system), start, 0.01, 100);
  // Remainders are rounding here; a method may multiply them by its weights.
  const double rounding = info().largest_weight > 1 ? 1e-9 : 1e-11;
  EXPECT_LT((end.q - Vector::Constant(5, 2.)).norm(), rounding);
  EXPECT_LT((end.v - start.v).norm(), rounding);
}

TEST_P(DeclaredReversible, AReversedStepGoesBack) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(50, 20));
  const State start = lively_state(6);
  State back = run(*make(system), start, 0.05, 10);
  back.v = -back.v;
  back = run(*make(system), back, 0.05, 10);
  back.v = -back.v;
  // Newton's tolerance of 1e-13 over 20 steps, in a system that amplifies differences little.
  EXPECT_LT(distance(start, back), 1e-10);
}

TEST_P(DeclaredSymplectic, TheStepIsASymplecticMap) {
  const Index n = 3;
  const SpringNetwork system = chain(n, End::fixed, cubic_law(5, 20));
  const Vector& m = system.mass().diagonal();
  // u = (q, p), p = M v; S = du+/du by central differences of width e: error e^2 + 1e-15/e, 1e-10 at 1e-5.
  const double h = 0.3, e = 1e-5;
  const State start = lively_state(n);
  const auto image = [&](Index j, double shift) {
    State from = start;
    (j < n ? from.q[j] : from.v[j - n]) += j < n ? shift : shift / m[j - n];
    const State to = run(*make(system), from, h, 1);
    Vector u(2 * n);
    u << to.q, m.cwiseProduct(to.v);
    return u;
  };
  Matrix S(2 * n, 2 * n), J = Matrix::Zero(2 * n, 2 * n);
  for (Index j = 0; j < 2 * n; ++j) S.col(j) = (image(j, e) - image(j, -e)) / (2 * e);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -Matrix::Identity(n, n);
  EXPECT_LT((S.transpose() * J * S - J).norm(), 1e-7);
}

TEST_P(Invariants, APendulumFrom90DegreesSwings1Point1803TimesSlower) {
  // T/T0 = 1.180340599; the quarter period ends where q = 0, found by interpolating linearly in time.
  const SpringNetwork system(Vector::Ones(1), {{0, ground, pendulum_law(1), 0}});
  const auto integrator = make(system);
  State now, next;
  now.q = Vector::Constant(1, EIGEN_PI / 2);
  now.v = Vector::Zero(1);
  const double h = 2 * EIGEN_PI / 2000;
  while (now.q[0] > 0) {
    ASSERT_LT(now.t, 10);
    ASSERT_EQ(integrator->step(now, h, next).status, StepStatus::ok);
    std::swap(now, next);
  }
  // Near q = 0 the acceleration vanishes: q is linear in t there up to h^3.
  const double quarter = now.t - now.q[0] / now.v[0];
  // The constants of the errors C h^p over a quarter of a period are below one (h = 0.00314).
  const double bound = info().order == 1 ? h : info().order == 2 ? h * h : 1e-7;
  EXPECT_NEAR(4 * quarter / (2 * EIGEN_PI), 1.180340599, bound);
}

INSTANTIATE_TEST_SUITE_P(Integrate, Invariants, every_method(), method_name);
INSTANTIATE_TEST_SUITE_P(Integrate, DeclaredReversible,
                         every_method_that([](const MethodInfo& method) { return method.reversible; }),
                         method_name);
INSTANTIATE_TEST_SUITE_P(Integrate, DeclaredSymplectic,
                         every_method_that([](const MethodInfo& method) { return method.symplectic; }),
                         method_name);

}  // namespace
}  // namespace phiflex::testing

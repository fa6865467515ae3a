// Exponential methods: exact where they say so, equal where theory says so, and against formulas written out
// densely.
#include <algorithm>
#include <chrono>
#include <complex>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

#include "tests/integrate/method_test.h"

#include "phiflex/integrate/linearized_flow.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/matfun/catalogue.h"

namespace phiflex::testing {
namespace {

Matrix dense_stiffness(const MechanicalSystem& system, const State& at) {
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(at);
  return Matrix(tangent->K().to_eigen());
}

// The solution of M q'' = -K q - D q' after a time t: mode by mode when D = alpha M + beta K, which keeps its
// accuracy however stiff the system is; else by the exponential of the first-order form.
State exact_flow(const SpringNetwork& system, const State& start, double t) {
  const Index n = system.dofs();
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update(start);
  const Matrix K = Matrix(tangent->K().to_eigen()), M = system.mass().diagonal().asDiagonal();
  if (const auto rayleigh = tangent->rayleigh()) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(K, M);
    const Matrix& U = eigen.eigenvectors();
    Vector q = U.transpose() * M * start.q, v = U.transpose() * M * start.v;
    for (Index i = 0; i < n; ++i) {
      const double lambda = eigen.eigenvalues()[i], d = rayleigh->alpha + rayleigh->beta * lambda;
      const std::complex<double> e = std::sqrt(std::complex<double>(lambda - d * d / 4));
      const double C = std::real(std::cos(e * t)), S = std::real(std::sin(e * t) / e),
                   decay = std::exp(-d * t / 2);
      const double q0 = q[i], v0 = v[i];
      q[i] = decay * (C * q0 + S * (v0 + d / 2 * q0));
      v[i] = decay * (C * v0 - S * (lambda * q0 + d / 2 * v0));
    }
    return {start.t + t, U * q, U * v};
  }
  Matrix J = Matrix::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -M.inverse() * K;
  J.bottomRightCorner(n, n) = -M.inverse() * Matrix(tangent->D()->to_eigen());
  Vector u(2 * n);
  u << start.q, start.v;
  u = (t * J).exp() * u;
  return {start.t + t, u.head(n), u.tail(n)};
}

// ---- Linear systems ---------------------------------------------------------------------------------------

class ExactOnLinear : public MethodTest {
 protected:
  // Stiffnesses of 1 to 7776; dashpots as well when asked for.
  static SpringNetwork stiff_chain(double dashpot = 0) {
    std::vector<Spring> springs;
    for (int i = 0; i < 6; ++i)
      springs.push_back({i, i == 0 ? ground : i - 1, linear_law(std::pow(6., i)), i % 2 ? dashpot : 0});
    return {growing_masses(6), springs};
  }
  static double largest_frequency(const SpringNetwork& system) {
    const Matrix K = dense_stiffness(system, lively_state(system.dofs()));
    const Matrix M = system.mass().diagonal().asDiagonal();
    return std::sqrt(Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(K, M).eigenvalues().maxCoeff());
  }
  // h is so many times the limit of explicit methods, 2/w_max.
  void expect_exact(const SpringNetwork& system, double times, double rounding = 1e-9) {
    const State start = lively_state(system.dofs());
    const double h = times * 2 / largest_frequency(system);
    const auto method = make(system);
    const State end = run(*method, start, h, 3), expected = exact_flow(system, start, 3 * h);
    EXPECT_LE(distance(end, expected), rounding * std::hypot(start.q.norm(), start.v.norm()));
  }
};

TEST_P(ExactOnLinear, AtAThousandTimesTheExplicitLimit) {
  expect_exact(stiff_chain(), 1000);
}

TEST_P(ExactOnLinear, WithMassAndStiffnessDamping) {
  SpringNetwork system = stiff_chain();
  system.set_rayleigh({0.02, 1e-4});
  expect_exact(system, 1000);
}

TEST_P(ExactOnLinear, WithDashpotsThatAreNotOfRayleighsForm) {
  // Krylov spaces of J itself, in the norm of the step: their rounding grows with |J|, not with w.
  expect_exact(stiff_chain(0.3), 20, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Integrate, ExactOnLinear, every_method_that([](const MethodInfo& declared) {
                           return declared.exact_on_linear;
                         }),
                         method_name);

TEST(Gautschi, IsExactOnItsLinearPartWithEveryFilter) {
  const SpringNetwork system = chain(6, End::fixed, linear_law(50));
  const State start = lively_state(6);
  for (const char* filter : {"symplectic", "gautschi", "hochbruck-lubich"}) {
    IntegratorOptions options = MethodTest::tight();
    options.set("filter", filter);
    const auto method = make_integrator("gautschi", system, options);
    EXPECT_LE(distance(run(*method, start, 2.5, 8), exact_flow(system, start, 20)), 1e-9);
  }
}

TEST(Gautschi, HasOrderTwoWithEveryFilter) {
  const SpringNetwork system = chain(4, End::fixed, cubic_law(3, 5));
  const State start = lively_state(4);
  const auto reference_method = make_integrator("rk4", system, {});
  const State reference = run(*reference_method, start, 1. / 4096, 4096);
  for (const char* filter : {"symplectic", "gautschi", "hochbruck-lubich"}) {
    IntegratorOptions options = MethodTest::tight();
    options.set("filter", filter);
    const auto coarse = make_integrator("gautschi", system, options),
               fine = make_integrator("gautschi", system, options);
    const double error = distance(run(*coarse, start, 1. / 128, 128), reference);
    const double error_of_half = distance(run(*fine, start, 1. / 256, 256), reference);
    EXPECT_NEAR(std::log2(error / error_of_half), 2, 0.1);
  }
}

// ---- Equivalences -----------------------------------------------------------------------------------------

IntegratorOptions with_modes(int count) {
  IntegratorOptions options = MethodTest::tight();
  options.set("modes", count);
  return options;
}

// A chain at a state where its stiffness is not that of rest, with a load that depends on time.
SpringNetwork loaded_chain(int n, Rayleigh damping) {
  SpringNetwork system = chain(n, End::fixed, cubic_law(30, 50));
  system.set_load(Vector::LinSpaced(n, 1, 2), 3);
  if (damping.alpha != 0 || damping.beta != 0) system.set_rayleigh(damping);
  return system;
}

TEST(Siere, WithAllModesIsEre) {
  for (const Rayleigh damping : {Rayleigh{}, Rayleigh{0.3, 0.01}}) {
    const SpringNetwork system = loaded_chain(7, damping);
    const auto siere = make_integrator("siere", system, with_modes(7));
    const auto ere = make_integrator("ere", system, MethodTest::tight());
    // Five steps of h w up to 1; longer ones amplify any difference, the motion being nonlinear.
    EXPECT_LE(distance(run(*siere, lively_state(7), 0.05, 5), run(*ere, lively_state(7), 0.05, 5)), 1e-9);
  }
}

TEST(Siere, WithNoModesIsSi) {
  const SpringNetwork system = loaded_chain(7, {0.3, 0.01});
  const auto siere = make_integrator("siere", system, with_modes(0));
  const auto si = make_integrator("si", system, MethodTest::tight());
  EXPECT_LE(distance(run(*siere, lively_state(7), 0.2, 5), run(*si, lively_state(7), 0.2, 5)), 1e-11);
}

// The original form: with G the projector on the modal space, A_H = J - J_G and F_H = F - F_G for the rest,
//   (I - h J_H) du_H = h F_H,   u+ = u + du_H + h phi_1(h J_G) F_G,
// the low-rank J_H by the formula of Woodbury there, by dense inversion here.
TEST(Siere, InOneSolveEqualsTheOriginalLowRankForm) {
  for (const Rayleigh damping : {Rayleigh{}, Rayleigh{0.4, 0.02}}) {
    SpringNetwork system = chain(8, End::fixed, cubic_law(30, 50));
    if (damping.alpha != 0) system.set_rayleigh(damping);
    const Index n = 8, s = 3;
    const double h = 0.3;
    const State start = lively_state(n);
    const Matrix K = dense_stiffness(system, start), M = system.mass().diagonal().asDiagonal();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(K, M);
    const Matrix U = eigen.eigenvectors().leftCols(s), P = U * U.transpose() * M;
    Matrix J = Matrix::Zero(2 * n, 2 * n), G = Matrix::Zero(2 * n, 2 * n);
    J.topRightCorner(n, n).setIdentity();
    J.bottomLeftCorner(n, n) = -M.inverse() * K;
    J.bottomRightCorner(n, n) = -M.inverse() * (damping.alpha * M + damping.beta * K);
    G.topLeftCorner(n, n) = G.bottomRightCorner(n, n) = P;
    Vector f;
    system.force(start, f);
    Vector F(2 * n);
    F << start.v, M.inverse() * f;
    const Matrix I = Matrix::Identity(2 * n, 2 * n);
    const Matrix JG = G * J, JH = J - JG;
    Matrix augmented = Matrix::Zero(2 * n + 1, 2 * n + 1);
    augmented.topLeftCorner(2 * n, 2 * n) = h * JG;
    augmented.topRightCorner(2 * n, 1) = h * G * F;
    const Vector modal = Matrix(augmented.exp()).topRightCorner(2 * n, 1);
    const Vector rest = (I - h * JH).lu().solve(h * (F - G * F));
    State next;
    const auto siere = make_integrator("siere", system, with_modes(int(s)));
    ASSERT_EQ(siere->step(start, h, next).status, StepStatus::ok);
    Vector u(2 * n), expected(2 * n);
    u << next.q, next.v;
    expected << start.q, start.v;
    expected += rest + modal;
    EXPECT_LE((u - expected).norm(), 1e-11 * expected.norm());
  }
}

TEST(Siere, PhasesOfAStepSumToNoMoreThanItsSeconds) {
  // Many modes: most of the time is spent in their search, solves included, which must be counted once.
  const SpringNetwork system = loaded_chain(200, {});
  const State start = lively_state(200);
  State next;
  Work shortest;  // of each phase: what other programs took from one step they did not take from all
  for (const WorkPhase& phase : work_phases)
    shortest.*phase.seconds = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 5; ++repeat) {
    const std::unique_ptr<Integrator> method = make_integrator("siere", system, with_modes(20));
    const auto begin = std::chrono::steady_clock::now();
    const StepReport report = method->step(start, 0.3, next);
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ASSERT_EQ(report.status, StepStatus::ok);
    double sum = 0;
    for (const WorkPhase& phase : work_phases) {
      sum += report.work.*phase.seconds;
      shortest.*phase.seconds = std::min(shortest.*phase.seconds, report.work.*phase.seconds);
    }
    EXPECT_LE(sum, elapsed);
  }
  double sum = 0;
  for (const WorkPhase& phase : work_phases) sum += shortest.*phase.seconds;
  EXPECT_GT(shortest.modes_seconds, 0.5 * sum);
}

TEST(Siere, InTheOriginalFormIsTheSameStepForTwiceTheModesMoreSolves) {
  for (const Rayleigh damping : {Rayleigh{}, Rayleigh{0.4, 0.02}}) {
    const SpringNetwork system = loaded_chain(8, damping);
    IntegratorOptions one = with_modes(3), original = with_modes(3);
    original.set("form", "woodbury");
    const State start = lively_state(8);
    State next, same;
    const StepReport cheap = make_integrator("siere", system, one)->step(start, 0.3, next);
    const StepReport dear = make_integrator("siere", system, original)->step(start, 0.3, same);
    ASSERT_EQ(dear.status, StepStatus::ok);
    EXPECT_LE(distance(next, same), 1e-10);
    EXPECT_EQ(dear.work.solves, cheap.work.solves + 2 * 3);
  }
}

TEST(Siere, ReportsTheResidualOfItsModes) {
  const SpringNetwork system = loaded_chain(30, {});
  IntegratorOptions options;
  options.set("modes", 4);
  const auto siere = make_integrator("siere", system, options);
  State state = lively_state(30), next;
  for (int i = 0; i < 20; ++i) {
    const StepReport report = siere->step(state, 0.1, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_GT(report.eigen_residual, 0);
    EXPECT_LE(report.eigen_residual, 0.05);  // modes_tolerance
    std::swap(state, next);
  }
}

TEST(Siere, TakesTheRigidModesOfAFreeBodyAsModes) {
  const SpringNetwork system = chain(12, End::free, cubic_law(100, 20));
  const auto siere = make_integrator("siere", system, with_modes(3));
  State start = lively_state(12);
  const double momentum = system.mass().diagonal().dot(start.v);
  const State end = run(*siere, start, 0.1, 50);
  EXPECT_NEAR(system.mass().diagonal().dot(end.v), momentum, 1e-9 * start.v.norm());
}

TEST(Epirk4s3, InTheEnergyProductIsTheSameAsInThatOfTheStep) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(30, 5));
  IntegratorOptions plain = MethodTest::tight(), energy = MethodTest::tight();
  plain.set("evaluator", "kiops");
  energy.set("evaluator", EvaluatorSettings{.type = "kiops", .inner_product = BasisProduct::energy});
  const auto a = make_integrator("epirk4s3", system, plain), b = make_integrator("epirk4s3", system, energy);
  EXPECT_LE(distance(run(*a, lively_state(6), 0.02, 50), run(*b, lively_state(6), 0.02, 50)), 1e-8);
}

class WithEveryEvaluator : public ::testing::TestWithParam<EvaluatorEntry> {};

TEST_P(WithEveryEvaluator, ExponentialMethodsAreTheSame) {
  const SpringNetwork undamped = loaded_chain(6, {}), damped = loaded_chain(6, {0.3, 0.01});
  for (const SpringNetwork* system : {&undamped, &damped})
    for (const char* name : {"ere", "exprb32", "exprb42", "pexprb43", "gautschi"}) {
      IntegratorOptions options = MethodTest::tight();
      options.set("tolerance", 1e-11);
      const auto reference = make_integrator(name, *system, options);
      options.set("evaluator", std::string(GetParam().info->name));
      const auto method = make_integrator(name, *system, options);
      EXPECT_LE(distance(run(*method, lively_state(6), 0.1, 5), run(*reference, lively_state(6), 0.1, 5)),
                1e-8)
          << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Integrate, WithEveryEvaluator,
                         ::testing::ValuesIn(evaluator_catalogue().begin(), evaluator_catalogue().end()),
                         [](const auto& parameter) { return std::string(parameter.param.info->name); });

// ---- Indefinite stiffness, failures -----------------------------------------------------------------------

// Two wells: the stiffness at 0 is negative.
Law double_well(double k) {
  return {[=](double e) { return k * (e * e * e * e / 4 - e * e / 2); },
          [=](double e) { return k * (e * e * e - e); }, [=](double e) { return k * (3 * e * e - 1); }};
}

TEST(Ere, TakesAnIndefiniteStiffnessAsItIs) {
  const SpringNetwork system = chain(5, End::fixed, double_well(20));
  State start = lively_state(5);
  start.q *= 0.2;
  ASSERT_LT(Eigen::SelfAdjointEigenSolver<Matrix>(dense_stiffness(system, start)).eigenvalues().minCoeff(),
            0);
  const auto rk4 = make_integrator("rk4", system, {});
  const State reference = run(*rk4, start, 1. / 4096, 2048);
  for (const char* name : {"ere", "pexprb43"}) {
    const auto coarse = make_integrator(name, system, MethodTest::tight()),
               fine = make_integrator(name, system, MethodTest::tight());
    const double error = distance(run(*coarse, start, 1. / 128, 64), reference);
    EXPECT_LE(distance(run(*fine, start, 1. / 256, 128), reference), 0.3 * error) << name;
  }
}

// No evaluation can reach its tolerance.
IntegratorOptions hopeless_evaluator() {
  IntegratorOptions options;
  options.set("evaluator", EvaluatorSettings{.type = "expv", .tolerance = 1e-300});
  return options;
}

TEST(LinearizedFlow, AnEvaluationThatFailedHasNoValue) {
  const SpringNetwork system = chain(40, End::fixed, linear_law(1e8));
  LinearizedFlow flow(system, hopeless_evaluator().read<ExponentialOptions>());
  StepReport report;
  const double h = 1;
  ASSERT_EQ(flow.linearize(lively_state(40), h, report), StepStatus::ok);
  const auto increments = flow.flow({&h, 1}, report);
  EXPECT_EQ(increments.status(), StepStatus::function_not_evaluated);
  EXPECT_THROW(increments.value(), std::logic_error);
  const auto correction = flow.correction(h, Vector::Ones(80), {}, report);
  EXPECT_EQ(correction.status(), StepStatus::function_not_evaluated);
  EXPECT_THROW(correction.value(), std::logic_error);
  EXPECT_THROW((void)StepResult<Vector>{StepStatus::ok}, std::logic_error);
}

TEST(Ere, AnEvaluatorThatDoesNotConvergeFailsTheStepAndLeavesTheStateAlone) {
  const SpringNetwork system = chain(40, End::fixed, linear_law(1e8));
  const IntegratorOptions options = hopeless_evaluator();
  const auto ere = make_integrator("ere", system, options);
  const State start = lively_state(40);
  State next = start;
  const StepReport report = ere->step(start, 1, next);
  EXPECT_EQ(report.status, StepStatus::function_not_evaluated);
  EXPECT_EQ(start.q, lively_state(40).q);
  EXPECT_EQ(report.work.projected_hessians, 0) << "the stiffness is definite: another one is no way out";
}

}  // namespace
}  // namespace phiflex::testing

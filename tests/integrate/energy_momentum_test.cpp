// em and emx: what they keep, what their dial takes, and that nothing unconverged is ever accepted.
#include <complex>

#include "phiflex/integrate/chord_force.h"
#include "phiflex/linalg/dense_solvers.h"
#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

double energy(const MechanicalSystem& system, const State& at) {
  return system.kinetic_energy(at) + system.potential_energy(at);
}

double chi(double rho) {
  return rho * (1 - rho) / (2 * (1 + rho) * (1 + rho));
}

IntegratorOptions tight_dial(double rho) {
  IntegratorOptions options = MethodTest::tight();
  options.set("dissipation", rho);
  return options;
}

TEST(EnergyMomentum, EmIsTheMidpointRuleOnLinearSystems) {
  const SpringNetwork system = chain(8, End::fixed, linear_law(300), 0.7);
  const auto em = make_integrator("em", system, MethodTest::tight());
  const auto midpoint = make_integrator("midpoint", system, MethodTest::tight());
  State a = lively_state(8), b = a;
  // Both solve to 1e-12 of velocities of size one, and 50 steps add up.
  for (int i = 0; i < 50; ++i) {
    a = run(*em, a, 0.2, 1);
    b = run(*midpoint, b, 0.2, 1);
    ASSERT_LT(distance(a, b), 1e-10) << "step " << i;
  }
}

TEST(EnergyMomentum, EmKeepsTheEnergyWhereMidpointDoesNot) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(50, 500));
  const State start = lively_state(6);
  const double first = energy(system, start);
  for (const double h : {0.05, 0.3}) {
    const State end = run(*make_integrator("em", system, MethodTest::tight()), start, h, 100);
    // Each step keeps it to rounding, 1e-14 of the kinetic energy or what rounding of w'r leaves.
    EXPECT_NEAR(energy(system, end) / first, 1, 1e-11) << "h = " << h;
  }
  const State other = run(*make_integrator("midpoint", system, MethodTest::tight()), start, 0.3, 100);
  EXPECT_GT(std::abs(energy(system, other) / first - 1), 1e-4);
}

TEST(EnergyMomentum, AtTheDefaultToleranceAStepsEnergyIsRightToATenThousandthOfTheKineticEnergy) {
  const SpringNetwork system = chain(30, End::fixed, cubic_law(200, 300));
  const auto em = make_integrator("em", system, {});
  State now = lively_state(30), next;
  double largest = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(em->step(now, 0.05, next).status, StepStatus::ok);
    const double motion = system.mass().dot(next.q - now.q, next.q - now.q) / (0.05 * 0.05);  // w'M w
    largest = std::max(largest, system.kinetic_energy(next));
    EXPECT_LE(std::abs(energy(system, next) - energy(system, now)), 1.01e-4 * (motion + 1e-8 * largest));
    std::swap(now, next);
  }
}

// Modes of a linear chain: K u = lambda M u.
Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes_of(const SpringNetwork& system) {
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  State rest;
  rest.q = rest.v = Vector::Zero(system.dofs());
  tangent->update(rest);
  const Matrix K = tangent->K().to_eigen(), M = system.mass().diagonal().asDiagonal();
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(K, M);
}

TEST(EnergyMomentum, EmxMovesItsModesExactlyOnLinearSystems) {
  const SpringNetwork system = chain(10, End::fixed, linear_law(100));
  const auto modes = modes_of(system);
  const double h = 0.3;
  IntegratorOptions options = MethodTest::tight();
  options.set("modes", 3);
  // x = h w of these is 0.45 to 2.1.
  Vector a = Vector::Zero(10), b = a;
  a.head(3) << 0.3, -0.2, 0.1;
  b.head(3) << 0.5, 1, -2;
  State start;
  start.q = modes.eigenvectors() * a;
  start.v = modes.eigenvectors() * b;
  const int n = 60;
  const State end = run(*make_integrator("emx", system, options), start, h, n);
  Vector qa = Vector::Zero(10), va = qa;
  for (Index i = 0; i < 3; ++i) {
    const double w = std::sqrt(modes.eigenvalues()[i]), c = std::cos(w * h * n), s = std::sin(w * h * n);
    ASSERT_GT(h * w, 0.1);
    ASSERT_LT(h * w, std::sqrt(20.));
    qa[i] = c * a[i] + s / w * b[i];
    va[i] = -w * s * a[i] + c * b[i];
  }
  // Modes are known to 1e-8 (linalg/modes.h), frequencies to its square; 60 steps at 1e-12.
  EXPECT_LT((end.q - modes.eigenvectors() * qa).norm(), 1e-7);
  EXPECT_LT((end.v - modes.eigenvectors() * va).norm(), 1e-6);
  // em, on the same motion, is late by x^3/12 per step.
  const State late = run(*make_integrator("em", system, options), start, h, n);
  EXPECT_GT((late.q - modes.eigenvectors() * qa).norm(), 1e-2);
}

TEST(EnergyMomentum, EmxKeepsTheEnergyOfANonlinearChain) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(50, 500));
  const State start = lively_state(6);
  const State end = run(*make_integrator("emx", system, MethodTest::tight()), start, 0.2, 100);
  EXPECT_NEAR(energy(system, end) / energy(system, start), 1, 1e-11);
}

TEST(EnergyMomentum, EmxWithoutModesIsEm) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(50, 500));
  IntegratorOptions options;
  options.set("modes", 0);
  const State start = lively_state(6);
  const State a = run(*make_integrator("emx", system, options), start, 0.1, 10);
  const State b = run(*make_integrator("em", system, options), start, 0.1, 10);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
}

TEST(EnergyMomentum, ModesThatAStepHardlyTurnsOrTurnsByMoreThanMostOfAPeriodAreNotFitted) {
  const SpringNetwork system = oscillator(1);
  IntegratorOptions options = MethodTest::tight();
  for (const double x : {0.05, 4.5}) {
    const State fitted = run(*make_integrator("emx", system, options), at(1, 0.3), x, 3);
    const State plain = run(*make_integrator("em", system, options), at(1, 0.3), x, 3);
    EXPECT_LT(distance(fitted, plain), 1e-13) << "x = " << x;
  }
}

// ---- The dial ---------------------------------------------------------------------------------------------

// c_3 z^3 + ... + c_0 = 2z(z-1)^2 + x^2 (z+1)[z(z+1)/2 + chi (z-1)^2].
Eigen::Vector4d characteristic(double rho, double x) {
  const double c = chi(rho), y = x * x;
  return {c * y, 2 + y * (0.5 - c), -4 + y * (1 - c), 2 + y * (0.5 + c)};
}
double spectral_radius(double rho, double x) {
  const Eigen::Vector4d p = characteristic(rho, x);
  Eigen::Matrix3d companion = Eigen::Matrix3d::Zero();
  companion.topRightCorner<2, 2>().setIdentity();
  companion.row(2) = -p.head<3>().transpose() / p[3];
  return companion.eigenvalues().cwiseAbs().maxCoeff();
}

TEST(EnergyMomentumDial, ASpringObeysTheDialsRecurrence) {
  const SpringNetwork system = oscillator(1);
  for (const double rho : {1. / 3, 0.5, 0.8, 0.9})
    for (const double x : {0.1, 1., 13., 100.}) {
      const auto em = make_integrator("em", system, tight_dial(rho));
      const Eigen::Vector4d c = characteristic(rho, x);
      State state = run(*em, at(1, 0.3), x, 1);  // the first step has no memory
      Eigen::Vector4d q;
      q[0] = state.q[0];
      for (Index i = 1; i < 4; ++i) {
        state = run(*em, state, x, 1);
        q[i] = state.q[0];
      }
      for (int n = 0; n < 20; ++n) {
        // Rounding of the terms, the largest of which is x^2 q, and of solves to 1e-12.
        EXPECT_LT(std::abs(c.dot(q)), 1e-11 * c.cwiseAbs().maxCoeff()) << rho << ", x = " << x << ", " << n;
        state = run(*em, state, x, 1);
        q << q[1], q[2], q[3], state.q[0];
      }
    }
}

TEST(EnergyMomentumDial, ItsSpectralRadiusDipsAndReturnsToOne) {
  const struct {
    double rho, least, near_x;
  } table[] = {{1. / 3, 0.679, 13}, {0.5, 0.730, 15}, {0.8, 0.895, 38}, {0.9, 0.949, 78}};
  for (const auto& row : table) {
    double least = 1, least_x = 0;
    for (double x = 0.01; x < 1e4; x *= 1.01) {
      const double radius = spectral_radius(row.rho, x);
      EXPECT_LE(radius, 1 + 1e-12) << row.rho << ", x = " << x;
      if (radius < least) least = radius, least_x = x;
    }
    EXPECT_NEAR(least, row.least, 5e-4) << row.rho;                  // three digits are given
    EXPECT_NEAR(least_x, row.near_x, 0.05 * row.near_x) << row.rho;  // two digits
    EXPECT_NEAR(spectral_radius(row.rho, 1e6), 1, 1e-4);
    EXPECT_NEAR(spectral_radius(row.rho, 0.01), 1, 1e-4);
  }
}

TEST(EnergyMomentumDial, TheModifiedEnergyNeverRises) {
  const SpringNetwork system = chain(8, End::fixed, cubic_law(100, 300));
  for (const double rho : {1. / 3, 0.8}) {
    const auto em = make_integrator("em", system, tight_dial(rho));
    State now = lively_state(8), next;
    double before = energy(system, now);
    const double first = before;
    for (int i = 0; i < 200; ++i) {
      // Steps of several lengths: a longer one after a shorter one too.
      const double h = i < 100 ? 0.2 : i % 7 < 4 ? 0.1 : 0.3;
      const StepReport report = em->step(now, h, next);
      ASSERT_EQ(report.status, StepStatus::ok);
      ASSERT_TRUE(report.modified_energy.has_value());
      const double after = energy(system, next) + *report.modified_energy;
      EXPECT_LE(after, before * (1 + 1e-12)) << rho << ", step " << i;
      before = after;
      std::swap(now, next);
    }
    EXPECT_LT(before, 0.9 * first) << rho;
  }
}

TEST(EnergyMomentumDial, KeepsTheOrderOfTwo) {
  const SpringNetwork system = chain(4, End::fixed, cubic_law(3, 5));
  const State start = lively_state(4);
  const State reference = run(*make_integrator("rk4", system, {}), start, 1. / 4096, 4096);
  const auto error = [&](const char* method, int n) {
    return distance(run(*make_integrator(method, system, tight_dial(0.8)), start, 1. / n, n), reference);
  };
  for (const char* method : {"em", "emx"})
    EXPECT_NEAR(std::log2(error(method, 128) / error(method, 256)), 2, 0.1) << method;
}

TEST(EnergyMomentumDial, IsNoLongerDeclaredReversible) {
  const SpringNetwork system = oscillator(1);
  EXPECT_TRUE(make_integrator("em", system, {})->info().reversible);
  EXPECT_FALSE(make_integrator("em", system, tight_dial(0.8))->info().reversible);
  EXPECT_FALSE(make_integrator("em", system, tight_dial(0.8))->info().conserves_linear_energy);
  EXPECT_THROW(make_integrator("em", system, tight_dial(0.2)), std::invalid_argument);
  EXPECT_THROW(make_integrator("em", system, tight_dial(1.1)), std::invalid_argument);
}

TEST(EnergyMomentumDial, SparesTheFittedModesOfEmx) {
  // A single mode, fitted: no damping at all, where em damps.
  const SpringNetwork system = oscillator(1);
  const State fitted = run(*make_integrator("emx", system, tight_dial(0.5)), at(1, 0.3), 2, 200);
  const State damped = run(*make_integrator("em", system, tight_dial(0.5)), at(1, 0.3), 2, 200);
  EXPECT_NEAR(energy(system, fitted) / energy(system, at(1, 0.3)), 1, 1e-9);
  EXPECT_LT(energy(system, damped), 0.1 * energy(system, at(1, 0.3)));
}

TEST(EnergyMomentumDial, ARestartContinuesBitForBit) {
  const SpringNetwork system = chain(20, End::fixed, cubic_law(200, 300), 0.2);
  IntegratorOptions options;
  options.set("dissipation", 0.8);
  options.set("substeps", 2);
  for (const char* method : {"em", "emx"}) {
    const auto whole = make_integrator(method, system, options);
    const State end = run(*whole, lively_state(20), 0.05, 20);
    for (const int stop : {1, 2, 11}) {
      const auto before = make_integrator(method, system, options);
      const auto after = make_integrator(method, system, options);
      const State middle = run(*before, lively_state(20), 0.05, stop);
      ArchiveWriter out;
      before->save(out);
      ArchiveReader in(out.bytes());
      after->load(in);
      EXPECT_TRUE(in.at_end());
      const State resumed = run(*after, middle, 0.05, 20 - stop);
      EXPECT_EQ(resumed.q, end.q) << method << " stopped after " << stop;
      EXPECT_EQ(resumed.v, end.v) << method << " stopped after " << stop;
    }
  }
}

// ---- Steps and substeps -----------------------------------------------------------------------------------

TEST(EnergyMomentum, SubstepsAreShorterStepsInOne) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(50, 500));
  IntegratorOptions options;
  options.set("substeps", 4);
  const auto divided = make_integrator("em", system, options);
  options.set("substeps", 1);
  const auto shorter = make_integrator("em", system, options);
  State next;
  const StepReport report = divided->step(lively_state(6), 0.25, next);
  EXPECT_EQ(report.work.inner_steps, 4);
  const State end = run(*shorter, lively_state(6), 0.0625, 4);
  EXPECT_EQ(next.q, end.q);
  EXPECT_EQ(next.v, end.v);
  EXPECT_EQ(next.t, 0.25);
}

TEST(EnergyMomentum, AQuietStepTakesNoFactorization) {
  const SpringNetwork system = chain(40, End::fixed, cubic_law(200, 300));
  const auto em = make_integrator("em", system, {});
  State now = lively_state(40), next;
  Work work;
  for (int i = 0; i < 50; ++i) {
    const StepReport report = em->step(now, 0.02, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    ASSERT_TRUE(report.step_work.has_value());
    EXPECT_LT(std::abs(report.step_work->external), 1e-10);  // nothing comes in, and AVF is exact here
    work += report.work;
    std::swap(now, next);
  }
  EXPECT_LE(work.factorizations, 3);
  EXPECT_EQ(work.assemblies, work.factorizations);
}

// ---- Faults injected --------------------------------------------------------------------------------------

// A network whose linearization is wrong, or whose two-state force never settles.
enum class Meets { nothing, barriers };
class Faulty final : public MechanicalSystem {
 public:
  Faulty(const SpringNetwork& network, double stiffness_factor, double noise, Meets meets = Meets::nothing)
      : network_(network), factor_(stiffness_factor), noise_(noise), meets_(meets) {}
  bool has_contacts() const override { return meets_ == Meets::barriers; }
  Index dofs() const override { return network_.dofs(); }
  const MassMatrix& mass() const override { return network_.mass(); }
  double potential_energy(const State& s) const override { return network_.potential_energy(s); }
  void force(const State& s, Vector& f) const override { network_.force(s, f); }
  std::shared_ptr<const SparsityPattern> pattern() const override { return network_.pattern(); }
  std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness d) const override {
    return network_.assembled_tangent(d);
  }
  std::unique_ptr<TwoStateForce> two_state_force() const override { return std::make_unique<Force>(*this); }

 private:
  class Force final : public TwoStateForce {
   public:
    explicit Force(const Faulty& system)
        : system_(system), chord_(system.network_), K_(system.network_.pattern()) {}
    void begin(const State& now, double h, const Dial& dial) override { chord_.begin(now, h, dial); }
    void force(const Vector& w, Vector& f) override {
      chord_.force(w, f);
      sign_ = -sign_;
      f.array() += sign_ * system_.noise_;
    }
    void linearize(const Vector& w, Definiteness definiteness) override {
      chord_.linearize(w, definiteness);
      K_.set(system_.factor_, chord_.K());
    }
    const SparseMatrix& K() const override { return K_; }
    const SparseMatrix* D() const override { return chord_.D(); }
    StepWork work(const Vector& w) override { return chord_.work(w); }

   private:
    const Faulty& system_;
    ChordForce chord_;
    SparseMatrix K_;
    double sign_ = 1;
  };
  const SpringNetwork& network_;
  double factor_, noise_;
  Meets meets_;
};

TEST(EnergyMomentumFault, WithAWrongLinearizationWhatIsAcceptedStillSolvesTheEquation) {
  const SpringNetwork network = chain(12, End::fixed, cubic_law(300, 2000));
  int refused = 0, accepted = 0;
  for (const double factor : {0.001, 0.02, 0.2, 5., 200.}) {
    const Faulty system(network, factor, 0);
    IntegratorOptions options;
    options.set("halve_step", false);
    const auto em = make_integrator("em", system, options);
    State now = lively_state(12), next;
    for (const double h : {0.01, 0.05, 0.1, 0.3, 1., 3.}) {
      const State copy = now;
      const StepReport report = em->step(now, h, next);
      EXPECT_EQ(now.q, copy.q);
      if (report.status != StepStatus::ok) {
        EXPECT_EQ(report.status, StepStatus::not_converged);
        ++refused;
        continue;
      }
      ++accepted;
      // The energy test is free of the linearization: it holds for whatever was accepted.
      const Vector w = (next.q - now.q) / h;
      const double motion = network.mass().dot(w, w);
      EXPECT_LE(std::abs(energy(network, next) - energy(network, now)),
                1.01e-4 * (motion + network.kinetic_energy(next)))
          << "K times " << factor << ", h = " << h;
    }
  }
  EXPECT_GT(refused, 3);
  EXPECT_GT(accepted, 3);
}

TEST(EnergyMomentumFault, AForceThatNeverSettlesIsNeverAccepted) {
  const SpringNetwork network = chain(4, End::fixed, cubic_law(10, 20));
  const Faulty system(network, 1, 5);
  IntegratorOptions options;
  options.set("halve_step", false);
  State next;
  const StepReport report = make_integrator("em", system, options)->step(lively_state(4), 0.1, next);
  EXPECT_EQ(report.status, StepStatus::not_converged);
  EXPECT_LE(report.work.newton_iterations, 30);
  EXPECT_LE(report.work.factorizations, 4);
}

TEST(EnergyMomentumFault, AStepThatCostsMoreThanExplicitStepsIsMadeByThemAndCounted) {
  const SpringNetwork network = chain(4, End::fixed, cubic_law(10, 20));
  const Faulty system(network, 1, 5);
  const auto em = make_integrator("em", system, {});
  State next;
  const StepReport report = em->step(lively_state(4), 0.1, next);
  ASSERT_EQ(report.status, StepStatus::ok);
  EXPECT_EQ(report.work.backward_euler_steps, 0);
  EXPECT_EQ(report.work.rejected_steps, 1);
  EXPECT_EQ(report.work.halved_steps, 2) << "explicit steps from the first quarter on";
  EXPECT_FALSE(report.step_work.has_value());
  // Two quarters and a half, by a method of second order.
  const State end = run(*make_integrator("verlet", network, {}), lively_state(4), 0.1 / 32, 32);
  EXPECT_LT(distance(next, end), 5e-2);

  // The rung that worked is tried first: the next step asks no solver.
  const State now = next;
  const StepReport second = em->step(now, 0.1, next);
  ASSERT_EQ(second.status, StepStatus::ok);
  EXPECT_EQ(second.work.newton_iterations, 0);
}

TEST(EnergyMomentumFault, AnExplicitRungIsSavedAndLoaded) {
  const SpringNetwork network = chain(4, End::fixed, cubic_law(10, 20));
  const Faulty system(network, 1, 5);
  const auto em = make_integrator("em", system, {}), other = make_integrator("em", system, {});
  State now = lively_state(4), next, again;
  ASSERT_EQ(em->step(now, 0.1, next).status, StepStatus::ok);
  ArchiveWriter out;
  em->save(out);
  ArchiveReader in(out.bytes());
  other->load(in);
  now = next;
  for (int step = 0; step < 4; ++step) {  // those that go explicit at once: the noise is not saved
    const StepReport a = em->step(now, 0.1, next), b = other->step(now, 0.1, again);
    ASSERT_EQ(a.status, StepStatus::ok);
    ASSERT_EQ(b.status, StepStatus::ok);
    EXPECT_EQ(next.q, again.q);
    EXPECT_EQ(next.v, again.v);
    EXPECT_EQ(a.work.force_evaluations, b.work.force_evaluations);
    now = next;
  }
}

// Where barriers may act there are no explicit steps.
TEST(EnergyMomentumFault, TheLastResortIsBackwardEulerOnTheSmallestStepsAndCounted) {
  const SpringNetwork network = chain(4, End::fixed, cubic_law(10, 20));
  const Faulty system(network, 1, 5, Meets::barriers);
  const auto em = make_integrator("em", system, {});
  State next;
  const StepReport report = em->step(lively_state(4), 0.1, next);
  ASSERT_EQ(report.status, StepStatus::ok);
  EXPECT_EQ(report.work.backward_euler_steps, 32);
  EXPECT_EQ(report.work.halved_steps, 31);
  EXPECT_FALSE(report.step_work.has_value());
  const State end = run(*make_integrator("be", network, {}), lively_state(4), 0.1 / 32, 32);
  // Newton's tolerance of 1e-8, 32 times.
  EXPECT_LT(distance(next, end), 1e-6);
}

TEST(EnergyMomentumFault, AStepThatWouldLeaveTheDomainIsDrawnBack) {
  const SpringNetwork system(Vector::Ones(1), {{0, ground, barrier_law(10), 0}});
  State next;
  const StepReport report = make_integrator("em", system, {})->step(at(0.5, 10), 0.1, next);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_GT(report.work.line_search_steps, 0);
  EXPECT_LT(std::abs(next.q[0]), 1);
  // Barriers are no polynomials: three Gauss points are as good as they are.
  EXPECT_NEAR(energy(system, next) / energy(system, at(0.5, 10)), 1, 0.1);
}

}  // namespace
}  // namespace phiflex::testing

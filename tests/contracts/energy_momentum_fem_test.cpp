// em and emx on finite elements: energy, momenta, the exact ledger, the dial, kept and warped factorizations.
#include <Eigen/Geometry>

#include "phiflex/base/errors.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/model/energy_ledger.h"
#include "tests/integrate/method_test.h"
#include "tests/model/sample_models.h"

namespace phiflex::testing {
namespace {

using sample::left_end;

double energy(const DeformableModel& model, const State& at) {
  return model.energies(at).total();
}

// A lively state that also turns about all axes, at `spin` rad/s in all.
State spinning_state(const DeformableModel& model, double spin) {
  State state = sample::lively_state(model, 0, 0.5);
  const Vector& X = model.description().rest;
  const Eigen::Vector3d axis = spin * Eigen::Vector3d(1, -2, 3).normalized();
  for (Index i = 0; i < X.size(); i += 3)
    state.v.segment<3>(i) += axis.cross(Eigen::Vector3d(X.segment<3>(i) - Eigen::Vector3d(0.15, 0.05, 0.05)));
  return state;
}

TEST(EnergyMomentumOnFiniteElements, AFreeSpinningBoxKeepsEnergyAndMomentaOfEveryMaterial) {
  for (const std::string& law : test::laws_of_C()) {
    const DeformableModel model(sample::describe({{.law = law}}));
    const State start = spinning_state(model, 12);
    const auto em = make_integrator("em", model, MethodTest::tight());
    const State end = run(*em, start, 0.01, 100);
    const Momenta before = model.momenta(start), after = model.momenta(end);
    // Each step is exact to 1e-13 of the momenta after its correction, and to 1e-14 of the kinetic energy, or
    // what rounding of stresses, 1e-16 of 1e4 Pa over strains of 0.1, leaves: 100 steps.
    EXPECT_NEAR(energy(model, end) / energy(model, start), 1, 1e-10) << law;
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm()) << law;
    EXPECT_LT((after.angular - before.angular).norm(), 1e-10 * before.angular.norm()) << law;
  }
}

TEST(EnergyMomentumOnFiniteElements, AtTheDefaultToleranceMomentaAreKeptToSevenDigits) {
  const DeformableModel model(sample::describe({sample::Box{}}));
  const State start = spinning_state(model, 12);
  const State end = run(*make_integrator("em", model, {}), start, 0.01, 100);
  const Momenta before = model.momenta(start), after = model.momenta(end);
  EXPECT_NEAR(energy(model, end) / energy(model, start), 1, 1e-2);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-7 * before.angular.norm());
}

TEST(EnergyMomentumOnFiniteElements, ABoxThatTurnsOnceKeepsItsFactorization) {
  // 100 steps of 3.6 degrees: not warped, a factorization would be of no use after a quarter of a turn.
  const DeformableModel model(sample::describe({{.cells = {6, 2, 2}, .young = 1e5}}));
  State now = spinning_state(model, 6.2832), next;
  const auto em = make_integrator("em", model, {});
  Work work;
  for (int i = 0; i < 100; ++i) {
    const StepReport report = em->step(now, 0.01, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    work += report.work;
    std::swap(now, next);
  }
  EXPECT_LE(work.factorizations, 5);
  EXPECT_LE(work.newton_iterations, 1000);
}

TEST(EnergyMomentumOnFiniteElements, InSmallMotionEmIsTheMidpointRule) {
  ModelDescription description = sample::describe({sample::Box{}});
  sample::hold(description, left_end);
  const DeformableModel model(std::move(description));
  const double small = 1e-6;
  const State start = sample::lively_state(model, 0, small, small);
  const State em = run(*make_integrator("em", model, MethodTest::tight()), start, 0.01, 20);
  const State midpoint = run(*make_integrator("midpoint", model, MethodTest::tight()), start, 0.01, 20);
  // They differ by terms of second order in the strain, 1e-6 of the motion times its stiffest frequency.
  EXPECT_LT((em.v - midpoint.v).norm(), 1e-4 * midpoint.v.norm());
  EXPECT_LT((em.q - midpoint.q).norm(), 1e-4 * midpoint.q.norm());
}

TEST(EnergyMomentumOnFiniteElements, TheStaticLimitIsThatOfSi) {
  ModelDescription description =
      sample::describe({{.young = 1e5, .damping = {20, 0.01, DampedStiffness::rest}}});
  sample::hold(description, left_end);
  sample::add_gravity(description, {0, -9.81, 0});
  const DeformableModel model(std::move(description));
  State start;
  start.q = start.v = Vector::Zero(model.dofs());
  const State si = run(*make_integrator("si", model, {}), start, 0.05, 200);
  for (const char* method : {"em", "emx"}) {
    IntegratorOptions options = MethodTest::tight();
    const State em = run(*make_integrator(method, model, options), start, 0.05, 400);
    // What is left of the motion: exp(-10 /s 20 s) for em, and SI's solves to 1e-6 of the update.
    EXPECT_LT((em.q - si.q).norm(), 1e-7 * si.q.norm()) << method;
  }
}

// Damping by the current stiffness, which changes within a step: the ledger books the work of the force that the method
// took.
TEST(LedgerOfDamping, IsTheWorkOfTheForceThatTheMethodTook) {
  const auto describe = [](BodyDamping damping) {
    ModelDescription description = sample::describe({{.damping = damping}});
    sample::hold(description, left_end);
    return description;
  };
  const DeformableModel model(describe({0.5, 0.01, DampedStiffness::current})), plain(describe({}));
  for (const char* name : {"be", "si", "mssi", "midpoint", "newmark"}) {
    State now = sample::lively_state(model, 0, 0.5), next;
    const auto method = make_integrator(name, model, MethodTest::tight());
    EnergyLedger ledger(model, now);
    double taken = 0;
    for (int i = 0; i < 10; ++i) {
      const StepReport report = method->step(now, 0.01, next);
      ASSERT_EQ(report.status, StepStatus::ok) << name;
      ledger.advance(model, now, next, report);
      const Vector dq = next.q - now.q;
      const auto resistance = [&](const State& at) {
        Vector with(model.dofs()), without(model.dofs());
        model.force(at, with);
        plain.force(at, without);
        return dq.dot(without - with);
      };
      const State linearized{now.t, now.q, next.v};
      const State middle{now.t + 0.005, 0.5 * (now.q + next.q), 0.5 * (now.v + next.v)};
      const std::string_view kind = name;
      taken += kind == "be"                     ? resistance(next)
               : kind == "midpoint"             ? resistance(middle)
               : kind == "si" || kind == "mssi" ? resistance(linearized)
                                                : 0.5 * (resistance(now) + resistance(next));
      std::swap(now, next);
    }
    EXPECT_GT(taken, 0) << name;
    EXPECT_NEAR(ledger.row().dissipated, taken, 1e-9 * taken) << name;
  }
}

// What is left of a step of `si` on a linear material is what backward Euler takes: 1/2 dv'M dv + 1/2 dq'K dq.
TEST(LedgerOfDamping, LeavesSiOnALinearMaterialTheLossOfBackwardEuler) {
  ModelDescription description =
      sample::describe({{.law = "linear", .damping = {0.5, 0.01, DampedStiffness::current}}});
  sample::hold(description, left_end);
  const DeformableModel model(std::move(description));
  State now = sample::lively_state(model, 0, 0.5), next;
  const auto method = make_integrator("si", model, MethodTest::tight());
  const auto K = model.assembled_tangent(Definiteness::exact);
  K->update(now);
  EnergyLedger ledger(model, now);
  const double available = ledger.row().total();
  Vector product(model.dofs());
  double lost = 0;
  for (int i = 0; i < 20; ++i) {
    const StepReport report = method->step(now, 0.005, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    ASSERT_NE(report.damping[0].at, nullptr);
    ledger.advance(model, now, next, report);
    const Vector dv = next.v - now.v, dq = next.q - now.q;
    K->apply_K(dq, product);
    lost += 0.5 * model.mass().dot(dv, dv) + 0.5 * dq.dot(product);
    std::swap(now, next);
  }
  EXPECT_GT(ledger.row().dissipated, 0.1 * available);
  EXPECT_GT(lost, 1e-3 * available);
  EXPECT_NEAR(ledger.row().numerical_loss, lost, 1e-9 * available);
}

TEST(LedgerOfDamping, LeavesMidpointNoLossOfADampedBar) {
  ModelDescription description = sample::describe({{.damping = {0, 0.005, DampedStiffness::current}}});
  sample::hold(description, left_end);
  const DeformableModel model(std::move(description));
  State now = sample::lively_state(model, 0, 0.5), next;
  const auto midpoint = make_integrator("midpoint", model, MethodTest::tight());
  EnergyLedger known(model, now), average(model, now);
  const double available = known.row().total();
  for (int i = 0; i < 50; ++i) {
    const StepReport report = midpoint->step(now, 0.005, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    known.advance(model, now, next, report);
    average.advance(model, now, next);
    std::swap(now, next);
  }
  const double exchanged = available + known.row().dissipated;
  EXPECT_GT(known.row().dissipated, 0.1 * available);
  EXPECT_LT(std::abs(known.row().numerical_loss), 1e-4 * exchanged);
  EXPECT_GT(std::abs(average.row().numerical_loss), 2 * std::abs(known.row().numerical_loss));
}

TEST(EnergyMomentumOnFiniteElements, TheLedgerIsExactWhateverActs) {
  // A moved handle, gravity, loads, mass and stiffness damping.
  ModelDescription description = sample::describe({{.damping = {0.5, 0.002, DampedStiffness::rest}}});
  sample::hold(description, left_end, sample::winding_path());
  sample::add_gravity(description, {0, -9.81, 0});
  sample::add_uniform_acceleration(description, {1, 2, 3}, {0, 0.2});
  const DeformableModel model(std::move(description));
  State now = sample::lively_state(model, 0), next;
  const auto em = make_integrator("em", model, MethodTest::tight());
  EnergyLedger exact(model, now), quadrature(model, now);
  for (int i = 0; i < 50; ++i) {
    const StepReport report = em->step(now, 0.01, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    ASSERT_TRUE(report.step_work.has_value());
    exact.advance(model, now, next, report);
    quadrature.advance(model, now, next);
    std::swap(now, next);
  }
  const double exchanged = std::abs(exact.row().external_work) + exact.row().energies.kinetic;
  EXPECT_LT(std::abs(exact.row().numerical_loss), 1e-9 * exchanged);
  EXPECT_GT(std::abs(quadrature.row().numerical_loss), 1e-6 * exchanged);
  EXPECT_GT(exact.row().dissipated, 0);
}

TEST(EnergyMomentumOnFiniteElements, TheDialsEnergyNeverRisesAndMomentaStay) {
  const DeformableModel model(sample::describe({{.law = "stable-neo-hookean"}}));
  IntegratorOptions options;
  options.set("dissipation", 0.8);
  options.set("energy_tolerance", 1e-8);
  const auto em = make_integrator("em", model, options);
  State now = spinning_state(model, 12), next;
  const Momenta before = model.momenta(now);
  double modified = energy(model, now);
  const double first = modified;
  for (int i = 0; i < 200; ++i) {
    const StepReport report = em->step(now, 0.01, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    const double after = energy(model, next) + report.modified_energy.value();
    EXPECT_LE(after, modified * (1 + 1e-6)) << "step " << i;
    modified = after;
    std::swap(now, next);
  }
  EXPECT_LT(modified, 0.99 * first);
  EXPECT_LT((model.momenta(now).angular - before.angular).norm(), 1e-7 * before.angular.norm());
}

TEST(EnergyMomentumOnFiniteElements, EmxFollowsASwingThatEmIsLateFor) {
  ModelDescription description = sample::describe({{.young = 1e6}});
  sample::hold(description, left_end);
  sample::add_gravity(description, {0, -9.81, 0});
  const DeformableModel model(std::move(description));
  State start;
  start.q = start.v = Vector::Zero(model.dofs());
  const double h = 0.01;
  const int n = 100;
  const State reference = run(*make_integrator("verlet", model, {}), start, h / 8, 8 * n);
  IntegratorOptions options;
  options.set("modes", 5);
  const State emx = run(*make_integrator("emx", model, options), start, h, n);
  const State em = run(*make_integrator("em", model, options), start, h, n);
  const auto error = [&](const State& s) { return (s.q - reference.q).norm() / reference.q.norm(); };
  // What is left is of the modes that are not fitted, and of the bar's own nonlinearity.
  EXPECT_LT(error(emx), 0.3 * error(em));
  EXPECT_LT(error(emx), 0.1);
}

TEST(EnergyMomentumOnFiniteElements, EmxRefusesABodyThatMayTurnAndSaysWhy) {
  const auto refusal = [](ModelDescription description) -> std::string {
    const DeformableModel model(std::move(description));
    try {
      make_integrator("emx", model, {});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  ModelDescription pendulum = sample::describe({sample::Box{}}), held = sample::describe({sample::Box{}});
  sample::hold(pendulum, [](const Eigen::Vector3d& p) { return p.norm() < 1e-6; });  // by one vertex
  sample::hold(held, left_end);
  EXPECT_NE(refusal(sample::describe({sample::Box{}})).find("turn freely"), std::string::npos);
  EXPECT_NE(refusal(std::move(pendulum)).find("turn freely"), std::string::npos);
  EXPECT_EQ(refusal(std::move(held)), "");
}

TEST(EnergyMomentumOnFiniteElements, ARestartWithTheDialContinuesBitForBit) {
  const DeformableModel model(sample::describe({{.cells = {4, 2, 2}, .law = "stable-neo-hookean"}}));
  IntegratorOptions options;
  options.set("dissipation", 0.9);
  const State start = spinning_state(model, 30);
  const auto whole = make_integrator("em", model, options);
  const State end = run(*whole, start, 0.02, 30);
  for (const int stop : {1, 5, 17}) {
    const auto before = make_integrator("em", model, options), after = make_integrator("em", model, options);
    const State middle = run(*before, start, 0.02, stop);
    ArchiveWriter out;
    before->save(out);
    ArchiveReader in(out.bytes());
    after->load(in);
    EXPECT_TRUE(in.at_end());
    const State resumed = run(*after, middle, 0.02, 30 - stop);
    EXPECT_EQ(resumed.q, end.q) << "stopped after " << stop;
    EXPECT_EQ(resumed.v, end.v) << "stopped after " << stop;
  }
}

TEST(EnergyMomentumOnFiniteElements, TheNumberOfThreadsDoesNotChangeABit) {
  set_blas_threads(1);
  const auto end = [](int threads) {
    set_thread_count(threads);
    const DeformableModel model(sample::describe({{.cells = {8, 3, 3}}}));
    const State state = run(*make_integrator("em", model, {}), spinning_state(model, 20), 0.01, 10);
    set_thread_count(1);
    return state;
  };
  const State one = end(1), three = end(3);
  EXPECT_EQ(one.q, three.q);
  EXPECT_EQ(one.v, three.v);
}

}  // namespace
}  // namespace phiflex::testing

// What the ledger books for damping with the current stiffness, by the points where a method took its damping force,
// (6) of model/energy_ledger.h, and by the average over the ends of the step, (2).
#include <algorithm>
#include <cmath>

#include "phiflex/model/energy_ledger.h"
#include "tests/integrate/method_test.h"
#include "tests/model/sample_models.h"

namespace phiflex::testing {
namespace {

// Over the largest kinetic energy.
struct BookedLoss {
  double exact = 0, average = 0;  // the largest loss, by (6) and by (2)
};

ModelDescription bar(BodyDamping damping) {
  ModelDescription description = sample::describe(
      {{.size = {0.4, 0.1, 0.1}, .cells = {8, 2, 2}, .young = 1e6, .poisson = 0.4, .damping = damping}});
  sample::hold(description, sample::left_end);
  sample::add_gravity(description, {0, -9.81, 0});
  return description;
}

// A damped bar that falls from its rest shape, clamped at one end: it bends to and fro for 0.4 s.
BookedLoss loss_of(const std::string& method) {
  const DeformableModel model(bar({0, 0.01, DampedStiffness::current}));
  const Vector& X = model.description().rest;
  State now = model.state(0, X, Vector::Zero(X.size())), next;
  const auto integrator = make_integrator(method, model, MethodTest::tight());
  EnergyLedger exact(model, now), average(model, now);
  BookedLoss loss;
  double kinetic = 0;
  for (int step = 0; step < 160; ++step) {
    StepReport report = integrator->step(now, 0.0025, next);
    EXPECT_EQ(report.status, StepStatus::ok);
    EXPECT_NE(report.damping[0].at, nullptr);
    exact.advance(model, now, next, report);
    report.damping = {};
    average.advance(model, now, next, report);
    std::swap(now, next);
    loss.exact = std::max(loss.exact, std::fabs(exact.row().numerical_loss));
    loss.average = std::max(loss.average, std::fabs(average.row().numerical_loss));
    kinetic = std::max(kinetic, exact.row().energies.kinetic);
  }
  return {loss.exact / kinetic, loss.average / kinetic};
}

// Both methods keep the energy of a quadratic potential exactly: what is left by (6) is that of the potential's third
// and higher derivatives, 4e-6 and 7e-6 here; by (2) it is 1.1e-3 and 7e-4.
TEST(DampingWork, OfMidpointAndTrapezoidalStepsIsThatOfTheirOwnForce) {
  for (const char* method : {"midpoint", "newmark"}) {
    const BookedLoss loss = loss_of(method);
    EXPECT_LT(loss.exact, 1e-4) << method;
    EXPECT_GT(loss.average, 5e-4) << method << ": the average would do";
  }
}

// M (v+ - v) = h (F - R) with the mean R of the damping force by which the method moved and that of all other forces,
// F, here from the states alone: what the ledger books must be (q+ - q)'R.
class OtherForces {
 public:
  OtherForces(std::string method, const DeformableModel& undamped)
      : method_(std::move(method)), model_(undamped) {}
  Vector mean(const State& now, const State& next, double h) {
    if (method_ == "tr-bdf2") {
      const double b = std::sqrt(2.) / 4, d = 1 - std::sqrt(0.5);
      State middle;
      middle.t = now.t + 2 * d * h;
      middle.v = ((next.q - now.q) / h - b * now.v - d * next.v) / b;
      middle.q = now.q + d * h * (now.v + middle.v);
      return b * (at(now) + at(middle)) + d * at(next);
    }
    if (method_ == "bdf2") {
      carried_ = first_ ? at(next) : Vector(carried_ / 3 + 2 * at(next) / 3);
      first_ = false;
      return carried_;
    }
    const double r = 0.9, am = (2 * r - 1) / (1 + r), af = r / (1 + r), gamma = 0.5 - am + af;
    if (first_) carried_ = at(now);
    first_ = false;
    const State inside{now.t + (1 - af) * h, (1 - af) * next.q + af * now.q, (1 - af) * next.v + af * now.v};
    const Vector before = carried_;
    carried_ = (at(inside) - am * before) / (1 - am);
    return (1 - gamma) * before + gamma * carried_;
  }

 private:
  Vector at(const State& state) const {
    Vector f(model_.dofs());
    model_.force(state, f);
    return f;
  }
  std::string method_;
  const DeformableModel& model_;
  bool first_ = true;
  Vector carried_;
};

// The largest difference between the dissipation of the ledger and what the equation of the method says, of the
// dissipation; resumed: the ledger is saved and loaded halfway.
double difference_of_balances(const std::string& name, bool resumed) {
  const DeformableModel model(bar({0.5, 0.01, DampedStiffness::current})), plain(bar({}));
  State now = sample::lively_state(model, 0, 0.2), next;
  const auto method = make_integrator(name, model, MethodTest::tight());
  EnergyLedger ledger(model, now);
  OtherForces others(name, plain);
  Vector momentum(model.dofs());
  double taken = 0, difference = 0;
  for (int i = 0; i < 20; ++i) {
    if (resumed && i == 10) {
      ArchiveWriter archive;
      ledger.save(archive);
      ledger = EnergyLedger(model, now);
      ArchiveReader reader(archive.bytes());
      ledger.load(reader, model, now);
    }
    const double h = 0.005;
    const StepReport report = method->step(now, h, next);
    EXPECT_EQ(report.status, StepStatus::ok) << name;
    EXPECT_NE(report.damping[0].at, nullptr) << name;
    ledger.advance(model, now, next, report);
    const Vector dq = next.q - now.q, dv = next.v - now.v;
    model.mass().apply(dv, momentum);
    taken += dq.dot(others.mean(now, next, h)) - dq.dot(momentum) / h;
    difference = std::max(difference, std::fabs(ledger.row().dissipated - taken));
    std::swap(now, next);
  }
  EXPECT_GT(ledger.row().dissipated, 0.1 * ledger.row().energies.kinetic) << name;
  return difference / ledger.row().dissipated;
}

TEST(DampingWork, IsThatOfTheMeanForceOfTheDiscreteEquation) {
  for (const char* name : {"bdf2", "tr-bdf2", "generalized-alpha"}) {
    EXPECT_LT(difference_of_balances(name, false), 1e-10) << name;
    EXPECT_LT(difference_of_balances(name, true), 1e-10) << name << ", resumed";
  }
}

TEST(DampingWork, OfSiereIsThatOfTheMeanVelocityInTheDampingItBeganWith) {
  const DeformableModel model(bar({0.5, 0.01, DampedStiffness::current})), plain(bar({}));
  State now = sample::lively_state(model, 0, 0.2), next;
  const auto siere = make_integrator("siere", model, MethodTest::tight());
  EnergyLedger ledger(model, now);
  Vector with(model.dofs()), without(model.dofs());
  double taken = 0;
  for (int i = 0; i < 20; ++i) {
    const StepReport report = siere->step(now, 0.005, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    ledger.advance(model, now, next, report);
    const State mean{now.t, now.q, (next.q - now.q) / 0.005};
    model.force(mean, with);
    plain.force(mean, without);
    taken += (next.q - now.q).dot(without - with);
    std::swap(now, next);
  }
  EXPECT_GT(taken, 0);
  EXPECT_NEAR(ledger.row().dissipated, taken, 1e-10 * taken);
}

}  // namespace
}  // namespace phiflex::testing

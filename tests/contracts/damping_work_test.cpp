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

// A damped bar that falls from its rest shape, clamped at one end: it bends to and fro for 0.4 s.
BookedLoss loss_of(const std::string& method) {
  ModelDescription description = sample::describe({{.size = {0.4, 0.1, 0.1},
                                                    .cells = {8, 2, 2},
                                                    .young = 1e6,
                                                    .poisson = 0.4,
                                                    .damping = {0, 0.01, DampedStiffness::current}}});
  sample::hold(description, sample::left_end);
  sample::add_gravity(description, {0, -9.81, 0});
  const DeformableModel model(std::move(description));
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

}  // namespace
}  // namespace phiflex::testing

// The ledger's books balance: with an accurate trajectory the numerical loss goes to zero with the square of
// the step, whatever acts.
#include "phiflex/model/energy_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

using sample::Box;
using sample::describe;
using sample::hold;

struct Account {
  double largest_loss = 0, largest_kinetic = 0;
  LedgerRow last;
};

Account run(const DeformableModel& model, State now, double h, int steps) {
  EnergyLedger ledger(model, now);
  sample::Verlet verlet(model);
  Account account;
  State next;
  for (int step = 0; step < steps; ++step) {
    verlet.step(now, h, next);
    ledger.advance(model, now, next);
    account.largest_loss = std::max(account.largest_loss, std::fabs(ledger.row().numerical_loss));
    account.largest_kinetic = std::max(account.largest_kinetic, ledger.row().energies.kinetic);
    std::swap(now, next);
  }
  account.last = ledger.row();
  return account;
}

// The accounts of 400 and of 800 steps.
struct Refinement {
  Account coarse, fine;
  double order() const { return std::log2(coarse.largest_loss / fine.largest_loss); }
};

// From rest, but for a velocity in y that grows along x.
Refinement refine(const ModelDescription& description, double speed = 0, double end = 0.4) {
  const DeformableModel model(description);
  Vector v = Vector::Zero(description.rest.size());
  for (Index i = 0; i < v.size(); i += 3) v[i + 1] = speed * description.rest[i];
  const State start = model.state(0, description.rest, v);
  const int steps = 400;
  return {run(model, start, end / steps, steps), run(model, start, end / (2 * steps), 2 * steps)};
}

// Verlet and the ledger's quadratures both have order two: halving the step divides the loss by four.
// Returns the account of the smaller step.
Account expect_second_order(const ModelDescription& description, double speed = 0) {
  const Refinement refinement = refine(description, speed);
  EXPECT_NEAR(refinement.order(), 2, 0.15);
  EXPECT_LT(refinement.fine.largest_loss, 2e-3 * refinement.fine.largest_kinetic);
  return refinement.fine;
}

TEST(EnergyLedger, BalancesASwingUnderGravity) {
  ModelDescription description = describe({Box{}});
  hold(description, sample::left_end);
  sample::add_gravity(description, {0, -9.81, 0});
  const Account account = expect_second_order(description);
  EXPECT_EQ(account.last.external_work, 0);
  EXPECT_EQ(account.last.dissipated, 0);
  EXPECT_LT(account.last.energies.gravity, 0);
}

TEST(EnergyLedger, AStepThatIsTakenBackLeavesNoTrace) {
  ModelDescription description = describe({Box{}});
  hold(description, sample::left_end, Path({{0, {0, 0, 0}}, {0.1, {0, 0.03, 0}}}));
  const DeformableModel model(std::move(description));
  State now = sample::lively_state(model, 0), next, wrong;
  EnergyLedger ledger(model, now), other(model, now);
  sample::Verlet verlet(model);
  for (int step = 0; step < 3; ++step) {
    verlet.step(now, 1e-3, next);
    wrong = next;
    wrong.q *= 2;
    ledger.advance(model, now, wrong);
    wrong.v *= 3;
    ledger.filter(model, wrong, {.external = 1, .friction = 2});
    const double before = other.row().numerical_loss;
    ledger.undo();
    EXPECT_EQ(ledger.row().numerical_loss, before);
    for (EnergyLedger* each : {&ledger, &other}) each->advance(model, now, next);
    EXPECT_EQ(ledger.row().external_work, other.row().external_work);
    EXPECT_EQ(ledger.row().numerical_loss, other.row().numerical_loss);
    std::swap(now, next);
  }
}

TEST(EnergyLedger, BalancesABounceOnTheFloor) {
  ModelDescription description = describe({Box{}});
  sample::add_gravity(description, {0, -9.81, 0});
  sample::add_floor(description, -0.02, 1000);
  // The stiffness jumps at every touch, somewhere inside a step: the order is that of the worst touch.
  const Refinement refinement = refine(description);
  EXPECT_GT(refinement.order(), 1);
  EXPECT_LT(refinement.fine.largest_loss, 2e-3 * refinement.fine.largest_kinetic);
  EXPECT_EQ(refinement.fine.last.external_work, 0);
}

TEST(EnergyLedger, BooksTheWorkOfAMovedConstraint) {
  ModelDescription description = describe({Box{}});
  // Knots at steps of both runs.
  hold(description, sample::left_end, Path({{0, {0, 0, 0}}, {0.1, {0, 0.03, 0}}, {0.3, {0, 0.01, 0.02}}}));
  sample::add_gravity(description, {0, -9.81, 0});
  const Account account = expect_second_order(description);
  EXPECT_GT(std::fabs(account.last.external_work), 0.01 * account.largest_kinetic);
}

TEST(EnergyLedger, BooksTheWorkOfAForceThatIsSwitchedOff) {
  ModelDescription description = describe({Box{}});
  hold(description, sample::left_end);
  sample::add_uniform_acceleration(description, {0, 8, 3}, {0.1, 0.2});
  const Account account = expect_second_order(description);
  EXPECT_GT(account.last.external_work, 0.1 * account.largest_kinetic);
}

TEST(EnergyLedger, BooksTheWorkOfTheWind) {
  const std::vector<Box> boxes = {Box{}};
  ModelDescription description = describe(boxes);
  hold(description, sample::left_end);
  sample::add_wind(description, boxes, {}, {{0, 8, 5}, 0.5, 3, 1.225, 1});
  const Account account = expect_second_order(description);
  EXPECT_GT(account.last.external_work, 0.1 * account.largest_kinetic);
  EXPECT_EQ(account.last.dissipated, 0);
}

TEST(EnergyLedger, BooksTheWorkOfAMuscleAndOfAChamber) {
  ModelBuilder builder;
  const int cube = builder.add_solid(
      {.name = "cube", .mesh = sample::hollow_cube(0.3), .material = sample::material_of({})});
  std::vector<int> all(std::size_t(builder.body(cube).element_count()));
  std::iota(all.begin(), all.end(), 0);
  const Modulation rising{0, 0, {{0, 0}, {0.2, 1}, {0.4, 0}}};  // points at steps of both runs
  builder.add_muscle(cube, all, {{0, 1, 0}}, 2e3, {}, rising);
  const Account muscle = expect_second_order(builder.build().description(0));
  EXPECT_GT(muscle.last.external_work, 0.1 * muscle.largest_kinetic);
  EXPECT_EQ(muscle.last.dissipated, 0);
  builder.add_chamber(cube, {}, 2e3, {}, rising);
  const Account both = expect_second_order(builder.build().description(0));
  EXPECT_NE(both.last.external_work, muscle.last.external_work);
}

TEST(EnergyLedger, BooksWhatRayleighDampingTakesAtRestAndCurrentStiffness) {
  for (DampedStiffness stiffness : {DampedStiffness::rest, DampedStiffness::current})
    for (sample::Mass mass : {sample::Mass::lumped, sample::Mass::consistent}) {
      ModelDescription description = describe({{.mass = mass, .damping = {0.5, 2e-3, stiffness}}});
      hold(description, sample::left_end);
      const Account account = expect_second_order(description, 3);
      EXPECT_GT(account.last.dissipated, 0.1 * account.largest_kinetic);
      EXPECT_EQ(account.last.external_work, 0);
    }
}

TEST(EnergyLedger, BooksWhatAMoverSpendsAgainstDamping) {
  for (DampedStiffness stiffness : {DampedStiffness::rest, DampedStiffness::current}) {
    ModelDescription description = describe({{.damping = {0.5, 5e-3, stiffness}}});
    hold(description, sample::left_end, Path({{0, {0, 0, 0}}, {1, {0.02, 0.3, 0}}}));
    const Account account = expect_second_order(description);
    EXPECT_GT(account.last.external_work, 0);
    EXPECT_GT(account.last.dissipated, 0);
  }
}

TEST(EnergyLedger, BooksWhatAReleasedVertexCarriesAsWorkOfItsMover) {
  ModelDescription description = describe({Box{}});
  hold(description, sample::left_end, Path({{0, {0, 0, 0}}, {1, {0, 0.5, 0}}}));
  const DeformableModel held(description);
  description.constraints.clear();
  const DeformableModel released(description);

  const auto loss = [&](int steps) {
    const double h = 0.2 / steps;
    State now = held.state(0, description.rest, Vector::Zero(description.rest.size())), next;
    EnergyLedger ledger(held, now);
    sample::Verlet before(held), after(released);
    for (int step = 0; step < steps; ++step) {
      before.step(now, h, next);
      ledger.advance(held, now, next);
      std::swap(now, next);
    }
    const double loss_before = ledger.row().numerical_loss, kinetic = ledger.row().energies.kinetic;
    now = hand_over(held, now, released);
    ledger.change_model(released, now);
    EXPECT_NEAR(ledger.row().numerical_loss, loss_before, 1e-13);
    EXPECT_GT(ledger.row().energies.kinetic, kinetic);
    for (int step = 0; step < steps; ++step) {
      after.step(now, h, next);
      ledger.advance(released, now, next);
      std::swap(now, next);
    }
    return std::fabs(ledger.row().numerical_loss) / ledger.row().energies.kinetic;
  };
  EXPECT_LT(loss(400), 2e-3);
}

TEST(EnergyLedger, ShowsWhatAWrongStepSteals) {
  // Half of the velocity is lost in one step: three quarters of the kinetic energy.
  const DeformableModel model(describe({Box{}}));
  State now = model.state(0, model.description().rest, Vector::Constant(3 * model.vertices(), 1.0)),
        next = now;
  next.t = 1e-3;
  next.v *= 0.5;
  EnergyLedger ledger(model, now);
  const double kinetic = ledger.row().energies.kinetic;
  ledger.advance(model, now, next);
  EXPECT_NEAR(ledger.row().numerical_loss, 0.75 * kinetic, 1e-14 * kinetic);
}

TEST(EnergyLedger, ContinuesFromAnArchiveBitForBit) {
  ModelDescription description = describe({{.damping = {0.5, 2e-3, DampedStiffness::current}}});
  hold(description, sample::left_end, sample::winding_path());
  const DeformableModel model(description);
  State now = model.state(0, description.rest, Vector::Zero(description.rest.size())), next;
  EnergyLedger ledger(model, now);
  sample::Verlet verlet(model);
  for (int step = 0; step < 20; ++step) {
    verlet.step(now, 1e-3, next);
    ledger.advance(model, now, next);
    std::swap(now, next);
  }
  ArchiveWriter archive;
  ledger.save(archive);
  EnergyLedger resumed(model, now);
  ArchiveReader reader(archive.bytes());
  resumed.load(reader, model, now);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(resumed.row().numerical_loss, ledger.row().numerical_loss);
  verlet.step(now, 1e-3, next);
  ledger.advance(model, now, next);
  resumed.advance(model, now, next);
  EXPECT_EQ(resumed.row().external_work, ledger.row().external_work);
  EXPECT_EQ(resumed.row().dissipated, ledger.row().dissipated);
  EXPECT_EQ(resumed.row().numerical_loss, ledger.row().numerical_loss);
}

}  // namespace
}  // namespace phiflex

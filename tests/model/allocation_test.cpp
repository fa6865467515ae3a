// Nothing is allocated in a steady time loop.
#include <gtest/gtest.h>

#include "phiflex/model/deformable_tangent.h"
#include "phiflex/model/energy_ledger.h"
#include "tests/allocation_counter.h"
#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

TEST(Allocation, ForceTangentEnergiesAndLedgerAllocateNothingAfterTheFirstStep) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  const std::vector<sample::Box> boxes = {
      {.damping = {0.5, 0.01, DampedStiffness::rest}},
      {.origin = {0, 0.2, 0}, .damping = {0, 0.01, DampedStiffness::current}}};
  ModelDescription description = sample::describe(boxes, {{.height = 0.5}});
  sample::hold(
      description, [](const Eigen::Vector3d& p) { return p[0] < 1e-6; }, sample::winding_path());
  sample::add_gravity(description, {0, -9.81, 0});
  sample::add_floor(description, 0, 1e3);
  sample::add_wind(description, boxes, {{.height = 0.5}}, {{3, 1, 2}, 0.5, 1, 1.2, 1});
  const DeformableModel model(description);

  const State now = sample::lively_state(model, 0.1), next = sample::lively_state(model, 0.11, 0.9);
  EnergyLedger ledger(model, now);
  DeformableTangent exact(model, Definiteness::exact), projected(model, Definiteness::projected);
  Vector f, g;
  const auto step = [&] {
    model.force(now, f);
    exact.update(now);
    projected.update(now);
    exact.load_rate(g);
    ledger.advance(model, now, next);
    model.potential_energy(now);
  };
  step();
  step();  // the ledger's two sets of buffers have both been used
  EXPECT_EQ(testing::allocations_of([&] {
              for (int repeat = 0; repeat < 10; ++repeat) step();
            }),
            0);
  EXPECT_GT(testing::allocations, 0) << "the counter counts";
}

}  // namespace
}  // namespace phiflex

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
  const DeformableModel model(sample::everything());

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

TEST(Allocation, TwoStateForcesAllocateNothingAfterTheFirstStep) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  const DeformableModel model(sample::everything());
  const auto force = model.two_state_force();
  const State now = sample::lively_state(model, 0.1, 0.5);
  Vector f, w = now.v, memory = Vector::Zero(force->memory_size()), next_memory;
  const auto step = [&] {
    force->begin(now, 0.01, {0.1, 1, &memory});
    force->force(w, f);
    force->linearize(w, Definiteness::exact);
    force->linearize(w, Definiteness::projected);
    force->work(w);
    force->strain_change(w, next_memory);
    force->dial_energy(0.1, next_memory);
    force->correct_momenta(w);
    force->rates(now);
  };
  step();
  EXPECT_EQ(testing::allocations_of([&] {
              for (int repeat = 0; repeat < 10; ++repeat) step();
            }),
            0);
}

}  // namespace
}  // namespace phiflex

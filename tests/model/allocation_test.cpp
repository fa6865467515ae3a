// Nothing is allocated in a steady time loop. Every allocation of the process goes through malloc, which is
// counted here; sanitizers bring their own malloc, and the test steps aside for them.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "phiflex/model/deformable_tangent.h"
#include "phiflex/model/energy_ledger.h"
#include "tests/model/sample_models.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define PHIFLEX_COUNTS_ALLOCATIONS 0
#else
#define PHIFLEX_COUNTS_ALLOCATIONS 1
#endif

namespace {
std::atomic<long> allocations{0};
}

#if PHIFLEX_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier): glibc's own
void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
}
#endif

namespace phiflex {
namespace {

TEST(Allocation, ForceTangentEnergiesAndLedgerAllocateNothingAfterTheFirstStep) {
  if (!PHIFLEX_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer owns malloc";
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
  const long before = allocations.load();
  for (int repeat = 0; repeat < 10; ++repeat) step();
  EXPECT_EQ(allocations.load() - before, 0);
  EXPECT_GT(before, 0);
}

}  // namespace
}  // namespace phiflex

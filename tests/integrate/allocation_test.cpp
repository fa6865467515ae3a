// A steady time loop does not touch the heap. Not counted: memalign, by which the OpenMP runtime makes a
// team of threads each time CHOLMOD asks for one.
#include "tests/allocation_counter.h"
#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

class Allocation : public MethodTest {
 protected:
  void expect_no_allocation(const SpringNetwork& system) {
    const auto integrator = make(system, IntegratorOptions{});
    State now = lively_state(60), next;
    for (int i = 0; i < 4; ++i) {  // two-step methods need two, and both states take their size
      ASSERT_EQ(integrator->step(now, 0.02, next).status, StepStatus::ok);
      std::swap(now, next);
    }
    const long before = allocations;
    StepStatus status = StepStatus::ok;
    Work work;
    for (int i = 0; i < 20; ++i) {
      const StepReport report = integrator->step(now, 0.02, next);
      if (report.status != StepStatus::ok) status = report.status;
      work += report.work;
      std::swap(now, next);
    }
    const long after = allocations;
    EXPECT_EQ(status, StepStatus::ok);
    EXPECT_EQ(after - before, 0) << work.factorizations << " factorizations, " << work.solves << " solves";
  }
};

TEST_P(Allocation, StopsAfterTheFirstSteps) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  expect_no_allocation(chain(60, End::fixed, cubic_law(100, 50), 0.2));
}

TEST_P(Allocation, StopsWithoutDampingToo) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  expect_no_allocation(chain(60, End::fixed, cubic_law(100, 50)));
}

INSTANTIATE_TEST_SUITE_P(Integrate, Allocation, every_method(), method_name);

TEST(Integrate, ARationalBasisThatOutlivesTheStepDoesNotTouchTheHeap) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  const SpringNetwork system = chain(300, End::fixed, cubic_law(1e6, 50));
  IntegratorOptions options;
  options.set("evaluator", "rational");
  options.set("tolerance", 1e-2);
  options.set("motion_tolerance", 0.0);
  const auto ere = make_integrator("ere", system, options);
  State now, next;  // a smooth motion, of which a basis holds all that counts
  now.q = Vector::Zero(300);
  now.v = Vector::NullaryExpr(300, [](Index i) { return std::sin(0.005 * double(i)); });
  long before = 0;
  for (int i = 0; i < 24; ++i) {
    if (i == 4) before = allocations;
    ASSERT_EQ(ere->step(now, 0.02, next).status, StepStatus::ok);
    std::swap(now, next);
  }
  EXPECT_EQ(allocations - before, 0);
}

TEST(Integrate, EnergyMomentumStepsWithTheDialAndSubstepsDoNotTouchTheHeapEither) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  const SpringNetwork system = chain(60, End::fixed, cubic_law(100, 50), 0.2);
  IntegratorOptions options;
  options.set("dissipation", 0.8);
  options.set("substeps", 2);
  for (const char* method : {"em", "emx"}) {
    const auto integrator = make_integrator(method, system, options);
    State now = lively_state(60), next;
    long before = 0;
    for (int i = 0; i < 24; ++i) {
      if (i == 4) before = allocations;
      ASSERT_EQ(integrator->step(now, 0.02, next).status, StepStatus::ok);
      std::swap(now, next);
    }
    EXPECT_EQ(allocations - before, 0) << method;
  }
}

TEST(Integrate, TheHeapCounterCounts) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  const long before = allocations;
  const Vector some = Vector::Ones(10);
  EXPECT_GT(allocations, before) << some.size();
}

}  // namespace
}  // namespace phiflex::testing

// A steady time loop does not touch the heap: the C library's functions are replaced by counting ones. Not
// counted: memalign, by which the OpenMP runtime makes a team of threads each time CHOLMOD asks for one.
#include <atomic>
#include <cstddef>

#include "tests/integrate/method_test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PHIFLEX_OWN_MALLOC 0  // sanitizers replace malloc themselves
#else
#define PHIFLEX_OWN_MALLOC 1
#endif

namespace {
std::atomic<long> allocations{0};
}

#if PHIFLEX_OWN_MALLOC
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  ++allocations;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;  // ENOMEM
}
}
#endif

namespace phiflex::testing {
namespace {

class Allocation : public MethodTest {};

TEST_P(Allocation, StopsAfterTheFirstSteps) {
  if (!PHIFLEX_OWN_MALLOC) GTEST_SKIP() << "sanitizers own the heap";
  const SpringNetwork system = chain(60, End::fixed, cubic_law(100, 50), 0.2);
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

INSTANTIATE_TEST_SUITE_P(Integrate, Allocation, every_method(), method_name);

TEST(Integrate, TheHeapCounterCounts) {
  if (!PHIFLEX_OWN_MALLOC) GTEST_SKIP() << "sanitizers own the heap";
  const long before = allocations;
  const Vector some = Vector::Ones(10);
  EXPECT_GT(allocations, before) << some.size();
}

}  // namespace
}  // namespace phiflex::testing

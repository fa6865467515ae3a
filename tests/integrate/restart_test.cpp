// A run that is saved and loaded goes on bit for bit.
#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

class Restart : public MethodTest {};
class RestartOfImplicitMethods : public MethodTest {};  // of the explicit ones most remember nothing

SpringNetwork loaded_chain() {
  SpringNetwork system = chain(40, End::fixed, cubic_law(200, 300), 0.2);
  system.set_load(Vector::Constant(40, 3), 7);
  return system;
}

TEST_P(Restart, ContinuesBitForBitFromAnyStep) {
  const SpringNetwork system = loaded_chain();
  expect_bitwise_restart([&] { return make(system, IntegratorOptions{}); }, lively_state(40), 0.02, 24,
                         {0, 1, 2, 7, 13, 23});
}

TEST_P(RestartOfImplicitMethods, RefusesAnArchiveOfAnotherSystem) {
  const SpringNetwork small = chain(5, End::fixed, cubic_law(200, 300));
  const auto other = make(small);
  run(*other, lively_state(5), 0.01, 3);
  ArchiveWriter out;
  other->save(out);
  const SpringNetwork system = loaded_chain();
  const auto integrator = make(system);
  ArchiveReader in(out.bytes());
  EXPECT_THROW(integrator->load(in), ArchiveError);
}

INSTANTIATE_TEST_SUITE_P(Integrate, Restart, every_method(), method_name);
INSTANTIATE_TEST_SUITE_P(Integrate, RestartOfImplicitMethods, every_method_that([](const MethodInfo& method) {
                           return !method.conditionally_stable;
                         }),
                         method_name);

class MethodWithAHistory : public MethodTest {};

TEST_P(MethodWithAHistory, StartsAgainFromAStateThatWasChanged) {
  const SpringNetwork system = loaded_chain();
  const auto used = make(system), fresh = make(system);
  State now = run(*used, lively_state(40), 0.02, 5);
  now.v[3] += 0.1;
  const State by_used = run(*used, now, 0.02, 1), by_fresh = run(*fresh, now, 0.02, 1);
  // The same step: solvers stop at 1e-13. With the history of the state before the change, v[3] is off by some 0.05.
  EXPECT_LT((by_used.q - by_fresh.q).norm(), 1e-11);
  EXPECT_LT((by_used.v - by_fresh.v).norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Integrate, MethodWithAHistory,
                         every_method_that([](const MethodInfo& method) { return method.history > 1; }),
                         method_name);

TEST(Integrate, SiKeepsAFactorizationOverSteps) {
  const SpringNetwork system = loaded_chain();
  const auto si = make_integrator("si", system, {});
  State now = lively_state(40), next;
  Work work;
  for (int i = 0; i < 24; ++i) {
    work += si->step(now, 0.002, next).work;
    std::swap(now, next);
  }
  EXPECT_LT(work.factorizations, 24);
  EXPECT_EQ(work.assemblies, 24);
  EXPECT_GT(work.cg_iterations, 0);
}

}  // namespace
}  // namespace phiflex::testing

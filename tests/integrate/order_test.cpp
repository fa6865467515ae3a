// The order a method declares is the order it has.
#include "phiflex/linalg/sparse_matrix.h"
#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

class DeclaredOrder : public MethodTest {
 protected:
  // log2 of the ratio of the errors after one second with n and with 2n steps. The reference is rk4 with 4096
  // steps: its error, below 1e-12, is far below those measured here (rk4 itself: about 1e-8 with 64 steps).
  void expect_declared_order(const SpringNetwork& system) {
    const State start = lively_state(system.dofs());
    const auto reference_method = make_integrator("rk4", system, {});
    const State reference = run(*reference_method, start, 1. / 4096, 4096);
    const int n = info().order == 1 ? 512 : info().order == 2 ? 128 : 64;
    const auto coarse = make(system), fine = make(system);
    const double error = distance(run(*coarse, start, 1. / n, n), reference);
    const double error_of_half = distance(run(*fine, start, 0.5 / n, 2 * n), reference);
    EXPECT_NEAR(std::log2(error / error_of_half), info().order, 0.1)
        << "errors " << error << " and " << error_of_half;
  }
};

TEST_P(DeclaredOrder, IsSeenOnANonlinearChain) {
  expect_declared_order(chain(4, End::fixed, cubic_law(3, 5)));
}

TEST_P(DeclaredOrder, IsSeenOnADampedNonlinearChain) {
  expect_declared_order(chain(4, End::fixed, cubic_law(3, 5), 0.7));
}

TEST_P(DeclaredOrder, IsSeenUnderALoadThatDependsOnTime) {
  SpringNetwork system = chain(4, End::fixed, cubic_law(3, 5), 0.3);
  system.set_load(Vector::LinSpaced(4, 1, 4), 5);
  expect_declared_order(system);
}

TEST_P(DeclaredOrder, IsSeenWithAConsistentMassMatrix) {
  const auto springs = row_of_springs(4, End::fixed, cubic_law(3, 5), 0.3);
  SparseMatrix mass(SpringNetwork::make_pattern(4, springs));
  for (int i = 0; i < 4; ++i) {
    *mass.block(mass.pattern().diagonal(i)) = 4. / 6;
    if (i == 0) continue;
    *mass.block(mass.pattern().find(i, i - 1)) = *mass.block(mass.pattern().find(i - 1, i)) = 1. / 6;
  }
  expect_declared_order(SpringNetwork(MassMatrix(std::move(mass)), springs));
}

INSTANTIATE_TEST_SUITE_P(Integrate, DeclaredOrder, every_method(), method_name);

TEST(Integrate, NewmarkDeclaresAndHasOrderOneWhenGammaIsNotOneHalf) {
  const SpringNetwork system = chain(4, End::fixed, cubic_law(3, 5));
  IntegratorOptions options = MethodTest::tight();
  options.set("gamma", 0.7);
  options.set("beta", 0.36);
  const State start = lively_state(4);
  const auto reference_method = make_integrator("rk4", system, {});
  const State reference = run(*reference_method, start, 1. / 4096, 4096);
  const auto newmark = make_integrator("newmark", system, options);
  EXPECT_EQ(newmark->info().order, 1);
  const double error = distance(run(*newmark, start, 1. / 512, 512), reference);
  const double error_of_half = distance(run(*newmark, start, 1. / 1024, 1024), reference);
  EXPECT_NEAR(std::log2(error / error_of_half), 1, 0.1);
}

}  // namespace
}  // namespace phiflex::testing

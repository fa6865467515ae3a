// The additive semi-implicit Euler method on a system that splits its stiffness.

#include "tests/integrate/method_test.h"

#include "phiflex/linalg/dense_solvers.h"

namespace phiflex::testing {
namespace {

// A chain of cubic springs that calls the linear part k of their stiffness stiff, and the rest not.
class SplitChain final : public MechanicalSystem {
 public:
  SplitChain(int n, double k, double c, double dashpot)
      : whole_(chain(n, End::fixed, cubic_law(k, c), dashpot)),
        stiff_(chain(n, End::fixed, linear_law(k), dashpot)) {}
  void set_load(Vector amplitude, double frequency) {
    whole_.set_load(amplitude, frequency);
    stiff_.set_load(std::move(amplitude), frequency);
  }
  Index dofs() const override { return whole_.dofs(); }
  const MassMatrix& mass() const override { return whole_.mass(); }
  double potential_energy(const State& at) const override { return whole_.potential_energy(at); }
  void force(const State& at, Vector& f) const override { whole_.force(at, f); }
  std::shared_ptr<const SparsityPattern> pattern() const override { return whole_.pattern(); }
  std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const override {
    return whole_.assembled_tangent(definiteness);
  }
  std::unique_ptr<AssembledTangent> stiff_tangent(Definiteness definiteness) const override {
    return stiff_.assembled_tangent(definiteness);
  }

 private:
  SpringNetwork whole_, stiff_;
};

TEST(Mssi, IsItsFormulaWithTheStiffPart) {
  const Index n = 5;
  SplitChain system(int(n), 30, 80, 0.6);
  system.set_load(Vector::LinSpaced(n, 1, 2), 3);
  State now = lively_state(n), next;
  now.t = 0.4;
  const double h = 0.1;
  ASSERT_EQ(make_integrator("mssi", system, MethodTest::tight())->step(now, h, next).status, StepStatus::ok);

  const auto tangent = system.stiff_tangent(Definiteness::exact);
  tangent->update(now);
  const Matrix K = tangent->K().to_eigen(), D = tangent->D()->to_eigen();
  const Matrix M = system.mass().diagonal().asDiagonal();
  Vector f, g;
  system.force(now, f);
  tangent->load_rate(g);
  const Vector dv = (M + h * D + h * h * K).partialPivLu().solve(h * (f + h * g - h * K * now.v));
  EXPECT_LT((next.v - now.v - dv).norm(), 1e-13);
  EXPECT_LT((next.q - now.q - h * next.v).norm(), 1e-15);
}

TEST(Mssi, IsOfOrderOneWithASplit) {
  const SplitChain system(4, 3, 5, 0.3);
  const State start = lively_state(4);
  const State reference = run(*make_integrator("rk4", system, {}), start, 1. / 4096, 4096);
  const auto error = [&](int steps) {
    return distance(run(*make_integrator("mssi", system, {}), start, 1. / steps, steps), reference);
  };
  EXPECT_NEAR(std::log2(error(512) / error(1024)), 1, 0.1);
}

TEST(Mssi, NeedsNoProjectionWhereOnlyTheSoftPartIsIndefinite) {
  // q'' = -(2 q - 20 q^3): at q = 0.5 the whole stiffness is 2 - 15 < 0, the stiff part 2.
  const SplitChain system(1, 2, -20, 0);
  State now, next;
  now.q = Vector::Constant(1, 0.5);
  now.v = Vector::Zero(1);
  const StepReport si = make_integrator("si", system, {})->step(now, 0.5, next);
  EXPECT_EQ(si.work.projected_hessians, 1);
  const StepReport mssi = make_integrator("mssi", system, {})->step(now, 0.5, next);
  EXPECT_EQ(mssi.status, StepStatus::ok);
  EXPECT_EQ(mssi.work.projected_hessians, 0);
}

TEST(Mssi, IsSiToTheLastBitWhereThereIsNoSplitAndSaysSo) {
  const SpringNetwork system = chain(6, End::fixed, cubic_law(30, 80), 0.6);
  const State si = run(*make_integrator("si", system, {}), lively_state(6), 0.05, 20);
  const State mssi = run(*make_integrator("mssi", system, {}), lively_state(6), 0.05, 20);
  EXPECT_EQ(si.q, mssi.q);
  EXPECT_EQ(si.v, mssi.v);
  const auto warnings = find_integrator("mssi")->warnings(system, {});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("the same as si"), std::string::npos);
  EXPECT_TRUE(find_integrator("mssi")->warnings(SplitChain(3, 1, 1, 0), {}).empty());
}

}  // namespace
}  // namespace phiflex::testing

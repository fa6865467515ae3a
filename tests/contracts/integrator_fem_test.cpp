// The contracts of integrators on finite elements (tests/integrate holds them to the rest on small systems).
#include <Eigen/Geometry>
#include <map>

#include "phiflex/base/errors.h"
#include "tests/integrate/method_test.h"
#include "tests/model/sample_models.h"

namespace phiflex::testing {
namespace {

using sample::left_end;

class OnFiniteElements : public MethodTest {
 protected:
  // Methods for held bodies refuse a free one, and are done with it.
  bool refuses(const DeformableModel& model) const {
    if (!info().held_bodies_only) return false;
    EXPECT_THROW(make(model), InputError);
    return true;
  }
  // By rk4 in 16384 steps: the same for all methods of a test, and computed for the first of them.
  static const State& reference_of_this_test(const DeformableModel& model, const State& start,
                                             double duration) {
    static std::map<std::string, State> references;  // by the test's name less the method's
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    const auto [found, missing] = references.try_emplace(name.substr(0, name.find('/')));
    if (missing) found->second = run(*make_integrator("rk4", model, {}), start, duration / 16384, 16384);
    return found->second;
  }
  // The largest frequency of these boxes is about 250 /s. Reference and steps as in tests/integrate: 0.1 s by
  // rk4 in 16384 steps, h w_max = 0.0015, error below 1e-12.
  void expect_declared_order(const DeformableModel& model) {
    const double duration = 0.1;
    const State start = sample::lively_state(model, 0.05, 0.5);
    const int n = info().order == 1 ? 512 : info().order == 2 ? 256 : 128;
    // A method whose damping is another model's than rk4's is its own reference: at 32 times the steps its
    // error, 1/1024 of the coarse one, does not show.
    const bool other_model = info().objective_damping && !model.damping().none();
    const State reference = other_model ? run(*make(model), start, duration / (32 * n), 32 * n)
                                        : reference_of_this_test(model, start, duration);
    const auto coarse = make(model), fine = make(model);
    const double error = distance(run(*coarse, start, duration / n, n), reference);
    const double error_of_half = distance(run(*fine, start, duration / (2 * n), 2 * n), reference);
    EXPECT_NEAR(std::log2(error / error_of_half), info().order, 0.1)
        << "errors " << error << " and " << error_of_half;
  }
};

TEST_P(OnFiniteElements, TheDeclaredOrderIsSeenOnAFreeBox) {
  const DeformableModel model(sample::describe({sample::Box{}}));
  if (!refuses(model)) expect_declared_order(model);
}

TEST_P(OnFiniteElements, TheDeclaredOrderIsSeenOnADampedBoxWithAMovedHandle) {
  ModelDescription description =
      sample::describe({{.law = "stable-neo-hookean", .damping = {0.3, 0.002, DampedStiffness::rest}}});
  sample::hold(description, left_end, sample::winding_path());
  sample::add_gravity(description, {0, -9.81, 0});
  expect_declared_order(DeformableModel(std::move(description)));
}

TEST_P(OnFiniteElements, ABoxAtRestStaysThereToRounding) {
  const DeformableModel model(sample::describe({sample::Box{}}));
  if (refuses(model)) return;
  State rest;
  rest.q = rest.v = Vector::Zero(model.dofs());
  const State end = run(*make(model, IntegratorOptions{}), rest, 0.004, 25);
  // Positions of 0.3 m are rounded to 5e-17 m; forces from that act for 25 steps. A method may
  // multiply their differences by its weights.
  const double amplified = info().largest_weight > 1 ? 100 : 1;
  EXPECT_LT(end.q.lpNorm<Eigen::Infinity>(), 1e-13 * amplified);
  EXPECT_LT(end.v.lpNorm<Eigen::Infinity>(), 1e-12 * amplified);
}

TEST_P(OnFiniteElements, AFreeBoxKeepsItsLinearMomentum) {
  const DeformableModel model(sample::describe({sample::Box{}}));
  if (refuses(model)) return;
  State start = sample::lively_state(model, 0);
  for (Index i = 0; i < start.v.size(); i += 3) start.v[i] += 2;
  const Eigen::Vector3d before = model.momenta(start).linear;
  const Eigen::Vector3d after = model.momenta(run(*make(model), start, 0.004, 25)).linear;
  // Inner forces cancel to rounding; Newton's tolerance is 1e-13 of the momentum, in each of 25 steps.
  EXPECT_LT((after - before).norm(), 1e-11 * before.norm());
}

// Lengths and times s times as large, velocities, density and moduli the same: the motion is the same in these units.
// For a power of two s every number is scaled exactly; what remains is an absolute constant in a method. With small
// tolerances, since an evaluator measures the error of displacements and velocities together, in a norm that knows no
// unit of time.
TEST_P(OnFiniteElements, AMotionScaledInLengthAndTimeIsTheSameMotion) {
  const auto model = [](double s) {
    ModelDescription description = sample::describe(
        {{.size = {0.3 * s, 0.1 * s, 0.1 * s}, .damping = {0.3 / s, 0.002 * s, DampedStiffness::rest}}});
    sample::hold(description, [s](const Eigen::Vector3d& x) { return x[0] < 1e-6 * s; });
    sample::add_gravity(description, {0, -9.81 / s, 0});
    return DeformableModel(std::move(description));
  };
  const DeformableModel unit_model = model(1);
  const State start = sample::lively_state(unit_model, 0);
  const State expected = run(*make(unit_model, tight()), start, 0.004, 25);
  for (const int exponent : {-27, -13, 13, 27}) {  // s from 7.5e-9 to 1.3e8
    const double s = std::ldexp(1.0, exponent);
    const DeformableModel scaled_model = model(s);
    const State end = run(*make(scaled_model, tight()), {0, s * start.q, start.v}, s * 0.004, 25);
    EXPECT_LT((end.q / s - expected.q).norm(), 1e-9 * expected.q.norm()) << "scale " << s;
    EXPECT_LT((end.v - expected.v).norm(), 1e-9 * expected.v.norm()) << "scale " << s;
  }
}

TEST_P(OnFiniteElements, ATurnedSceneMovesAsTheSceneTurned) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const auto model = [](const Eigen::Matrix3d& R) {
    ModelDescription description =
        sample::describe({{.turn = R, .damping = {0.3, 0.002, DampedStiffness::rest}}});
    sample::add_gravity(description, R * Eigen::Vector3d(0, -9.81, 0));
    return DeformableModel(std::move(description));
  };
  const auto turned = [&](State state) {
    state.q = (turn * state.q.reshaped(3, state.q.size() / 3)).reshaped();
    state.v = (turn * state.v.reshaped(3, state.v.size() / 3)).reshaped();
    return state;
  };
  const DeformableModel straight_model = model(Eigen::Matrix3d::Identity()), turned_model = model(turn);
  if (refuses(straight_model)) return;
  const State start = sample::lively_state(straight_model, 0);
  IntegratorOptions options = tight();
  options.set("modes", 6);  // siere: all rigid modes, since some of them would not turn with the body
  const State straight = run(*make(straight_model, options), start, 0.004, 25);
  const State other = run(*make(turned_model, options), turned(start), 0.004, 25);
  // Rounding of stresses and solves, in velocities of 1 m/s, amplified over 25 steps of h w up to 1; solvers
  // and Newton's method stop at 1e-13.
  EXPECT_LT((turned(straight).q - other.q).norm(), 1e-10);
  EXPECT_LT((turned(straight).v - other.v).norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Integrators, OnFiniteElements, every_method(), method_name);

TEST(Integrators, SiereRestartsBitForBitAfterItsModesWereKeptAndTurned) {
  const DeformableModel model(sample::describe({{.cells = {10, 3, 3}, .young = 1e5}}));
  IntegratorOptions options;
  options.set("modes", 8);
  options.set("modes_tolerance", 0.01);
  // 0.05 rad per step about z, trembling a little. Left behind, a mode of a bar is off by the angle, five times
  // the tolerance: a step without sweeps has turned its modes.
  const double h = 0.01;
  State start = sample::lively_state(model, 0, 0.1, 0);
  for (Index v = 0; v < model.vertices(); ++v) {
    const Eigen::Vector3d p = model.description().rest.segment<3>(3 * v);
    start.v.segment<3>(3 * v) += Eigen::Vector3d(0, 0, 5).cross(p - Eigen::Vector3d(0.15, 0.05, 0.05));
  }
  const int steps = 30;
  const auto whole = make_integrator("siere", model, options);
  State end = start, next;
  int turned = 0, refreshed = 0;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = whole->step(end, h, next);
    ASSERT_EQ(report.status, StepStatus::ok);
    ++(report.work.mode_sweeps == 0 ? turned : refreshed);
    std::swap(end, next);
  }
  EXPECT_GT(turned, 5);
  EXPECT_GT(refreshed, 1);
  expect_bitwise_restart([&] { return make_integrator("siere", model, options); }, start, h, steps,
                         {1, 2, 3, 11, 20, 29});
}

TEST(Integrators, MssiNeedsNoProjectionOnACompressedSheetWhereSiDoes) {
  const DeformableModel model(sample::describe({}, {sample::Sheet{}}));
  State now, next;
  now.v = Vector::Zero(model.dofs());
  now.q = -0.4 * model.description().rest;  // all springs at 0.6 of their length
  IntegratorOptions options;
  const StepReport si = make_integrator("si", model, options)->step(now, 0.5, next);
  EXPECT_EQ(si.status, StepStatus::ok);
  EXPECT_EQ(si.work.projected_hessians, 1);
  const StepReport mssi = make_integrator("mssi", model, options)->step(now, 0.5, next);
  EXPECT_EQ(mssi.status, StepStatus::ok);
  EXPECT_EQ(mssi.work.projected_hessians, 0);
  EXPECT_TRUE(find_integrator("mssi")->warnings(model, options).empty());
}

TEST(Integrators, BackwardEulerWithARaisedDiagonalFindsThePlaceThatProjectionFinds) {
  const DeformableModel model(
      sample::describe({}, {sample::Sheet{.damping = {1, 0, DampedStiffness::rest}}}));
  State now = sample::lively_state(model, 0), raised, projected;
  now.q -= 0.4 * model.description().rest;
  IntegratorOptions options;
  options.set("newton_tolerance", 1e-12);
  const StepReport by_projection = make_integrator("be", model, options)->step(now, 0.02, projected);
  options.set("hessian_correction", "diagonal");
  const StepReport by_diagonal = make_integrator("be", model, options)->step(now, 0.02, raised);
  ASSERT_EQ(by_projection.status, StepStatus::ok);
  ASSERT_EQ(by_diagonal.status, StepStatus::ok);
  EXPECT_GT(by_projection.work.projected_hessians, 0);
  EXPECT_GT(by_diagonal.work.raised_hessians, 0);
  EXPECT_EQ(by_diagonal.work.projected_hessians, 0);
  EXPECT_LT((raised.q - projected.q).norm(), 1e-9 * projected.q.norm());
}

TEST(Integrators, BackwardEulerFindsTheStaticEquilibriumAndRestsThere) {
  ModelDescription description = sample::describe({{.young = 1e5}});
  sample::hold(description, left_end);
  sample::add_gravity(description, {0, -9.81, 0});
  const DeformableModel model(std::move(description));
  const auto be = make_integrator("be", model, {});
  State now, next;
  now.q = now.v = Vector::Zero(model.dofs());
  Work work;
  for (int i = 0; i < 40; ++i) {
    const StepReport report = be->step(now, 1, next);
    ASSERT_EQ(report.status, StepStatus::ok) << "step " << i;
    work += report.work;
    std::swap(now, next);
  }
  Vector f;
  model.force(now, f);
  // In equilibrium forces are rounding of stresses: E A eps = 1e5 * 0.01 * 1e-16 N, some of them per vertex.
  EXPECT_LT(f.norm(), 1e-10);
  EXPECT_EQ(work.halved_steps, 0);
  EXPECT_GT(now.q.norm(), 1e-3);
}

TEST(Integrators, ImplicitMethodsSurviveAStepThatInvertsElementsWhenLinearized) {
  // The free end flies at 60 m/s through a body 0.3 m long; backward Euler must find a way.
  ModelDescription description = sample::describe({{.young = 1e5}});
  sample::hold(description, left_end);
  const DeformableModel model(std::move(description));
  State now, next;
  now.q = Vector::Zero(model.dofs());
  now.v = Vector::Zero(model.dofs());
  for (Index i = 0; i < now.v.size(); i += 3) now.v[i] = -60;
  for (const char* method : {"be", "bdf2"}) {
    const StepReport report = make_integrator(method, model, {})->step(now, 0.01, next);
    EXPECT_EQ(report.status, StepStatus::ok) << method;
    EXPECT_GT(report.work.line_search_steps, 0) << method;
    EXPECT_TRUE(std::isfinite(model.potential_energy(next))) << method;
  }
}

}  // namespace
}  // namespace phiflex::testing

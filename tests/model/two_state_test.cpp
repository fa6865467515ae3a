// The energy-momentum force of whole models: energies and momenta balance along a step.
#include "phiflex/model/deformable_two_state.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstring>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/dense_solvers.h"
#include "tests/model/sample_models.h"
#include "tests/model/touching_cubes.h"

namespace phiflex {
namespace {

// M (w - v) - h/2 f_em
Vector residual(const DeformableModel& model, TwoStateForce& force, const State& now, double h,
                const Vector& w) {
  Vector f, r(w.size());
  force.force(w, f);
  model.mass().apply(w - now.v, r);
  return r - 0.5 * h * f;
}

// Solves residual = 0 by Newton's method with the symmetric tangent, which leaves out what has none: linear
// convergence, down to rounding.
Vector solve_step(const DeformableModel& model, TwoStateForce& force, const State& now, double h) {
  Vector w = now.v;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Vector r = residual(model, force, now, h, w);
    force.linearize(w, Definiteness::exact);
    SparseMatrix A(model.pattern());
    model.mass().add_to(1, A);
    A.add(0.25 * h * h, force.K());
    if (force.D()) A.add(0.5 * h, *force.D());
    const Vector d = Matrix(A.to_eigen()).partialPivLu().solve(r);
    w -= d;
    const double size = d.norm() / (1 + w.norm());
    if (size < 1e-15 || (size < 1e-12 && size >= last)) return w;
    last = size;
  }
  ADD_FAILURE() << "the step did not converge: " << last;
  return w;
}

State next_state(const State& now, double h, const Vector& w) {
  return {now.t + h, now.q + h * w, 2 * w - now.v};
}

constexpr double kTimeStep = 0.004;

TEST(DeformableTwoState, EveryModelsEnergyChangesByWhatComesInAndWhatDampingTakes) {
  for (const sample::Sample& sample : sample::all_samples()) {
    const DeformableModel model(sample.description);
    const auto force = model.two_state_force();
    const State now = sample::lively_state(model, sample.t, 0.5 * sample.scale);
    force->begin(now, kTimeStep, {});
    const Vector w = solve_step(model, *force, now, kTimeStep);
    const State next = next_state(now, kTimeStep, w);
    const StepWork work = force->work(w);
    const Energies before = model.energies(now), after = model.energies(next);
    // Energies of some joules that rounding leaves uncertain by some thousand units each.
    const double scale = before.kinetic + std::abs(before.elastic) + std::abs(before.gravity) +
                         before.contact + after.kinetic + std::abs(work.external) + work.dissipated;
    EXPECT_NEAR(after.total() - before.total(), work.external - work.dissipated, 1e-12 * scale)
        << sample.name;
    if (!model.damping().none()) {
      EXPECT_GT(work.dissipated, 1e-4 * scale) << sample.name;
    } else {
      EXPECT_EQ(work.dissipated, 0) << sample.name;
    }
    if (model.constraints().moves() || !sample.description.loads.empty()) {
      EXPECT_GT(std::abs(work.external), 1e-6 * scale) << sample.name;
    }
  }
}

TEST(DeformableTwoState, OfASmallStepItIsTheSystemsForceInTheMiddle) {
  for (const sample::Sample& sample : sample::all_samples()) {
    // Damping by the stiffness at rest, or by the current one, is another force than Kelvin and Voigt's.
    ModelDescription description = sample.description;
    for (ModelBody& body : description.bodies) body.damping.beta = 0;
    const DeformableModel model(description);
    const auto force = model.two_state_force();
    const double h = 1e-5;
    const State now = sample::lively_state(model, sample.t, sample.scale);
    force->begin(now, h, {});
    Vector f, f_middle;
    force->force(now.v, f);
    model.force({now.t + 0.5 * h, now.q + 0.5 * h * now.v, now.v}, f_middle);
    EXPECT_LE((f - f_middle).norm(), 1e-7 * f_middle.norm()) << sample.name;
  }
}

TEST(DeformableTwoState, MomentaOfAFreeBodyDoNotChange) {
  for (const std::string& law : test::laws_of_C()) {
    for (const sample::Mass mass : {sample::Mass::lumped, sample::Mass::consistent}) {
      const DeformableModel model(sample::describe({{.law = law, .mass = mass}}));
      const auto force = model.two_state_force();
      const State now = sample::lively_state(model, 0, 0.5);
      force->begin(now, kTimeStep, {});
      const State next = next_state(now, kTimeStep, solve_step(model, *force, now, kTimeStep));
      const Momenta before = model.momenta(now), after = model.momenta(next);
      // 3 kg at 0.3 m/s, 0.3 m from the origin; the solve ends at some 1e-15 of the velocities.
      EXPECT_LE((after.linear - before.linear).norm(), 1e-13) << law;
      EXPECT_LE((after.angular - before.angular).norm(), 1e-13) << law;
    }
  }
}

TEST(DeformableTwoState, CorrectedMomentaAreExactAfterAnInexactSolve) {
  const Eigen::Vector3d spin(0.5, 3, -1);
  for (const sample::Mass mass : {sample::Mass::lumped, sample::Mass::consistent}) {
    // Two free bodies beside a hanging one, which is left alone.
    ModelDescription description = sample::describe(
        {{.mass = mass}, {.origin = {0, 0.5, 0}, .mass = mass}, {.origin = {0, 1, 0}, .mass = mass}});
    description.constraints.push_back({{0, 1, 2}, {}});
    const DeformableModel model(description);
    const auto force = model.two_state_force();
    State now = sample::lively_state(model, 0, 0.3);
    Vector x, v;
    model.expand(now, x, v);
    for (Index i = 0; i < v.size(); i += 3) v.segment<3>(i) += spin.cross(Eigen::Vector3d(x.segment<3>(i)));
    now = model.state(0, x, v);
    force->begin(now, kTimeStep, {});
    const Vector exact = solve_step(model, *force, now, kTimeStep);
    Vector w = exact + 1e-3 * Vector::NullaryExpr(exact.size(), [](Index i) { return std::sin(3.0 * i); });
    const Vector inexact = w;
    force->correct_momenta(w);

    const auto momenta = [&](const Vector& mean, int body) {
      const State next = next_state(now, kTimeStep, mean);
      Vector xs, p_free(mean.size()), p = Vector::Zero(x.size());
      model.expand(next, xs, v);
      model.mass().apply(next.v, p_free);
      const auto& row = model.constraints().free().row_of_vertex;
      Momenta m;
      const ModelBody& part = model.description().bodies[body];
      for (int vertex = part.first_vertex; vertex < part.first_vertex + part.vertex_count; ++vertex) {
        const Eigen::Vector3d at = xs.segment<3>(3 * Index(vertex));
        const Eigen::Vector3d momentum = p_free.segment<3>(3 * Index(row[vertex]));
        m.linear += momentum;
        m.angular += at.cross(momentum);
      }
      return m;
    };
    for (int body : {1, 2}) {
      const Momenta wanted = momenta(exact, body), got = momenta(w, body), rough = momenta(inexact, body);
      const double size = wanted.angular.norm();
      EXPECT_GT((rough.angular - wanted.angular).norm(), 1e-6 * size);
      EXPECT_LE((got.linear - wanted.linear).norm(), 1e-13 * wanted.linear.norm());
      // Each repetition gains a factor of the step's rotation, 0.01, times that of the velocities, 1e-3.
      EXPECT_LE((got.angular - wanted.angular).norm(), 1e-11 * size);
    }
    const Index held_body = 3 * (model.description().bodies[1].first_vertex - 3);
    EXPECT_EQ((w.head(held_body) - inexact.head(held_body)).norm(), 0);
    EXPECT_GT((w - inexact).norm(), 0);
  }
}

TEST(DeformableTwoState, CorrectedMomentaFollowGravityFloorLoadsAndDamping) {
  const std::vector<sample::Box> boxes = {{.damping = {0.7, 0.01, DampedStiffness::rest}}};
  ModelDescription description = sample::describe(boxes);
  sample::add_gravity(description, {0, -9.81, 0});
  sample::add_floor(description, 0.05, 300);
  sample::add_wind(description, boxes, {}, {{3, 1, 2}, 0.5, 1, 1.2, 1});
  for (const char* law : {"neo-hookean", "linear"}) {
    ModelDescription with_law = description;
    if (std::string(law) == "linear")
      with_law.bodies[0].terms = sample::describe({{.law = "linear"}}).bodies[0].terms;
    const DeformableModel model(with_law);
    const auto force = model.two_state_force();
    const State now = sample::lively_state(model, 0.2, 0.5);
    force->begin(now, kTimeStep, {});
    const Vector exact = solve_step(model, *force, now, kTimeStep);
    Vector w = exact;
    force->correct_momenta(w);  // a solved step has nothing to correct
    EXPECT_LE((w - exact).norm(), 1e-13 * exact.norm()) << law;
    w = exact + 1e-3 * Vector::NullaryExpr(exact.size(), [](Index i) { return std::sin(3.0 * i); });
    force->correct_momenta(w);
    const Vector r = residual(model, *force, now, kTimeStep, w);
    Vector x, v;
    model.expand({now.t, now.q + 0.5 * kTimeStep * w, w}, x, v);
    Eigen::Vector3d p = Eigen::Vector3d::Zero(), l = p;
    for (Index i = 0; i < r.size(); i += 3) {
      p += r.segment<3>(i);
      l += Eigen::Vector3d(x.segment<3>(i)).cross(Eigen::Vector3d(r.segment<3>(i)));
    }
    EXPECT_LE(p.norm(), 1e-9 * model.total_mass()) << law;
    EXPECT_LE(l.norm(), 1e-9 * model.total_mass()) << law;
  }
}

TEST(DeformableTwoState, ASingleFreeVertexAndAStraightRopeHaveMomentaToo) {
  ModelDescription description;
  const SpringNetwork rope = generate_rope(
      {.from = {0, 0, 0}, .to = {1, 0, 0}, .segments = 4, .strength = {.value = 20}, .linear_density = 1});
  description.rest.resize(18);
  description.vertex_mass.resize(6);
  for (int v = 0; v < 5; ++v) {
    for (int i = 0; i < 3; ++i) description.rest[3 * v + i] = rope.vertices[v][i];
    description.vertex_mass[v] = rope.masses[v];
  }
  description.rest.tail<3>() << 0, 1, 0;
  description.vertex_mass[5] = 2;
  description.bodies.push_back({"rope", 0, 5, {std::make_shared<SpringTerm>(rope.springs)}, {}});
  description.bodies.push_back({"stone", 5, 1, {}, {}});
  const DeformableModel model(description);
  const auto force = model.two_state_force();
  State now{0, Vector::Zero(18), Vector::Zero(18)};
  now.v.segment<3>(15) << 1, 2, 3;
  now.v[1] = 1;
  force->begin(now, 0.01, {});
  Vector w = Vector::Zero(18);
  force->correct_momenta(w);
  ASSERT_TRUE(w.allFinite());
  EXPECT_LE((w.segment<3>(15) - now.v.segment<3>(15)).norm(), 1e-14);
  const State next = next_state(now, 0.01, w);
  EXPECT_LE((model.momenta(next).linear - model.momenta(now).linear).norm(), 1e-14);
  EXPECT_LE((model.momenta(next).angular - model.momenta(now).angular).norm(), 1e-13);
}

TEST(DeformableTwoState, ItsTangentIsTheSymmetricPartOfTheDerivative) {
  ModelDescription description =
      sample::describe({{.law = "stvk", .damping = {0.5, 0.01, DampedStiffness::rest}}}, {{.height = 0.5}});
  sample::hold(
      description, [](const Eigen::Vector3d& p) { return p[0] < 1e-6; }, sample::winding_path());
  const DeformableModel model(description);
  const auto force = model.two_state_force();
  const double h = 0.01, chi = 0.1;
  const State now = sample::lively_state(model, 0.1);
  Vector memory = Vector::Constant(force->memory_size(), 1e-3);
  force->begin(now, h, {chi, 0.5, &memory});
  const Vector w = sample::lively_state(model, 0.1, 1, 1.5).v;
  force->linearize(w, Definiteness::exact);
  const Matrix K = Matrix(force->K().to_eigen()), D = Matrix(force->D()->to_eigen());
  // df/dw = -h/2 K - D; by differences.
  Matrix derivative(w.size(), w.size());
  const double s = 1e-3;
  for (Index j = 0; j < w.size(); ++j) {
    const Vector unit = Vector::Unit(w.size(), j);
    Vector plus, minus, far_plus, far_minus;
    force->force(w + s * unit, plus);
    force->force(w - s * unit, minus);
    force->force(w + 2 * s * unit, far_plus);
    force->force(w - 2 * s * unit, far_minus);
    derivative.col(j) = (8 * (plus - minus) - (far_plus - far_minus)) / (12 * s);
  }
  const Matrix symmetric = 0.5 * (derivative + derivative.transpose());
  EXPECT_LE((0.5 * h * K + D + symmetric).norm(), 1e-8 * symmetric.norm());
}

TEST(DeformableTwoState, TheDialsEnergyNeverGrowsWithTheRest) {
  const DeformableModel model(sample::describe({sample::Box{}}, {{.height = 0.5}}));
  const auto force = model.two_state_force();
  const double rho = 0.5, chi = rho * (1 - rho) / (2 * (1 + rho) * (1 + rho)), h = kTimeStep;
  State now = sample::lively_state(model, 0, 0.5);
  Vector memory = Vector::Zero(force->memory_size()), next_memory;
  double last = model.energies(now).total();
  const double first = last;
  for (int step = 0; step < 20; ++step) {
    force->begin(now, h, {chi, 1, &memory});
    const Vector w = solve_step(model, *force, now, h);
    force->strain_change(w, next_memory);
    const Vector second = next_memory - memory;
    memory = next_memory;
    now = next_state(now, h, w);
    const double modified = model.energies(now).total() + force->dial_energy(chi, memory);
    EXPECT_NEAR(modified, last - force->dial_energy(chi, second), 1e-12 * first);
    last = modified;
  }
  EXPECT_LT(last, 0.999 * first);
}

TEST(DeformableTwoState, RatesAreTheNinetiethPercentiles) {
  const DeformableModel model(sample::describe({sample::Box{}}));
  const auto force = model.two_state_force();
  Vector x, v;
  State at = sample::lively_state(model, 0);
  model.expand(at, x, v);
  const Eigen::Vector3d omega(0.1, 0.2, 0.4);
  for (Index i = 0; i < x.size(); i += 3) v.segment<3>(i) = omega.cross(Eigen::Vector3d(x.segment<3>(i)));
  const ElementRates rigid = force->rates(model.state(0, x, v));
  EXPECT_NEAR(rigid.spin, omega.norm(), 1e-12);
  EXPECT_NEAR(rigid.strain, 0, 1e-12);
  const ElementRates growing = force->rates(model.state(0, x, x));
  EXPECT_NEAR(growing.spin, 0, 1e-12);
  EXPECT_NEAR(growing.strain, std::sqrt(3.0), 1e-12);
}

// What is known of the room of earlier steps saves work and changes no answer.
TEST(DeformableTwoState, RateOfApproachDoesNotDependOnTheStepsBefore) {
  const sample::TouchingCubes pair{.gap = 0.05};
  const DeformableModel model(pair.description());
  const auto used = model.two_state_force();
  State now = pair.start(model);
  constexpr double h = 1e-3;
  int touching = 0;
  for (int step = 0; step < 40; ++step) {
    used->begin(now, h, {});
    const double rate = used->approach_rate(now, h);
    EXPECT_EQ(rate, model.two_state_force()->approach_rate(now, h)) << "step " << step;
    touching += rate > 0;
    now.q += h * now.v;  // at 1 m/s each
    now.t += h;
  }
  EXPECT_GT(touching, 0);
  EXPECT_LT(touching, 30);
}

TEST(DeformableTwoState, ItGivesTheSameBitsForAnyNumberOfThreads) {
  const DeformableModel model(sample::everything());
  const State now = sample::lively_state(model, 0.1, 0.5);
  const auto compute = [&](int threads) {
    set_thread_count(threads);
    const auto force = model.two_state_force();
    force->begin(now, 0.01, {0.1, 1, nullptr});
    Vector f, w = now.v;
    force->force(w, f);
    force->correct_momenta(w);
    Vector all(f.size() + w.size() + 4);
    const StepWork work = force->work(w);
    const ElementRates rates = force->rates(now);
    all << f, w, work.external, work.dissipated, rates.spin, rates.strain;
    set_thread_count(1);
    return all;
  };
  const Vector one = compute(1);
  for (int threads : {2, 4})
    EXPECT_EQ(std::memcmp(compute(threads).data(), one.data(), std::size_t(one.size()) * sizeof(double)), 0);
}

}  // namespace
}  // namespace phiflex

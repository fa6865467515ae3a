// Energy-momentum steps on a device, run by the serial back end, against those of the host.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "phiflex/cuda/tet_body.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/options.h"
#include "tests/cuda/body_on_both.h"
#include "tests/cuda/plain_box.h"

namespace phiflex::device {
namespace {

IntegratorOptions host_options(double em_tolerance, double energy_tolerance, double dissipation) {
  IntegratorOptions options;
  options.set("em_tolerance", em_tolerance);
  options.set("energy_tolerance", energy_tolerance);
  options.set("dissipation", dissipation);
  options.set("substeps", 1);
  return options;
}

// Both solve the same equation; what is left of it is the tolerance of the update, 1e-9, and five steps.
void expect_steps_of_the_host(const std::string& law, bool held, double dissipation) {
  BodyOnBoth c(law, held);
  const auto em = make_integrator("em", *c.model, host_options(1e-9, 1e-9, dissipation));
  State now = c.host_state(), next;
  constexpr double h = 0.01;
  for (int step = 0; step < 5; ++step) {
    const StepReport host = em->step(now, h, next);
    ASSERT_EQ(host.status, StepStatus::ok) << law;
    const DeviceStep device = c.body->step_em(
        h, {.em_tolerance = 1e-9, .energy_tolerance = 1e-9, .dissipation = dissipation, .substeps = 1});
    ASSERT_EQ(device.status, DeviceStatus::ok) << law << ", step " << step;
    EXPECT_EQ(device.halved_steps, 0) << law;
    EXPECT_LE(device.newton_iterations, 30) << law;
    if (dissipation < 1) {
      EXPECT_NEAR(device.modified_energy, *host.modified_energy, 1e-6 * *host.modified_energy) << law;
    }
    std::swap(now, next);
  }
  c.read();
  EXPECT_LE((c.of_free(c.x - c.box.rest) - now.q).norm(), 1e-7 * now.q.norm()) << law << " held " << held;
  EXPECT_LE((c.of_free(c.v) - now.v).norm(), 1e-7 * now.v.norm()) << law << " held " << held;
}

TEST(DeviceEm, ItsStepsAreThoseOfTheHostForEveryLaw) {
  for (const std::string& law : device_laws()) expect_steps_of_the_host(law, true, 1);
}

TEST(DeviceEm, ItsStepsOfAFreeBodyAreThoseOfTheHostForEveryLaw) {
  for (const std::string& law : device_laws()) expect_steps_of_the_host(law, false, 1);
}

TEST(DeviceEm, ItsDialIsThatOfTheHostForEveryLaw) {
  for (const std::string& law : device_laws()) expect_steps_of_the_host(law, true, 0.7);
}

// At the tolerances that users have: 1e-4 of the kinetic energy in a step is what the solver allows, and it leaves
// less.
TEST(DeviceEm, KeepsTheEnergyForEveryLaw) {
  for (const std::string& law : device_laws()) {
    BodyOnBoth c(law, true);
    const double first = c.body->energy().total();
    double largest = 0, change = 0;
    int iterations = 0;
    for (int step = 0; step < 40; ++step) {
      const DeviceStep taken = c.body->step_em(0.01, {});
      ASSERT_EQ(taken.status, DeviceStatus::ok) << law << ", step " << step;
      iterations += taken.newton_iterations;
      const DeviceEnergy now = c.body->energy();
      largest = std::max(largest, now.kinetic);
      change = std::max(change, std::abs(now.total() - first));
    }
    EXPECT_LE(change, 1e-3 * largest) << law << ", " << iterations << " iterations";
  }
}

// A step of 0.7 rad turns the body far beyond what a linearization follows.
TEST(DeviceEm, ASpinningBodyKeepsItsEnergyAndItsMomenta) {
  BodyOnBoth c("neo-hookean", false, {0, 0, 0});
  const Eigen::Vector3d spin(0.1, -0.3, 0.12), drift(0.03, 0.01, -0.02);
  c.x = 1.05 * c.box.rest;
  for (Index i = 0; i < c.x.size() / 3; ++i)
    c.v.segment<3>(3 * i) = drift + spin.cross(Eigen::Vector3d(c.x.segment<3>(3 * i)));
  c.set();
  const auto momenta = [&] {
    c.read();
    Eigen::Vector3d p = Eigen::Vector3d::Zero(), L = p;
    for (Index i = 0; i < c.x.size() / 3; ++i) {
      const Eigen::Vector3d mv = c.tets.masses[std::size_t(i)] * c.v.segment<3>(3 * i);
      p += mv;
      L += Eigen::Vector3d(c.x.segment<3>(3 * i)).cross(mv);
    }
    return std::pair(p, L);
  };
  const auto [p, L] = momenta();
  const double first = c.body->energy().total();
  for (int step = 0; step < 30; ++step)
    ASSERT_EQ(c.body->step_em(2, {}).status, DeviceStatus::ok) << "step " << step;
  const auto [p_end, L_end] = momenta();
  EXPECT_NEAR(c.body->energy().total() / first, 1, 3e-3);
  EXPECT_LE((p_end - p).norm(), 1e-12 * p.norm());
  EXPECT_LE((L_end - L).norm(), 1e-6 * L.norm());  // seven digits a step
}

TEST(DeviceEm, WithTheDialTheModifiedEnergyNeverRises) {
  BodyOnBoth c("stable-neo-hookean", true);
  double before = std::numeric_limits<double>::infinity(), first = 0;
  for (int step = 0; step < 40; ++step) {
    const DeviceStep taken = c.body->step_em(0.01, {.energy_tolerance = 1e-7, .dissipation = 0.5});
    ASSERT_EQ(taken.status, DeviceStatus::ok);
    const DeviceEnergy energy = c.body->energy();
    const double now = energy.total() + taken.modified_energy;
    if (step == 0) first = now;
    EXPECT_LE(now, before + 1e-6 * energy.kinetic) << "step " << step;
    before = now;
  }
  EXPECT_LT(before, first);
}

// Bodies that elements of the step turn and strain too fast are divided, as the host divides them.
TEST(DeviceEm, DividesFastStepsAsTheHostDoes) {
  BodyOnBoth c("neo-hookean", true, {0, 0, 0});
  for (const double speed : {0.2, 5.0, 20.0}) {
    c.x = c.box.rest;
    c.v = without_held(c.tets, speed * wiggle(c.x.size(), 1.1));
    c.set();
    const auto em = make_integrator("em", *c.model, {});
    State next;
    const StepReport host = em->step(c.host_state(), 0.002, next);
    const DeviceStep device = c.body->step_em(0.002, {});
    ASSERT_EQ(host.status, StepStatus::ok);
    ASSERT_EQ(device.status, DeviceStatus::ok);
    EXPECT_EQ(device.substeps, std::max(1, int(host.work.inner_steps))) << "speed " << speed;
  }
}

TEST(DeviceEm, AStepThatDoesNotConvergeIsMadeInHalves) {
  BodyOnBoth c("neo-hookean", true, {0, 0, 0});
  c.x = c.box.rest;
  c.v = without_held(c.tets, 1.5 * wiggle(c.x.size(), 1.1));
  c.set();
  const double first = c.body->energy().total();
  const DeviceStep step = c.body->step_em(0.3, {.substeps = 1});
  ASSERT_EQ(step.status, DeviceStatus::ok);
  EXPECT_GT(step.halved_steps, 0);
  EXPECT_NEAR(c.body->energy().total() / first, 1, 1e-2);
}

// The tangent of a step in which the body turns by half a radian, and strains a little, against differences of its
// residual. It is not symmetric, and is what makes the iteration Newton's.
TEST(DeviceEm, TheTangentIsThatOfTheResidualForEveryLaw) {
  for (const std::string& law : device_laws()) {
    const ElasticBox box = elastic_box(3, law);
    const DeviceTets tets = device_tets(box, law, false);
    SerialBackEnd on;
    TetBody<SerialBackEnd> body(on, tets);
    const std::size_t n = tets.rest.size();
    using Array = DeviceArray<SerialBackEnd, double>;
    Array x(on, n), w(on, n), v(on, n), r(on, n), p(on, n), y(on, n), sums(on, kMostSums),
        mass(on, tets.masses), psi(on, tets.tets.size());
    const Vector start = deformed_for(law, box.rest, 3), strain = 1e-4 * wiggle(start.size(), 0.6),
                 direction = wiggle(start.size(), 1.1);
    constexpr double h = 0.01, epsilon = 1e-7;
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.5, Eigen::Vector3d(1, 2, -1).normalized()).matrix();
    for (Index q = 0; q < start.size(); q += 3) {  // no vertex is held: numbers are the user's
      const Eigen::Vector3d from = start.segment<3>(q);
      Eigen::Map<Eigen::Vector3d>(x.data() + q) = from;
      Eigen::Map<Eigen::Vector3d>(w.data() + q) = (turn * from - from + strain.segment<3>(q)) / h;
      Eigen::Map<Eigen::Vector3d>(p.data() + q) = direction.segment<3>(q);
    }
    body.start_densities(x.data(), psi.data());
    TwoStateView step{.x = x.data(),
                      .w = w.data(),
                      .h = h,
                      .psi = psi.data(),
                      .rest = nullptr,
                      .chi = 0,
                      .ratio = 1,
                      .before = nullptr};
    body.assemble_two_state(step);
    body.product(p.data(), y.data());
    const auto residual = [&](double along) {
      Array moved(on, n);
      Eigen::Map<Vector>(moved.data(), Index(n)) = Eigen::Map<Vector>(w.data(), Index(n)) + along * direction;
      step.w = moved.data();
      body.em_residual(step, {}, mass.data(), v.data(), r.data(), sums.data());
      return Vector(Eigen::Map<Vector>(r.data(), Index(n)));
    };
    Vector expected = (residual(epsilon / h) - residual(-epsilon / h)) * (h / (2 * epsilon));
    for (Index q = 0; q < expected.size(); ++q) expected[q] -= tets.masses[std::size_t(q / 3)] * direction[q];
    const Vector found = h * h / 4 * Eigen::Map<Vector>(y.data(), Index(n));
    EXPECT_LE((found - expected).norm(), 1e-4 * expected.norm()) << law;
  }
}

// A bar that is let go from a quarter of a turn: the first steps, which start far from their solution.
TEST(DeviceEm, RoughStepsConvergeWithoutHalves) {
  for (const DevicePreconditioner with : {DevicePreconditioner::diagonal, DevicePreconditioner::multigrid}) {
    DeviceTets bar = plain_bar(4, "neo-hookean", {1e5, 0.45}, 1000);
    bar.preconditioner = with;
    const auto body = make_serial_body(bar);
    body->set_state(twisted(bar, 90), std::vector<double>(bar.rest.size(), 0.0));
    const double first = body->energy().total();
    int iterations = 0, halved = 0, substeps = 0;
    for (int step = 0; step < 12; ++step) {
      const DeviceStep taken = body->step_em(1.0 / 60, {});
      ASSERT_EQ(taken.status, DeviceStatus::ok);
      iterations += taken.newton_iterations;
      halved += taken.halved_steps;
      substeps += taken.substeps;
    }
    EXPECT_EQ(halved, 0);
    EXPECT_LE(iterations, 6 * substeps);
    EXPECT_NEAR(body->energy().total() / first, 1, 1e-3);
  }
}

TEST(DeviceEm, AFailedStepLeavesTheStateAsItWas) {
  BodyOnBoth c("neo-hookean", true);
  c.x.tail<3>() << -5, -5, -5;  // elements are turned inside out
  c.set();
  const Vector x = c.x, v = c.v;
  EXPECT_EQ(c.body->step_em(0.01, {}).status, DeviceStatus::not_finite);
  c.read();
  EXPECT_EQ(c.x, x);
  EXPECT_EQ(c.v, v);
}

TEST(DeviceEm, GivesTheSameBitsInEveryRun) {
  Vector x[2], v[2];
  for (int run = 0; run < 2; ++run) {
    BodyOnBoth c("holzapfel", false);
    for (int step = 0; step < 4; ++step)
      ASSERT_EQ(c.body->step_em(0.01, {.dissipation = 0.8}).status, DeviceStatus::ok);
    c.read();
    x[run] = c.x;
    v[run] = c.v;
  }
  EXPECT_EQ(x[0], x[1]);
  EXPECT_EQ(v[0], v[1]);
}

TEST(DeviceEm, RestStaysAtRest) {
  BodyOnBoth c("corotated", true, {0, 0, 0});
  c.body->set_state(c.tets.rest, std::vector<double>(c.tets.rest.size(), 0.0));
  ASSERT_EQ(c.body->step_em(0.01, {}).status, DeviceStatus::ok);
  c.read();
  EXPECT_LE((c.x - c.box.rest).norm(), 1e-14);
}

}  // namespace
}  // namespace phiflex::device

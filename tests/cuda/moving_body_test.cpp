// Steps on a device, run by the serial back end, against their definitions with the host's forces and matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cuda/device_cases.h"

namespace phiflex::device {
namespace {

struct Motion {
  ElasticBox box;
  DeviceTets tets;
  std::unique_ptr<ElasticTerm> term;
  Vector mass, x, v;  // mass of each coordinate
  std::unique_ptr<DeviceBody> body;

  explicit Motion(const std::string& law, std::array<double, 3> gravity = {0, -9.81, 0})
      : box(elastic_box(3, law)), tets(device_tets(box, law, true)) {
    tets.gravity = gravity;
    term = make_elastic_term(law, box.rest, box.elements);
    body = make_serial_body(tets);
    mass.resize(box.rest.size());
    for (Index q = 0; q < mass.size(); ++q) mass[q] = tets.masses[std::size_t(q / 3)];
    x = box.rest + without_held(tets, 0.02 * wiggle(mass.size(), 0.6));
    v = without_held(tets, 0.5 * wiggle(mass.size(), 1.1));
    body->set_state(as_span(x), as_span(v));
  }
  Vector acceleration(const Vector& at) const {
    Vector f = Vector::Zero(at.size());
    term->add_force(at, f);
    for (Index q = 0; q < f.size(); ++q) f[q] = f[q] / mass[q] + tets.gravity[std::size_t(q % 3)];
    return without_held(tets, f);
  }
  Vector stiffness_product(const Vector& p) const {
    Vector y = Vector::Zero(p.size());
    term->add_stiffness_product(x, p, y);
    return without_held(tets, y);
  }
  void read(Vector& at, Vector& velocity) const {
    at.resize(x.size());
    velocity.resize(x.size());
    body->state(as_span(at), as_span(velocity));
  }
};

TEST(DeviceVerlet, IsTheLeapfrogOfTheHost) {
  Motion m("neo-hookean");
  constexpr double h = 0.01;
  constexpr int substeps = 5;
  Vector x = m.x, v = m.v;
  for (int k = 0; k < substeps; ++k) {
    v += h / substeps / 2 * m.acceleration(x);
    x += h / substeps * v;
    v += h / substeps / 2 * m.acceleration(x);
  }
  ASSERT_EQ(m.body->step_verlet(h, substeps).status, DeviceStatus::ok);
  Vector x_device, v_device;
  m.read(x_device, v_device);
  EXPECT_LE((x_device - x).norm(), 1e-13 * x.norm());
  EXPECT_LE((v_device - v).norm(), 1e-11 * v.norm());
}

TEST(DeviceVerlet, KeepsTheEnergyOverManySteps) {
  Motion m("stable-neo-hookean");
  const DeviceEnergy start = m.body->energy();
  double largest = 0, change = 0;
  for (int step = 0; step < 300; ++step) {
    ASSERT_EQ(m.body->step_verlet(0.005, 4).status, DeviceStatus::ok);
    const DeviceEnergy now = m.body->energy();
    largest = std::max(largest, now.kinetic);
    change = std::max(change, std::abs(now.total() - start.total()));
  }
  EXPECT_LE(change,
            1e-2 * largest);  // the error of Verlet at h w_max of about 0.1 oscillates and does not grow
}

// (M/h^2 + K) y = f - h K v with y = h (v+ - v), of which x+ = x + h v+; the residual to the tolerance of the solve and
// the rounding of K.
TEST(DeviceSi, SolvesItsEquationForEveryLaw) {
  for (const std::string& law : device_laws()) {
    Motion m(law);
    constexpr double h = 0.02;
    const DeviceStep step = m.body->step_si(h, 1e-9);
    ASSERT_EQ(step.status, DeviceStatus::ok) << law;
    EXPECT_GT(step.iterations, 1) << law;
    Vector x, v;
    m.read(x, v);
    EXPECT_LE((x - m.x - h * v).norm(), 1e-14 * x.norm()) << law;
    const Vector y = h * (v - m.v),
                 b = m.mass.cwiseProduct(m.acceleration(m.x)) - h * m.stiffness_product(m.v);
    const Vector residual = m.mass.cwiseProduct(y) / (h * h) + m.stiffness_product(y) - b;
    EXPECT_LE(without_held(m.tets, residual).norm(), 1e-6 * b.norm()) << law;
  }
}

TEST(DeviceSi, TakesTheProjectedStiffnessWhereTheExactOneIsNotPositive) {
  Motion m("stvk", {0, 0, 0});
  Vector x = 0.4 * m.box.rest;  // Saint Venant-Kirchhoff gives way under strong compression
  m.body->set_state(as_span(x), as_list(Vector::Zero(x.size())));
  const DeviceStep step = m.body->step_si(1.0, 1e-6);
  EXPECT_EQ(step.status, DeviceStatus::ok);
  EXPECT_TRUE(step.projected);
}

TEST(DeviceSi, RestStaysAtRest) {
  Motion m("neo-hookean", {0, 0, 0});
  m.body->set_state(m.tets.rest, std::vector<double>(m.tets.rest.size(), 0.0));
  ASSERT_EQ(m.body->step_si(0.01, 1e-6).status, DeviceStatus::ok);
  Vector x, v;
  m.read(x, v);
  EXPECT_LE((x - m.box.rest).norm(), 1e-14);
}

TEST(DeviceSteps, AFailedStepLeavesTheStateAsItWas) {
  Motion m("neo-hookean");
  Vector x = m.x, v = m.v;
  x.tail<3>() << -5, -5, -5;  // elements are turned inside out
  m.body->set_state(as_span(x), as_span(v));
  EXPECT_EQ(m.body->step_verlet(0.01, 2).status, DeviceStatus::not_finite);
  EXPECT_EQ(m.body->step_si(0.01, 1e-6).status, DeviceStatus::not_finite);
  Vector x_after, v_after;
  m.read(x_after, v_after);
  EXPECT_EQ(x_after, x);
  EXPECT_EQ(v_after, v);
}

TEST(DeviceSteps, GiveTheSameBitsInEveryRun) {
  Vector x[2], v[2];
  for (int run = 0; run < 2; ++run) {
    Motion m("holzapfel");
    for (int step = 0; step < 3; ++step) {
      ASSERT_EQ(m.body->step_si(0.01, 1e-6).status, DeviceStatus::ok);
      ASSERT_EQ(m.body->step_verlet(0.01, 3).status, DeviceStatus::ok);
    }
    m.read(x[run], v[run]);
  }
  EXPECT_EQ(x[0], x[1]);
  EXPECT_EQ(v[0], v[1]);
}

TEST(DeviceEnergies, AreThoseOfTheirFormulas) {
  Motion m("corotated", {1, -9.81, 0.5});
  const DeviceEnergy energy = m.body->energy();
  double kinetic = 0, gravity = 0;
  for (Index q = 0; q < m.x.size(); ++q) {
    kinetic += 0.5 * m.mass[q] * m.v[q] * m.v[q];
    gravity -= m.mass[q] * m.tets.gravity[std::size_t(q % 3)] * (m.x[q] - m.box.rest[q]);
  }
  EXPECT_NEAR(energy.kinetic, kinetic, 1e-13 * kinetic);
  EXPECT_NEAR(energy.gravity, gravity, 1e-12 * kinetic);
  EXPECT_NEAR(energy.elastic, m.term->energy(m.x), 1e-13 * energy.elastic);
}

}  // namespace
}  // namespace phiflex::device

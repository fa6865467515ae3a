// Steps on a device, run by the serial back end, against their definitions with the host's forces and matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/run/device_series.h"
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
    HostSeries series;
    for (int step = 0; step < 3; ++step) {
      ASSERT_EQ(m.body->step_si(0.01, 1e-6).status, DeviceStatus::ok);
      ASSERT_EQ(m.body->step_verlet(0.01, 3).status, DeviceStatus::ok);
      ASSERT_EQ(m.body->step_newton(0.01, {.midpoint = step == 1}).status, DeviceStatus::ok);
      ASSERT_EQ(m.body->step_ere(0.01, {}, series).status, DeviceStatus::ok);
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

// 2/sqrt(|M^-1 K|) in the infinity norm over the free coordinates, as integrate/stable_step.h bounds it; K is rounded
// to float.
TEST(DeviceVerlet, TheStableSubstepIsThatOfTheNormOfTheStiffness) {
  Motion m("neo-hookean");
  Vector rows = Vector::Zero(m.mass.size());
  for (Index q = 0; q < m.mass.size(); ++q) {
    if (m.tets.held[std::size_t(q / 3)]) continue;
    const Vector column = m.stiffness_product(Vector::Unit(m.mass.size(), q));
    rows += column.cwiseAbs().cwiseQuotient(m.mass);
  }
  EXPECT_NEAR(m.body->stable_substep(), 0.9 * 2 / std::sqrt(rows.maxCoeff()),
              1e-6 * m.body->stable_substep());
}

TEST(DeviceVerlet, DividesItsStepAsStabilityAsks) {
  Motion m("neo-hookean"), given("neo-hookean");
  const double h = 8.5 * m.body->stable_substep();
  DeviceStep step = m.body->step_verlet(h, 0);
  ASSERT_EQ(step.status, DeviceStatus::ok);
  EXPECT_GE(step.substeps, 9);
  EXPECT_LE(step.substeps, 40);
  ASSERT_EQ(given.body->step_verlet(h, step.substeps).status, DeviceStatus::ok);
  Vector x, v, x_given, v_given;
  m.read(x, v);
  given.read(x_given, v_given);
  EXPECT_EQ(x, x_given);
  EXPECT_EQ(v, v_given);
  EXPECT_EQ(m.body->step_verlet(1e9, 0).status, DeviceStatus::not_stable);  // more than 20,000
}

TEST(DeviceSteps, TheFreeStateIsThatOfTheFreeVertices) {
  Motion m("neo-hookean");
  ASSERT_EQ(m.body->step_si(0.01, 1e-6).status, DeviceStatus::ok);
  Vector x, v;
  m.read(x, v);
  const std::size_t count = 3 * std::size_t(m.body->free_vertices());
  std::vector<double> x_free(count), v_free(count), x_expected, v_expected;
  m.body->free_state(x_free, v_free);
  for (Index q = 0; q < x.size(); ++q)
    if (!m.tets.held[std::size_t(q / 3)]) {
      x_expected.push_back(x[q]);
      v_expected.push_back(v[q]);
    }
  EXPECT_EQ(x_free, x_expected);
  EXPECT_EQ(v_free, v_expected);
}

// What one method remembers is of no use to another, and is not saved beside its memory.
TEST(DeviceSteps, MethodsInTurnContinueBitForBit) {
  HostSeries series;
  Motion whole("neo-hookean");
  const auto advance = [&](DeviceBody& body, int step) {
    switch (step % 4) {
      case 0:
        return body.step_em(0.01, {.dissipation = 0.6}).status;
      case 1:
        return body.step_ere(0.01, {}, series).status;
      case 2:
        return body.step_newton(0.01, {}).status;
      default:
        return body.step_verlet(0.01, 0).status;
    }
  };
  for (int step = 0; step < 9; ++step) {
    Motion later("neo-hookean");
    ASSERT_TRUE(later.body->restore(whole.body->saved())) << step;
    ASSERT_EQ(advance(*whole.body, step), DeviceStatus::ok) << step;
    ASSERT_EQ(advance(*later.body, step), DeviceStatus::ok) << step;
    Vector x, v, x_later, v_later;
    whole.read(x, v);
    later.read(x_later, v_later);
    EXPECT_EQ(x, x_later) << step;
    EXPECT_EQ(v, v_later) << step;
  }
}

// With the memory of em's iterations and of its dial, with verlet's stable step, and with what ere remembers.
TEST(DeviceSteps, ABodyThatRestoresWhatWasSavedContinuesBitForBit) {
  HostSeries series;
  const auto advance = [&](DeviceBody& body, int kind) {
    switch (kind) {
      case 0:
        return body.step_em(0.01, {});
      case 1:
        return body.step_em(0.01, {.dissipation = 0.6});
      case 2:
        return body.step_si(0.01, 1e-6);
      case 3:
        return body.step_newton(0.01, {});
      case 4:
        return body.step_newton(0.01, {.midpoint = true});
      case 5:
        return body.step_ere(0.01, {}, series);
      default:
        return body.step_verlet(0.01, 0);
    }
  };
  for (int kind = 0; kind < 7; ++kind) {
    Motion whole("neo-hookean"), later("neo-hookean");
    for (int step = 0; step < 3; ++step) ASSERT_EQ(advance(*whole.body, kind).status, DeviceStatus::ok);
    const std::vector<double> saved = whole.body->saved();
    ASSERT_TRUE(later.body->restore(saved)) << kind;
    EXPECT_EQ(later.body->saved(), saved) << kind;
    for (int step = 0; step < 3; ++step) {
      const DeviceStep a = advance(*whole.body, kind), b = advance(*later.body, kind);
      ASSERT_EQ(a.status, DeviceStatus::ok) << kind;
      EXPECT_EQ(a.iterations, b.iterations) << kind;
      EXPECT_EQ(a.substeps, b.substeps) << kind;
    }
    Vector x, v, x_later, v_later;
    whole.read(x, v);
    later.read(x_later, v_later);
    EXPECT_EQ(x, x_later) << kind;
    EXPECT_EQ(v, v_later) << kind;
  }
}

TEST(DeviceSteps, WhatWasNotSavedIsNotRestored) {
  Motion m("neo-hookean");
  ASSERT_EQ(m.body->step_em(0.01, {.dissipation = 0.6}).status, DeviceStatus::ok);
  const std::vector<double> good = m.body->saved();
  const std::size_t state = 6 * std::size_t(m.body->free_vertices()) + 1;
  const auto is_refused = [&](std::vector<double> numbers) { return !m.body->restore(numbers); };
  EXPECT_TRUE(is_refused({}));
  EXPECT_TRUE(is_refused(std::vector<double>(good.begin(), good.end() - 1)));
  std::vector<double> forged = good;
  forged[0] = std::nan("");
  EXPECT_TRUE(is_refused(forged));
  for (const std::size_t k : {0u, 3u, 4u, 5u, 6u}) {  // counts
    for (const double wrong : {-1.0, 0.5, 1e9}) {
      forged = good;
      forged[state + k] = wrong;
      EXPECT_TRUE(is_refused(forged)) << k << " " << wrong;
    }
  }
  EXPECT_EQ(m.body->saved(), good);
}

}  // namespace
}  // namespace phiflex::device

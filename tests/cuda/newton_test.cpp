// Steps of backward Euler and of the implicit midpoint rule on a device, run by the serial back end, against those of
// the host.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/options.h"
#include "tests/cuda/body_on_both.h"

namespace phiflex::device {
namespace {

const char* name_of(bool midpoint) {
  return midpoint ? "midpoint" : "be";
}

// Both solve the same equation until the error that is left is 1e-10 of the velocities: after five steps positions and
// velocities agree to ten times as much.
void expect_steps_of_the_host(const std::string& law, bool held, bool midpoint, double h) {
  BodyOnBoth c(law, held);
  const auto method = make_integrator(name_of(midpoint), *c.model, {{"newton_tolerance", 1e-10}});
  State now = c.host_state(), next;
  for (int step = 0; step < 5; ++step) {
    const StepReport host = method->step(now, h, next);
    ASSERT_EQ(host.status, StepStatus::ok) << law;
    const DeviceStep device = c.body->step_newton(h, {.midpoint = midpoint, .newton_tolerance = 1e-10});
    ASSERT_EQ(device.status, DeviceStatus::ok) << law << ", step " << step;
    EXPECT_EQ(device.halved_steps, host.work.halved_steps) << law;
    EXPECT_LE(device.newton_iterations, host.work.newton_iterations + 2) << law;
    std::swap(now, next);
  }
  c.read();
  EXPECT_LE((c.of_free(c.x - c.box.rest) - now.q).norm(), 1e-9 * now.q.norm()) << law << " held " << held;
  EXPECT_LE((c.of_free(c.v) - now.v).norm(), 1e-9 * now.v.norm()) << law << " held " << held;
}

TEST(DeviceNewton, BackwardEulerIsThatOfTheHostForEveryLaw) {
  for (const std::string& law : device_laws()) expect_steps_of_the_host(law, true, false, 0.01);
}

TEST(DeviceNewton, MidpointIsThatOfTheHostForEveryLaw) {
  for (const std::string& law : device_laws()) expect_steps_of_the_host(law, true, true, 0.01);
}

TEST(DeviceNewton, FreeBodiesAreThoseOfTheHost) {
  for (const bool midpoint : {false, true})
    for (const char* law : {"neo-hookean", "corotated", "holzapfel"})
      expect_steps_of_the_host(law, false, midpoint, 0.01);
}

TEST(DeviceNewton, LongStepsAreThoseOfTheHost) {
  for (const char* law : {"neo-hookean", "stable-neo-hookean", "arap"})
    expect_steps_of_the_host(law, true, false, 0.1);
}

// Fast vertices leave the domain of the law at first: the search draws them back, and where it cannot, the step is
// halved.
TEST(DeviceNewton, StepsThatAreDrawnBackAreThoseOfTheHost) {
  int drawn_back = 0;
  for (const double speed : {5.0, 20.0}) {
    BodyOnBoth c("neo-hookean", true, {0, 0, 0});
    c.x = c.box.rest;
    c.v = without_held(c.tets, speed * wiggle(c.x.size(), 1.1));
    c.set();
    const auto method = make_integrator("be", *c.model, {{"newton_tolerance", 1e-10}});
    State next;
    const StepReport host = method->step(c.host_state(), 0.02, next);
    const DeviceStep device = c.body->step_newton(0.02, {.newton_tolerance = 1e-10});
    ASSERT_EQ(host.status, StepStatus::ok);
    ASSERT_EQ(device.status, DeviceStatus::ok);
    EXPECT_EQ(device.halved_steps, host.work.halved_steps);
    drawn_back += device.line_search_steps;
    c.read();
    EXPECT_LE((c.of_free(c.x - c.box.rest) - next.q).norm(), 1e-8 * next.q.norm()) << speed;
    EXPECT_LE((c.of_free(c.v) - next.v).norm(), 1e-8 * next.v.norm()) << speed;
  }
  EXPECT_GT(drawn_back, 0);
}

TEST(DeviceNewton, TheMultigridLeadsToTheSameStep) {
  BodyOnBoth c("neo-hookean", true);
  DeviceTets tets = c.tets;
  tets.preconditioner = DevicePreconditioner::multigrid;
  const auto other = make_serial_body(tets);
  other->set_state(as_span(c.x), as_span(c.v));
  for (int step = 0; step < 3; ++step) {
    ASSERT_EQ(c.body->step_newton(0.05, {.newton_tolerance = 1e-10}).status, DeviceStatus::ok);
    ASSERT_EQ(other->step_newton(0.05, {.newton_tolerance = 1e-10}).status, DeviceStatus::ok);
  }
  c.read();
  Vector x(c.x.size()), v(c.x.size());
  other->state(as_span(x), as_span(v));
  EXPECT_LE((v - c.v).norm(), 1e-9 * c.v.norm());
}

// Of a linear law backward Euler takes energy in every step, and midpoint keeps it.
TEST(DeviceNewton, TheEnergyIsThatOfTheMethods) {
  for (const bool midpoint : {false, true}) {
    BodyOnBoth c("linear", true);
    const double first = c.body->energy().total();
    double largest = 0, before = first;
    for (int step = 0; step < 40; ++step) {
      ASSERT_EQ(c.body->step_newton(0.01, {.midpoint = midpoint, .newton_tolerance = 1e-10}).status,
                DeviceStatus::ok);
      const DeviceEnergy now = c.body->energy();
      largest = std::max(largest, now.kinetic);
      if (midpoint)
        EXPECT_NEAR(now.total(), first, 1e-8 * largest) << step;
      else
        EXPECT_LT(now.total(), before) << step;
      before = now.total();
    }
  }
}

TEST(DeviceNewton, WhatItDoesWhereTheMatrixIsNotPositiveIsWhatTheSettingsSay) {
  Compressed projecting, raising, neither;
  const DeviceStep a = projecting.body->step_newton(1.0, {});
  EXPECT_EQ(a.status, DeviceStatus::ok);
  EXPECT_TRUE(a.projected);
  EXPECT_EQ(a.raised, 0);
  const DeviceStep b = raising.body->step_newton(1.0, {.raise_diagonal = true});
  EXPECT_EQ(b.status, DeviceStatus::ok);
  EXPECT_FALSE(b.projected);
  EXPECT_GT(b.raised, 0);
  const Vector x = neither.x, v = neither.v;
  const DeviceStep c = neither.body->step_newton(1.0, {.project_hessian = false, .halve_step = false});
  EXPECT_EQ(c.status, DeviceStatus::not_positive_definite);
  neither.read();
  EXPECT_EQ(neither.x, x);
  EXPECT_EQ(neither.v, v);
}

// What a halved step is: two steps of half the length, to the last bit.
TEST(DeviceNewton, AStepThatDoesNotConvergeIsMadeInHalves) {
  for (const bool midpoint : {false, true}) {
    const double h = midpoint ? 0.1 : 0.05;
    const auto start = [&](BodyOnBoth& c) {
      c.x = c.box.rest;
      c.v = without_held(c.tets, (midpoint ? 1.2 : 1.4) * wiggle(c.x.size(), 1.1));
      c.set();
    };
    BodyOnBoth whole("neo-hookean", true), parts("neo-hookean", true);
    const DeviceNewtonOptions no_halves{.midpoint = midpoint, .halve_step = false};
    start(whole);
    const int of_whole = whole.body->step_newton(h, no_halves).newton_iterations;
    start(parts);
    int of_half = 0;
    for (int half = 0; half < 2; ++half) {
      const DeviceStep step = parts.body->step_newton(h / 2, no_halves);
      ASSERT_EQ(step.status, DeviceStatus::ok);
      of_half = std::max(of_half, step.newton_iterations);
    }
    parts.read();
    ASSERT_LT(of_half, of_whole);
    start(whole);
    DeviceNewtonOptions limited{.midpoint = midpoint, .newton_limit = of_half};
    const DeviceStep halved = whole.body->step_newton(h, limited);
    ASSERT_EQ(halved.status, DeviceStatus::ok);
    EXPECT_EQ(halved.halved_steps, 1);
    whole.read();
    EXPECT_EQ(whole.x, parts.x);
    EXPECT_EQ(whole.v, parts.v);
    start(whole);
    limited.halve_step = false;
    EXPECT_EQ(whole.body->step_newton(h, limited).status, DeviceStatus::not_converged);
  }
}

TEST(DeviceNewton, AFailedStepLeavesTheStateAsItWas) {
  BodyOnBoth c("neo-hookean", true);
  c.x.tail<3>() << -5, -5, -5;  // elements are turned inside out
  c.set();
  const Vector x = c.x, v = c.v;
  for (const bool midpoint : {false, true}) {
    EXPECT_EQ(c.body->step_newton(0.01, {.midpoint = midpoint}).status, DeviceStatus::not_finite);
    c.read();
    EXPECT_EQ(c.x, x);
    EXPECT_EQ(c.v, v);
  }
}

TEST(DeviceNewton, RestStaysAtRest) {
  for (const bool midpoint : {false, true}) {
    BodyOnBoth c("corotated", true, {0, 0, 0});
    c.body->set_state(c.tets.rest, std::vector<double>(c.tets.rest.size(), 0.0));
    ASSERT_EQ(c.body->step_newton(0.01, {.midpoint = midpoint}).status, DeviceStatus::ok);
    c.read();
    EXPECT_LE((c.x - c.box.rest).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace phiflex::device

// Rayleigh damping on a device, run by the serial back end, against that of the host.
#include <gtest/gtest.h>

#include "tests/cuda/method_cases.h"

namespace phiflex::device {
namespace {

struct Damped : BodyOnBoth {
  Damped(const std::string& law, bool held, const BodyDamping& damping)
      : BodyOnBoth(law, held, {0, -9.81, 0}, {}, damping) {}
};

// 1/s and s: a mode of 100/s loses most of its energy within the steps.
constexpr BodyDamping kByMass{.alpha = 5}, kAtRest{.beta = 2e-3, .stiffness = DampedStiffness::rest},
    kCurrent{.beta = 2e-3, .stiffness = DampedStiffness::current}, kBoth{.alpha = 5, .beta = 1e-3};

TEST(DeviceDamping, EveryMethodDampsAsTheHost) {
  for (const BodyDamping& damping : {kByMass, kAtRest, kCurrent, kBoth})
    for (const MethodCase& method : kMethods) {
      Damped c("neo-hookean", true, damping);
      expect_steps_of_the_host(c, method, 0.01, 4);
    }
}

TEST(DeviceDamping, EveryLawDampsAsOnTheHost) {
  for (const std::string& law : device_laws())
    for (const MethodCase& method : {kEm, kBe}) {
      Damped c(law, true, kBoth);
      expect_steps_of_the_host(c, method, 0.01, 3);
    }
}

TEST(DeviceDamping, FreeBodiesFallThroughADragAsOnTheHost) {
  for (const MethodCase& method : kMethods) {
    Damped c("stable-neo-hookean", false, kBoth);
    expect_steps_of_the_host(c, method, 0.01, 4);
  }
}

// The energy of a linear body falls by what damping took, to the last digits.
TEST(DeviceDamping, WhatItTakesIsWhatEmSays) {
  Damped c("linear", true, kBoth);
  const DeviceEmOptions options{.em_tolerance = 1e-10, .energy_tolerance = 1e-12};
  double before = c.body->energy().total();
  for (int step = 0; step < 10; ++step) {
    const DeviceStep report = c.body->step_em(0.01, options);
    ASSERT_EQ(report.status, DeviceStatus::ok);
    const double after = c.body->energy().total();
    EXPECT_GT(report.dissipated, 0);
    EXPECT_NEAR(before - after, report.dissipated, 1e-9 * report.dissipated + 1e-12);
    before = after;
  }
}

TEST(DeviceDamping, TheMultigridLeadsToTheSameStep) {
  Damped c("neo-hookean", true, kBoth);
  DeviceTets tets = c.tets;
  tets.preconditioner = DevicePreconditioner::multigrid;
  const auto other = make_serial_body(tets);
  other->set_state(as_span(c.x), as_span(c.v));
  ASSERT_EQ(c.body->step_newton(0.05, {.newton_tolerance = 1e-10}).status, DeviceStatus::ok);
  ASSERT_EQ(other->step_newton(0.05, {.newton_tolerance = 1e-10}).status, DeviceStatus::ok);
  c.read();
  Vector x(c.x.size()), v(c.x.size());
  other->state(as_span(x), as_span(v));
  EXPECT_LE((v - c.v).norm(), 1e-9 * c.v.norm());
}

}  // namespace
}  // namespace phiflex::device

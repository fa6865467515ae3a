// Exponential Rosenbrock-Euler steps on a device, run by the serial back end, against those of the host.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/options.h"
#include "phiflex/run/device_series.h"
#include "tests/cuda/body_on_both.h"
#include "tests/cuda/plain_series.h"

namespace phiflex::device {
namespace {

IntegratorOptions host_options(double tolerance) {
  return {{"evaluator", std::string("chebyshev")}, {"tolerance", tolerance}};
}

// What differs is the K of the step, in float here: its entries are wrong by up to 6e-8, and a step of h w_max by as
// much times h w_max/2 of its fastest motion. steps: so many, of h.
void expect_steps_of_the_host(BodyOnBoth& c, const std::string& law, double h, int steps, double most) {
  HostSeries series;
  const auto ere = make_integrator("ere", *c.model, host_options(1e-9));
  State now = c.host_state(), next;
  for (int step = 0; step < steps; ++step) {
    const StepReport host = ere->step(now, h, next);
    ASSERT_EQ(host.status, StepStatus::ok) << law;
    const DeviceStep device = c.body->step_ere(h, {.tolerance = 1e-9}, series);
    ASSERT_EQ(device.status, DeviceStatus::ok) << law << ", step " << step;
    EXPECT_LE(device.function_error, 1e-9) << law;
    EXPECT_EQ(device.projected, host.work.projected_hessians > 0) << law << ", step " << step;
    if (!device.projected) {
      EXPECT_LE(device.products, 1.3 * double(host.work.stiffness_products) + 20) << law;
    }
    std::swap(now, next);
  }
  c.read();
  EXPECT_LE((c.of_free(c.x - c.box.rest) - now.q).norm(), most * now.q.norm()) << law;
  EXPECT_LE((c.of_free(c.v) - now.v).norm(), most * now.v.norm()) << law;
}

TEST(DeviceEre, ItsStepsAreThoseOfTheHostForEveryLaw) {
  for (const std::string& law : device_laws())
    for (const bool held : {true, false}) {
      BodyOnBoth c(law, held);
      expect_steps_of_the_host(c, law, 0.01, 5, 1e-6);
    }
}

// h w_max of 300 or less: the interval is that of Lanczos steps, and a series has more than a hundred terms. With some
// gravity, since a host whose acceleration is exactly zero leaves out half of the products.
TEST(DeviceEre, LongStepsAreThoseOfTheHost) {
  for (const char* law : {"linear", "corotated", "arap"}) {
    BodyOnBoth c(law, true, {0, -1e-3, 0}), other(law, true, {0, -1e-3, 0});
    for (BodyOnBoth* body : {&c, &other}) {
      body->x = body->box.rest;
      body->v *= 1e-3;
      body->set();
    }
    const double h = 300 / (1.8 / c.body->stable_substep());
    HostSeries series;
    EXPECT_GT(other.body->step_ere(h, {.tolerance = 1e-9}, series).products, 2 * 100 + 12);
    expect_steps_of_the_host(c, law, h, 2, 1e-5);
  }
}

// What check_card and bench_gpu take in the host's place, where nothing but nvcc is.
TEST(DeviceEre, ThePlainSeriesIsThatOfTheHost) {
  for (const double z : {10.0, 100.0, 600.0}) {
    BodyOnBoth a("linear", true, {0, 0, 0}), b("linear", true, {0, 0, 0});
    const double h = z / (1.8 / a.body->stable_substep());
    HostSeries host;
    PlainSeries plain;
    const DeviceStep of_host = a.body->step_ere(h, {.tolerance = 1e-8}, host),
                     of_plain = b.body->step_ere(h, {.tolerance = 1e-8}, plain);
    ASSERT_EQ(of_host.status, DeviceStatus::ok) << z;
    ASSERT_EQ(of_plain.status, DeviceStatus::ok) << z;
    EXPECT_LE(of_plain.products, 1.3 * of_host.products) << z;
    a.read();
    b.read();
    EXPECT_LE((a.x - b.x).norm(), 1e-7 * (a.x - a.box.rest).norm()) << z;
    EXPECT_LE((a.v - b.v).norm(), 1e-7 * a.v.norm()) << z;
  }
}

// Of a linear law: ten steps are one, whatever their length.
TEST(DeviceEre, IsExactForALinearLaw) {
  BodyOnBoth one("linear", true), ten("linear", true);
  HostSeries series, of_ten;
  const double first = one.body->energy().total();
  ASSERT_EQ(one.body->step_ere(0.1, {.tolerance = 1e-10}, series).status, DeviceStatus::ok);
  for (int step = 0; step < 10; ++step)
    ASSERT_EQ(ten.body->step_ere(0.01, {.tolerance = 1e-10}, of_ten).status, DeviceStatus::ok);
  const DeviceEnergy energy = one.body->energy();
  EXPECT_NEAR(energy.total(), first, 1e-6 * (energy.kinetic + energy.elastic));
  one.read();
  ten.read();
  EXPECT_LE((one.x - ten.x).norm(), 1e-6 * (one.x - one.box.rest).norm());
  EXPECT_LE((one.v - ten.v).norm(), 1e-6 * one.v.norm());
}

// What the host says of the spectrum is an estimate: an interval that is too short costs terms, or is widened.
struct TooShort final : DeviceSeriesMaker {
  HostSeries host;
  int made = 0;
  DeviceSeries make(double low, double high, double h, int largest_degree) override {
    ++made;
    return host.make(low, high, h, largest_degree);
  }
  std::array<double, 2> ends_of_spectrum(const std::vector<double>& alpha,
                                         const std::vector<double>& beta) override {
    const std::array<double, 2> ends = host.ends_of_spectrum(alpha, beta);
    return {ends[0], 0.6 * ends[1]};
  }
};

TEST(DeviceEre, AnIntervalThatIsTooShortShowsItself) {
  BodyOnBoth c("linear", true), right("linear", true);
  const double h = 100 / (1.8 / c.body->stable_substep());
  TooShort maker;
  HostSeries series;
  ASSERT_EQ(c.body->step_ere(h, {.tolerance = 1e-8}, maker).status, DeviceStatus::ok);
  EXPECT_GT(maker.made, 2);  // the short one, on the row sums, was the first
  ASSERT_EQ(right.body->step_ere(h, {.tolerance = 1e-8}, series).status, DeviceStatus::ok);
  c.read();
  right.read();
  EXPECT_LE((c.x - right.x).norm(), 1e-7 * (right.x - right.box.rest).norm());
  EXPECT_LE((c.v - right.v).norm(), 1e-7 * right.v.norm());
}

// A step asks for its series once, and not again while the interval is the same.
TEST(DeviceEre, SeriesAreKept) {
  BodyOnBoth c("linear", true);
  TooShort maker;
  const double h = 0.5 * c.body->stable_substep();
  for (int step = 0; step < 4; ++step) ASSERT_EQ(c.body->step_ere(h, {}, maker).status, DeviceStatus::ok);
  EXPECT_EQ(maker.made, 1);
}

// The stiffness is indefinite, and what grows outgrows the step.
TEST(DeviceEre, WhatOutgrowsItsStepIsMadeWithTheProjectedStiffness) {
  Compressed c;
  expect_steps_of_the_host(c, "stvk", 1.0, 1, 1e-5);
  Compressed projected, exact;
  HostSeries series;
  EXPECT_TRUE(projected.body->step_ere(1.0, {}, series).projected);
  const DeviceStep step = exact.body->step_ere(1.0, {.project_hessian = false}, series);
  EXPECT_EQ(step.status, DeviceStatus::ok);
  EXPECT_FALSE(step.projected);
}

// After a wait, the exact stiffness is taken again where M + h^2 K is positive definite, which is tried first.
TEST(DeviceEre, TheExactStiffnessComesBackWhereItIsDefinite) {
  HostSeries series;
  const auto after_a_wait = [&](BodyOnBoth& c, double h, double wait) {
    EXPECT_EQ(c.body->step_ere(1e-6, {}, series).status, DeviceStatus::ok);
    std::vector<double> saved = c.body->saved();
    saved[saved.size() - 3] = 1;  // suspicious
    saved[saved.size() - 2] = wait;
    EXPECT_TRUE(c.body->restore(saved));
    return c.body->step_ere(h, {}, series);
  };
  BodyOnBoth definite("neo-hookean", true), waiting("neo-hookean", true);
  const DeviceStep back = after_a_wait(definite, 0.01, 0);
  EXPECT_EQ(back.status, DeviceStatus::ok);
  EXPECT_FALSE(back.projected);
  EXPECT_GT(back.iterations, 0);
  EXPECT_TRUE(after_a_wait(waiting, 0.01, 5).projected);
  Compressed indefinite;
  const DeviceStep still = after_a_wait(indefinite, 0.2, 0);
  EXPECT_EQ(still.status, DeviceStatus::ok);
  EXPECT_TRUE(still.projected);
  const std::vector<double> saved = indefinite.body->saved();
  EXPECT_EQ(saved[saved.size() - 2], 7);   // of eight steps, this one among them
  EXPECT_EQ(saved[saved.size() - 1], 16);  // the next wait
}

struct NoSeries final : DeviceSeriesMaker {
  DeviceSeries::Outcome outcome = DeviceSeries::Outcome::not_resolved;
  DeviceSeries make(double, double, double, int) override {
    DeviceSeries series;
    series.outcome = outcome;
    return series;
  }
  std::array<double, 2> ends_of_spectrum(const std::vector<double>&, const std::vector<double>&) override {
    return {0, 1};
  }
};

TEST(DeviceEre, AFailedStepLeavesTheStateAsItWas) {
  BodyOnBoth c("neo-hookean", true);
  NoSeries maker;
  const Vector x = c.x, v = c.v;
  EXPECT_EQ(c.body->step_ere(0.01, {}, maker).status, DeviceStatus::function_not_evaluated);
  maker.outcome = DeviceSeries::Outcome::not_finite;
  BodyOnBoth other("neo-hookean", true);
  EXPECT_EQ(other.body->step_ere(0.01, {}, maker).status, DeviceStatus::not_finite);
  c.read();
  EXPECT_EQ(c.x, x);
  EXPECT_EQ(c.v, v);
  c.x.tail<3>() << -5, -5, -5;  // elements are turned inside out
  c.set();
  HostSeries series;
  EXPECT_EQ(c.body->step_ere(0.01, {}, series).status, DeviceStatus::not_finite);
}

TEST(DeviceEre, RestStaysAtRest) {
  BodyOnBoth c("corotated", true, {0, 0, 0});
  c.body->set_state(c.tets.rest, std::vector<double>(c.tets.rest.size(), 0.0));
  HostSeries series;
  ASSERT_EQ(c.body->step_ere(0.01, {}, series).status, DeviceStatus::ok);
  c.read();
  EXPECT_LE((c.x - c.box.rest).norm(), 1e-14);
}

TEST(DeviceEre, WhatWasNotSavedIsNotRestored) {
  BodyOnBoth c("neo-hookean", true);
  HostSeries series;
  ASSERT_EQ(c.body->step_ere(0.01, {}, series).status, DeviceStatus::ok);
  const std::vector<double> good = c.body->saved();
  for (const std::size_t k : {1u, 2u, 3u})
    for (const double wrong : {-1.0, 0.5, 65.0, std::nan("")}) {
      std::vector<double> forged = good;
      forged[forged.size() - k] = wrong;
      EXPECT_FALSE(c.body->restore(forged)) << k << " " << wrong;
    }
  EXPECT_EQ(c.body->saved(), good);
}

}  // namespace
}  // namespace phiflex::device

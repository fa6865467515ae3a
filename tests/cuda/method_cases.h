// The methods of devices with the settings that take both sides close to the solution of their equations.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/options.h"
#include "phiflex/run/device_series.h"
#include "tests/cuda/body_on_both.h"

namespace phiflex::device {

struct MethodCase {
  std::string name;
  IntegratorOptions options;
  std::function<DeviceStep(DeviceBody&, double h)> step;
  double tolerance;  // of what both sides reach, relative
};

inline const MethodCase kEm{"em",
                            {{"em_tolerance", 1e-10}, {"energy_tolerance", 1e-10}},
                            [](DeviceBody& body, double h) {
                              return body.step_em(h, {.em_tolerance = 1e-10, .energy_tolerance = 1e-10});
                            },
                            1e-7};
inline const MethodCase kDialled{
    "em",
    {{"em_tolerance", 1e-10}, {"energy_tolerance", 1e-10}, {"dissipation", 0.7}},
    [](DeviceBody& body, double h) {
      return body.step_em(h, {.em_tolerance = 1e-10, .energy_tolerance = 1e-10, .dissipation = 0.7});
    },
    1e-7};
inline const MethodCase kSi{"si",
                            {{"linear_tolerance", 1e-10}},
                            [](DeviceBody& body, double h) { return body.step_si(h, 1e-10); },
                            1e-6};
inline const MethodCase kBe{
    "be",
    {{"newton_tolerance", 1e-10}},
    [](DeviceBody& body, double h) { return body.step_newton(h, {.newton_tolerance = 1e-10}); },
    1e-9};
inline const MethodCase kMidpoint{"midpoint",
                                  {{"newton_tolerance", 1e-10}},
                                  [](DeviceBody& body, double h) {
                                    return body.step_newton(h, {.midpoint = true, .newton_tolerance = 1e-10});
                                  },
                                  1e-9};
inline const MethodCase kVerlet{
    "verlet", {}, [](DeviceBody& body, double h) { return body.step_verlet(h, 0); }, 1e-10};
inline const MethodCase kVerletInFive{"verlet",
                                      {{"substeps", std::int64_t{5}}},
                                      [](DeviceBody& body, double h) { return body.step_verlet(h, 5); },
                                      1e-10};

inline const MethodCase kMethods[] = {kEm, kDialled, kSi, kBe, kMidpoint, kVerlet, kVerletInFive};

// Some steps of both sides from the state of the body, and what em says of its work.
inline void expect_steps_of_the_host(BodyOnBoth& c, const MethodCase& method, double h, int steps) {
  const auto host = make_integrator(method.name, *c.model, method.options);
  State now = c.host_state(), next;
  for (int step = 0; step < steps; ++step) {
    const StepReport report = host->step(now, h, next);
    ASSERT_EQ(report.status, StepStatus::ok) << method.name;
    c.body->set_time(now.t);
    const DeviceStep device = method.step(*c.body, h);
    ASSERT_EQ(device.status, DeviceStatus::ok) << method.name << ", step " << step;
    if (report.step_work && method.name == "em") {
      const double scale = c.model->kinetic_energy(next) + 1e-3;
      EXPECT_NEAR(device.external_work, report.step_work->external, 1e-6 * scale) << step;
      EXPECT_NEAR(device.dissipated, report.step_work->dissipated, 1e-6 * scale) << step;
    }
    std::swap(now, next);
  }
  c.read();
  EXPECT_LE((c.of_free(c.x - c.box.rest) - now.q).norm(), method.tolerance * now.q.norm()) << method.name;
  EXPECT_LE((c.of_free(c.v) - now.v).norm(), method.tolerance * now.v.norm()) << method.name;
}

}  // namespace phiflex::device

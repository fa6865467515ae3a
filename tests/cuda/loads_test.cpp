// Loads that change in time, on a device, run by the serial back end, against those of the host.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/cuda/method_cases.h"

namespace phiflex::device {
namespace {

// On all vertices, with a gust; and on some of them, from a time on, along a profile.
std::vector<std::shared_ptr<const NodalLoad>> changing_loads(const ElasticBox& box) {
  const Index size = box.rest.size();
  std::vector<int> every(std::size_t(size / 3)), some;
  std::iota(every.begin(), every.end(), 0);
  for (const int v : every)
    if (v % 5 == 0) some.push_back(v);
  return {std::make_shared<NodalLoad>(every, Vector(0.3 * wiggle(size, 0.4)), ActiveTime{},
                                      Modulation{.amplitude = 0.5, .frequency = 11}),
          std::make_shared<NodalLoad>(some, Vector(2 * wiggle(3 * Index(some.size()), 2.4)),
                                      ActiveTime{.from = 0.01, .until = 0.04},
                                      Modulation{.profile = {{0.0, 0.0}, {0.03, 1.5}, {0.1, -1}}})};
}

struct Loaded : BodyOnBoth {
  explicit Loaded(const std::string& law, bool held = true)
      : BodyOnBoth(law, held, {0, -9.81, 0}, [](const ElasticBox& of) { return changing_loads(of); }) {}
};

TEST(DeviceLoads, EveryMethodTakesThemAtTheTimesOfTheHost) {
  for (const MethodCase& method : kMethods) {
    Loaded c("neo-hookean");
    expect_steps_of_the_host(c, method, 0.01, 6);
  }
}

TEST(DeviceLoads, FreeBodiesMoveAsAWholeAsOnTheHost) {
  for (const MethodCase& method : {kEm, kMidpoint}) {
    Loaded c("stable-neo-hookean", false);
    expect_steps_of_the_host(c, method, 0.01, 6);
  }
}

// A step that is divided takes them at the times of its parts.
TEST(DeviceLoads, PartsOfAStepHaveTimesOfTheirOwn) {
  Loaded whole("neo-hookean"), parts("neo-hookean");
  const DeviceEmOptions options{.em_tolerance = 1e-10, .energy_tolerance = 1e-10, .substeps = 4};
  DeviceEmOptions one = options;
  one.substeps = 1;
  ASSERT_EQ(whole.body->step_em(0.02, options).status, DeviceStatus::ok);
  for (int k = 0; k < 4; ++k) ASSERT_EQ(parts.body->step_em(0.005, one).status, DeviceStatus::ok);
  whole.read();
  parts.read();
  EXPECT_LE((whole.x - parts.x).norm(), 1e-13 * whole.x.norm());
  EXPECT_LE((whole.v - parts.v).norm(), 1e-11 * whole.v.norm());
}

// A steady load is one of the forces of ere.
TEST(DeviceLoads, SteadyOnesArePartOfAnExponentialStep) {
  BodyOnBoth c("neo-hookean", true, {0, -9.81, 0}, [](const ElasticBox&) {
    return std::vector{
        std::make_shared<const NodalLoad>(std::vector{1, 7}, Vector(wiggle(6, 0.4)), ActiveTime{})};
  });
  HostSeries series;
  const MethodCase ere{
      "ere",
      {{"evaluator", std::string("chebyshev")}, {"tolerance", 1e-9}},
      [&](DeviceBody& body, double h) { return body.step_ere(h, {.tolerance = 1e-9}, series); },
      1e-6};
  expect_steps_of_the_host(c, ere, 0.01, 5);
}

}  // namespace
}  // namespace phiflex::device

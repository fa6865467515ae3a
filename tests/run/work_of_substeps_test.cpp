// Contact in explicit steps: the ledger sees the parts of a step, friction is implicit, and `auto` gains nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

struct Course {
  double kinetic = 0, gain = 0, loss = 0, least_friction = 0;  // J; the least that friction took in a step
  double friction = 0, external = 0;                           // J, of the whole run
  long halved = 0, inner = 0;
  std::vector<std::string> methods;
};

Course course_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::vector<Problem> unused;
  Simulation simulation(parse_scene(text, "test.json", {overrides, method_words()}, unused), "test.json");
  Course course;
  while (simulation.step() < simulation.steps()) {
    const double before = simulation.ledger().friction;
    if (simulation.advance() != StepStatus::ok) {
      ADD_FAILURE() << simulation.failure();
      break;
    }
    const LedgerRow& row = simulation.ledger();
    course.kinetic = std::max(course.kinetic, row.energies.kinetic);
    course.gain = std::max(course.gain, -row.numerical_loss);
    course.loss = std::max(course.loss, row.numerical_loss);
    course.least_friction = std::min(course.least_friction, row.friction - before);
  }
  course.friction = simulation.ledger().friction;
  course.external = simulation.ledger().external_work;
  course.halved = simulation.work().halved_steps;
  course.inner = simulation.work().inner_steps;
  for (const auto& change : simulation.method_changes()) course.methods.push_back(change.method);
  return course;
}

// A cube of 10 cm on a slope of 20 degrees, in steps of which each is some 20 explicit ones.
const std::string slope =
    R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.5 }, "integrator": { "type": "verlet" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "c", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3] },
      "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0, 0.02, 0], "rotate": [[0, 0, 1], 20] } } ],
    "contacts": [ { "type": "plane", "point": [0, 0, 0], "normal": [-0.3420201433256687, 0.9396926207859084, 0],
      "friction": 0.2 } ] })";

TEST(ExplicitFriction, OfAnObstacleIsBookedByTheStepsInWhichItActs) {
  const Course course = course_of(slope);
  EXPECT_GE(course.least_friction, 0);
  EXPECT_GT(course.friction, 0.1);
  EXPECT_LT(std::max(course.gain, course.loss), 0.005 * course.kinetic);
  EXPECT_EQ(course.external, 0);
}

std::string two_cubes(const std::string& young, const std::string& slip_speed) {
  return R"({ "phiflex": 1, "time": { "step": 0.004, "end": 0.3 }, "integrator": { "type": "verlet" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "c", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3] },
      "material": { "type": "neo-hookean", "young": )" +
         young + R"(, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0, 0.02, 0] } },
      { "name": "d", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3] },
      "material": { "type": "neo-hookean", "young": )" +
         young + R"(, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0.02, 0.16, 0.01] } } ],
    "contacts": [ { "type": "floor" }, { "type": "bodies", "friction": 0.3)" +
         slip_speed + " } ] }";
}

TEST(ExplicitFriction, OfBodiesIsBookedByTheStepsInWhichItActs) {
  const Course course = course_of(two_cubes("1e5", R"(, "slip_speed": 0.05)"));
  EXPECT_GE(course.least_friction, -1e-6 * course.kinetic);
  EXPECT_GT(course.friction, 0.01);
  EXPECT_LT(std::max(course.gain, course.loss), 0.005 * course.kinetic);
}

TEST(ExplicitFriction, OfBodiesIsNoStifferForTheDefaultSlipSpeed) {
  const Course soft = course_of(two_cubes("2e4", R"(, "slip_speed": 0.05)")),
               hard = course_of(two_cubes("2e4", ""));
  EXPECT_LT(hard.inner, 2 * soft.inner);
  EXPECT_GE(hard.least_friction, -1e-6 * hard.kinetic);
  EXPECT_LT(std::max(hard.gain, hard.loss), 0.005 * hard.kinetic);
}

TEST(ExplicitFriction, ThatACarriageMovesIsPaidForByItsMover) {
  const std::string belt =
      R"({ "phiflex": 1, "time": { "step": 0.01, "end": 0.4 }, "integrator": { "type": "verlet" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "c", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0, 0.01, 0] } } ],
    "contacts": [ { "type": "floor", "friction": 0.3,
      "motion": { "keys": [ { "time": 0 }, { "time": 1, "translate": [0.5, 0, 0] } ] } } ] })";
  const Course course = course_of(belt);
  EXPECT_GT(course.external, 0.1);
  EXPECT_LT(std::max(course.gain, course.loss), 0.01 * course.external);
}

// A sphere of 5 m/s strikes a cube: the way of a step is a quarter of it.
TEST(ExplicitSteps, TheWorkOfAMovedObstacleIsThatOfTheirParts) {
  const Course course = course_of(
      R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.2 }, "integrator": { "type": "verlet" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "b", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3] },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0, 0.02, 0] } } ],
    "contacts": [ { "type": "floor" }, { "type": "sphere", "center": [-0.5, 0.07, 0.05], "radius": 0.05,
      "motion": { "keys": [ { "time": 0 }, { "time": 0.2, "translate": [1, 0, 0] } ] } } ] })");
  EXPECT_GT(course.external, 10);
  EXPECT_LT(std::max(course.gain, course.loss), 0.005 * course.external);
}

// A ball of jelly that strikes the floor at more than the speed of its waves.
class HardImpact : public ::testing::TestWithParam<const char*> {};

TEST_P(HardImpact, GivesNoEnergyByAuto) {
  const Course course = course_of(
      R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.1 }, "integrator": { "type": "auto" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "b", "mesh": { "generate": "ball", "radius": 0.06, "resolution": 2 },
      "material": { "type": "neo-hookean", "young": 2e4, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0, 0.1, 0] }, "initial": { "velocity": [0, -8, 0] } } ],
    "contacts": [ { "type": "floor" } ] })",
      {std::string("bodies.0.material.type=") + GetParam()});
  EXPECT_LT(course.gain, 0.001 * course.kinetic);
  EXPECT_LT(course.loss, 0.01 * course.kinetic);
}

INSTANTIATE_TEST_SUITE_P(Materials, HardImpact,
                         ::testing::Values("neo-hookean", "corotated", "stable-neo-hookean", "stvk"));

// A projection rings the fastest vibrations as an impact does.
TEST(ExplicitSteps, AreShortAfterAProjection) {
  const Course course = course_of(
      R"({ "phiflex": 1, "time": { "step": 0.005, "end": 0.6 }, "integrator": { "type": "verlet" },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "b", "mesh": { "generate": "ball", "radius": 0.06, "resolution": 2 },
      "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 },
      "transform": { "translate": [0, 0.1, 0] } } ],
    "contacts": [ { "type": "floor", "mode": "project" } ] })");
  EXPECT_LT(course.gain, 0.01 * course.kinetic);
}

}  // namespace
}  // namespace phiflex

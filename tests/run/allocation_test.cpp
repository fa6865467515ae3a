// The whole time loop of a simulation, ledger included, keeps off the heap once it is under way.
#include "tests/allocation_counter.h"

#include <gtest/gtest.h>

#include "phiflex/linalg/cholesky.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"

namespace phiflex {
namespace {

using testing::allocations_of;

class SteadySimulation : public ::testing::TestWithParam<const char*> {};

TEST_P(SteadySimulation, AllocatesNothing) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  set_blas_threads(1);
  std::vector<Problem> remarks;
  const Scene scene = parse_scene(R"({ "time": { "step": 0.002, "end": 1 }, "gravity": [0, -9.81, 0],
      "integrator": { "type": ")" + std::string(GetParam()) +
                                      R"(" },
      "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2] },
                    "material": { "type": "neo-hookean", "young": 2e5, "density": 1000 },
                    "damping": { "stiffness": 0.001 } } ],
      "constraints": [ { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] }, "type": "fix" } ],
      "contacts": [ { "type": "floor", "height": -0.01, "stiffness": 1e5 } ] })",
                                  "test", {{}, method_words()}, remarks);
  const SceneModel world = build_scene(scene, "test");
  Simulation simulation(scene, world, 500);
  // The bar has met the floor, and what is to be said of the energy that this brings has been said.
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  const Work before = simulation.work();
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 60 && simulation.advance() == StepStatus::ok; ++i) {
              }
            }),
            0);
  EXPECT_EQ(simulation.step(), 160) << simulation.failure();
  EXPECT_GT(simulation.work().force_evaluations, before.force_evaluations);
}

INSTANTIATE_TEST_SUITE_P(Methods, SteadySimulation,
                         ::testing::Values("si", "be", "midpoint", "bdf2", "tr-bdf2", "newmark",
                                           "generalized-alpha"),
                         [](const auto& method) {
                           std::string name = method.param;
                           if (const auto dash = name.find('-'); dash != std::string::npos) name[dash] = '_';
                           return name;
                         });

}  // namespace
}  // namespace phiflex

// The whole time loop of a simulation, ledger included, keeps off the heap once it is under way.
#include "tests/allocation_counter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

using testing::allocations_of;

class SteadySimulation : public ::testing::TestWithParam<std::string> {};

TEST_P(SteadySimulation, AllocatesNothing) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  set_blas_threads(1);
  const bool small_steps = find_integrator(GetParam())->info->conditionally_stable;
  const int before_contact = small_steps ? 400 : 100;  // 0.2 s
  std::vector<Problem> remarks;
  const Scene scene = parse_scene(R"({ "time": { "step": )" + std::string(small_steps ? "0.0005" : "0.002") +
                                      R"(, "end": 1 }, "gravity": [0, -9.81, 0],
      "integrator": { "type": ")" + GetParam() +
                                      R"(" },
      "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2] },
                    "material": { "type": "neo-hookean", "young": 2e5, "density": 1000 },
                    "damping": { "stiffness": 0.001 } } ],
      "constraints": [ { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] }, "type": "fix" } ],
      "contacts": [ { "type": "floor", "height": -0.01, "stiffness": 1e5 } ] })",
                                  "test", {{}, method_words()}, remarks);
  const SceneModel world = build_scene(scene, "test");
  Simulation simulation(scene, world, before_contact + 100);
  // The bar has met the floor, and what is to be said of the energy that this brings has been said.
  for (int i = 0; i < before_contact; ++i)
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  const Work before = simulation.work();
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 60 && simulation.advance() == StepStatus::ok; ++i) {
              }
            }),
            0);
  EXPECT_EQ(simulation.step(), before_contact + 60) << simulation.failure();
  EXPECT_GT(simulation.work().force_evaluations, before.force_evaluations);
}

// Of the whole catalogue, but methods with an evaluator of matrix functions: its basis is as large as the state needs,
// and its memory grows with the largest one so far.
std::vector<std::string> steady_methods() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : integrator_catalogue()) {
    const std::vector<std::string> keys = option_keys(entry);
    if (std::find(keys.begin(), keys.end(), "evaluator") == keys.end()) names.emplace_back(entry.info->name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, SteadySimulation, ::testing::ValuesIn(steady_methods()),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace phiflex

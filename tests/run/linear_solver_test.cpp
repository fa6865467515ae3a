// The scene's `solver`: a multigrid in place of a factorization moves bodies in the same way.
#include <gtest/gtest.h>

#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

// 1,050 vertices, a twisted bar: more than what a multigrid would factorize.
Scene twisted_bar(const std::string& method, const std::string& solver) {
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": 0.08 },
    "integrator": { "type": ")" +
                         method + R"(", "solver": ")" + solver + R"(" }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [20, 6, 6] },
        "initial": { "twist": { "axis": "x", "angle": 40 } },
        "material": { "type": "neo-hookean", "young": 3e5, "poisson": 0.4, "density": 1000 } } ],
    "constraints": [ { "body": "bar", "type": "fix", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })",
                     "linear_solver_test", read_options(), warnings);
}

class LinearSolverOf : public ::testing::TestWithParam<std::string> {};

TEST_P(LinearSolverOf, AMultigridMovesTheBodyAsAFactorizationDoes) {
  Simulation factorized(twisted_bar(GetParam(), "factorization")),
      cycled(twisted_bar(GetParam(), "multigrid"));
  double motion = 0;
  for (int step = 0; step < 8; ++step) {
    ASSERT_EQ(factorized.advance(), StepStatus::ok) << factorized.failure();
    ASSERT_EQ(cycled.advance(), StepStatus::ok) << cycled.failure();
    motion = std::max(motion, factorized.state().q.cwiseAbs().maxCoeff());
  }
  // Both steps are solved to the method's own tolerance, of 1e-3 for the coarsest of them (em).
  EXPECT_LE((factorized.state().q - cycled.state().q).cwiseAbs().maxCoeff(), 2e-3 * motion);
}

TEST_P(LinearSolverOf, AMultigridGoesOnBitForBitAfterARestart) {
  const Scene scene = twisted_bar(GetParam(), "multigrid");
  Simulation whole(scene), resumed(scene);
  for (int step = 0; step < 8; ++step) {
    if (step == 5) {
      ArchiveWriter out;
      whole.save(out);
      ArchiveReader in(out.bytes());
      resumed.load(in);
    }
    ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
    if (step >= 5) {
      ASSERT_EQ(resumed.advance(), StepStatus::ok) << resumed.failure();
    }
  }
  EXPECT_EQ(whole.state().q, resumed.state().q);
  EXPECT_EQ(whole.state().v, resumed.state().v);
}

INSTANTIATE_TEST_SUITE_P(ImplicitMethods, LinearSolverOf, ::testing::Values("si", "be", "em", "siere"));

TEST(LinearSolver, AutoFactorizesABodyOfUsualSizeAndSaysNothing) {
  const Simulation simulation(twisted_bar("em", "auto"));
  EXPECT_EQ(simulation.solver_note(), "");
}

}  // namespace
}  // namespace phiflex

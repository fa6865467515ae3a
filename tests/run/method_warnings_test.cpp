// What a run and a check say of a method's settings before the first step.
#include <gtest/gtest.h>

#include "phiflex/base/errors.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex::testing {
namespace {

std::vector<std::string> warnings_of(const std::string& integrator, const std::string& body) {
  std::vector<Problem> unused;
  const Scene scene = parse_scene(R"({ "time": { "step": 0.01, "end": 1 }, "integrator": )" + integrator +
                                      R"(, "bodies": [ )" + body + " ] }",
                                  "test.json", {{}, method_words()}, unused);
  EXPECT_TRUE(unused.empty());
  std::vector<std::string> warnings;
  check_scene(scene, "test.json", warnings);
  return warnings;
}

const std::string box =
    R"({ "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [2, 1, 1] },
  "material": { "type": "neo-hookean", "young": 2e4, "density": 1000 } })";
const std::string rope =
    R"({ "name": "rope", "springs": { "generate": "rope", "from": [0, 0.5, 0], "to": [0.4, 0.5, 0],
  "segments": 6, "stiffness": 20, "linear_density": 0.2 } })";

TEST(MethodWarnings, TellThatAnRBesideOneChangesTheFrequencies) {
  EXPECT_TRUE(warnings_of(R"({ "type": "zheng", "p": 0.3 })", box).empty());
  const auto said = warnings_of(R"({ "type": "zheng", "r": 3 })", box);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("0.577"), std::string::npos);
}

TEST(MethodWarnings, TellThatMssiIsSiWhereNothingIsSplit) {
  EXPECT_TRUE(warnings_of(R"({ "type": "mssi" })", rope).empty());
  const auto said = warnings_of(R"({ "type": "mssi" })", box);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("the same as si"), std::string::npos);
}

TEST(MethodWarnings, TheSceneReachesTheMethod) {
  const auto said = warnings_of(R"({ "type": "gui", "lambda": 12 })", box);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("lambda = 12"), std::string::npos) << said[0];
}

TEST(MethodWarnings, AMethodForHeldBodiesRefusesAFreeOneBeforeTheRun) {
  EXPECT_THROW(warnings_of(R"({ "type": "emx" })", box), InputError);
}

TEST(MethodWarnings, AMethodForHeldBodiesEndsTheRunWhereTheyAreReleasedAndSaysWhy) {
  std::vector<Problem> unused;
  const Scene scene = parse_scene(R"({ "time": { "step": 0.01, "end": 0.1 }, "integrator": { "type": "emx" },
    "bodies": [ )" + box + R"( ], "constraints": [ { "type": "fix", "body": "bar", "until": 0.03,
      "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })",
                                  "test.json", {{}, method_words()}, unused);
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, 10);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(simulation.advance(), StepStatus::ok);
  EXPECT_EQ(simulation.advance(), StepStatus::refused);
  EXPECT_NE(simulation.failure().find("turn freely"), std::string::npos);
  EXPECT_EQ(simulation.step(), 3);
}

}  // namespace
}  // namespace phiflex::testing

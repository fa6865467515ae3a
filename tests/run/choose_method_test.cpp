#include "phiflex/run/choose_method.h"

#include <gtest/gtest.h>

#include "phiflex/integrate/em_options.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

const std::string kHeld = R"(, "constraints": [ { "body": "bar", "type": "fix",
    "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])";

Scene bar(const std::string& young, const std::string& integrator, const std::string& rest) {
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": 0.1 },
      "integrator": )" + integrator +
                         R"(, "bodies": [ { "name": "bar",
        "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [12, 3, 3] },
        "material": { "type": "neo-hookean", "young": )" +
                         young + R"(, "poisson": 0.45, "density": 1000 } } ])" + rest + "}",
                     "test", {}, warnings);
}

MethodChoice choice_for(const Scene& scene) {
  const SceneModel world = build_scene(scene, "test");
  const auto model = world.make_model(0);
  return choose_method(scene.integrator, *model, scene_work(world, *model), scene.time.step);
}
constexpr const char* kAuto = R"({ "type": "auto" })";

TEST(ChooseMethod, TakesWhatTheSceneNamesAndSaysNothing) {
  const MethodChoice choice = choice_for(bar("1e6", R"({ "type": "siere" })", kHeld));
  EXPECT_EQ(choice.spec.type, "siere");
  EXPECT_EQ(choice.note, "");
}

TEST(ChooseMethod, GoesExplicitWhereABodyIsSoftAndCoarse) {
  const MethodChoice choice = choice_for(bar("1e4", kAuto, kHeld));
  EXPECT_EQ(choice.spec.type, "verlet");
  EXPECT_NE(choice.note.find("explicit"), std::string::npos) << choice.note;
}

TEST(ChooseMethod, FitsTheModesOfAStiffBodyThatIsHeld) {
  const MethodChoice choice = choice_for(bar("1e7", kAuto, kHeld));
  EXPECT_EQ(choice.spec.type, "emx");
  EXPECT_EQ(choice.spec.options, (IntegratorOptions{{"modes", 10}}));
}

TEST(ChooseMethod, KeepsTheMomentaOfAFreeBodyWithTheDialAtNineTenths) {
  const MethodChoice choice = choice_for(bar("1e7", kAuto, ""));
  EXPECT_EQ(choice.spec.type, "em");
  EXPECT_EQ(choice.spec.options, (IntegratorOptions{{"dissipation", 0.9}}));
}

// Neither the explicit method, which is cheaper here, nor the dial at nine tenths, which would take from the bounce.
TEST(ChooseMethod, TakesTheImplicitMethodWithItsDialAtOneWhereABarrierIs) {
  for (const char* young : {"1e4", "1e7"}) {
    const MethodChoice choice =
        choice_for(bar(young, kAuto, R"(, "contacts": [ { "type": "floor", "height": -1 } ])"));
    EXPECT_EQ(choice.spec.type, "em") << young;
    EXPECT_EQ(choice.spec.options.read<EmOptions>().dissipation, 1) << young;
    EXPECT_NE(choice.note.find("its dial is at 1"), std::string::npos) << choice.note;
  }
}

// At 1e10 the lowest mode turns by 20 rad in a step: nobody sees it.
TEST(ChooseMethod, FitsNoModeThatAStepDoesNotShow) {
  EXPECT_EQ(choice_for(bar("1e10", kAuto, kHeld)).spec.type, "em");
}

TEST(ChooseMethod, LeavesADialThatTheSceneSets) {
  EXPECT_EQ(choice_for(bar("1e7", R"({ "type": "auto", "dissipation": 0.5 })", "")).spec.options,
            (IntegratorOptions{{"dissipation", 0.5}}));
}

TEST(ChooseMethod, ChoosesAgainWhenABodyIsReleased) {
  const Scene scene = bar("1e7", kAuto, R"(, "constraints": [ { "body": "bar", "type": "fix", "until": 0.03,
      "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])");
  const SceneModel world = build_scene(scene, "test");
  Simulation simulation(scene, world, 5);
  EXPECT_EQ(simulation.method().name, "emx");
  for (int step = 0; step < 5; ++step)
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  EXPECT_EQ(simulation.method().name, "em");
}

// Strands whose bending is below the rounding of their stretching: the modes that emx would fit are not found.
TEST(ChooseMethod, TakesThePlainMethodWhereTheFittedOneRefusesTheScene) {
  std::vector<Problem> warnings;
  const auto hair = [&](const std::string& method) {
    return read_scene(std::string(PHIFLEX_SOURCE_DIR) + "/scenes/hair/scene.json",
                      read_options({"integrator.type=" + method}), warnings);
  };
  EXPECT_THROW(Simulation(hair("emx"), "hair"), InputError);
  Simulation simulation(hair("auto"), "hair");
  EXPECT_NE(simulation.choice().note.find("use \"em\""), std::string::npos) << simulation.choice().note;
  EXPECT_EQ(simulation.method().name, "em");
  EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
}

// Damping by mass costs no product with a stiffness, and the ends of a step tell what it did.
TEST(ChooseMethod, PricesDampingByMassAsNoDampingButForTheSecondForce) {
  const auto work_with = [](const std::string& damping) {
    std::vector<Problem> warnings;
    const Scene scene = parse_scene(R"({ "phiflex": 1, "time": { "step": 0.01, "end": 0.1 }, "bodies": [
        { "name": "rope", "springs": { "generate": "rope", "from": [0, 1, 0], "to": [1, 1, 0],
          "segments": 8, "stiffness": 10, "linear_density": 0.1 })" +
                                        damping + "} ] }",
                                    "test", {}, warnings);
    const SceneModel world = build_scene(scene, "test");
    const auto model = world.make_model(0);
    return scene_work(world, *model);
  };
  const SceneWork plain = work_with(""), by_mass = work_with(R"(, "damping": { "mass": 0.1 })"),
                  by_stiffness = work_with(R"(, "damping": { "stiffness": 0.01 })");
  EXPECT_EQ(by_mass.prices.force, plain.prices.force);
  EXPECT_EQ(by_mass.prices.forces, 2);
  EXPECT_EQ(by_mass.prices.iterations, plain.prices.iterations);
  EXPECT_EQ(by_mass.price_of_ledger(), 1);
  EXPECT_GT(by_stiffness.prices.force, plain.prices.force);
  EXPECT_LT(by_stiffness.prices.iterations, plain.prices.iterations);
  EXPECT_EQ(by_stiffness.price_of_ledger(), 2);
}

}  // namespace
}  // namespace phiflex

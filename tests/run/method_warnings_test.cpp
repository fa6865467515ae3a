// What a run and a check say of a method's settings before the first step.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "phiflex/base/errors.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex::testing {
namespace {

std::vector<std::string> warnings_of(const std::string& integrator, const std::string& body) {
  std::vector<Problem> unused;
  const Scene scene = parse_scene(R"({ "time": { "step": 0.01, "end": 1 }, "integrator": )" + integrator +
                                      R"(, "bodies": [ )" + body + " ] }",
                                  "test.json", {{}, method_words()}, unused);
  EXPECT_TRUE(unused.empty());
  Messages messages;
  check_scene(scene, "test.json", messages);
  return messages.warnings();
}

const std::string box =
    R"({ "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [2, 1, 1] },
  "material": { "type": "neo-hookean", "young": 2e4, "density": 1000 } })";
const std::string rope =
    R"({ "name": "rope", "springs": { "generate": "rope", "from": [0, 0.5, 0], "to": [0.4, 0.5, 0],
  "segments": 6, "stiffness": 20, "linear_density": 0.2 } })";

TEST(MethodWarnings, TellThatAnRBesideOneChangesTheFrequencies) {
  EXPECT_TRUE(warnings_of(R"({ "type": "zheng", "p": 0.3 })", box).empty());
  const auto warnings = warnings_of(R"({ "type": "zheng", "r": 3 })", box);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("0.577"), std::string::npos);
}

TEST(MethodWarnings, TellThatMssiIsSiWhereNothingIsSplit) {
  EXPECT_TRUE(warnings_of(R"({ "type": "mssi" })", rope).empty());
  const auto warnings = warnings_of(R"({ "type": "mssi" })", box);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("the same as si"), std::string::npos);
}

TEST(MethodWarnings, TellThatEpirk4s3IsNotForContacts) {
  EXPECT_TRUE(warnings_of(R"({ "type": "epirk4s3" })", box).empty());
  const std::string low =
      R"(, { "name": "low", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [2, 1, 1] },
    "material": { "type": "neo-hookean", "young": 2e4, "density": 1000 }, "transform": { "translate": [0, -0.3, 0] } })";
  EXPECT_TRUE(warnings_of(R"({ "type": "pexprb43" })", box + low).empty());
  const auto warnings = warnings_of(R"({ "type": "epirk4s3" })", box + low);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("with friction gained 30 %"), std::string::npos);
}

// A value that the option may have and that is not its default.
OptionValue another_value(const Option& option) {
  std::vector<OptionValue> candidates;
  if (const bool* flag = std::get_if<bool>(&option.fallback)) candidates = {!*flag};
  if (const auto* integer = std::get_if<std::int64_t>(&option.fallback))
    candidates = {*integer + 1, *integer - 1, std::int64_t{2}, std::int64_t{3}};
  if (const double* number = std::get_if<double>(&option.fallback))
    candidates = {*number / 2, *number + 0.125, 0.25, 0.75, 1.5};
  if (option.kind == OptionKind::word) candidates.assign(option.words.begin(), option.words.end());
  if (option.kind == OptionKind::evaluator)
    candidates = {EvaluatorSettings{.type = "auto", .tolerance = 1e-3}};
  for (const OptionValue& candidate : candidates) {
    if (candidate == option.fallback) continue;
    try {
      option.check(candidate);
      return candidate;
    } catch (const std::invalid_argument&) {
    }
  }
  ADD_FAILURE() << option.key << ": no other value found";
  return option.fallback;
}

nlohmann::json json_of(const OptionValue& value) {
  if (const auto* evaluator = std::get_if<EvaluatorSettings>(&value))
    return {{"type", evaluator->type}, {"tolerance", *evaluator->tolerance}};
  return std::visit(
      [](const auto& one) {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, EvaluatorSettings>) {
          return nlohmann::json();
        } else {
          return nlohmann::json(one);
        }
      },
      value);
}

// From the text of a scene to its options.
TEST(MethodWarnings, EveryKeyOfEveryMethodIsReadFromAScene) {
  for (const MethodEntry& method : integrator_catalogue())
    for (const Option& option : method.options) {
      if (!option.in_scenes) continue;
      SCOPED_TRACE(std::string(method.info->name) + ": " + option.key);
      const OptionValue value = another_value(option);
      const nlohmann::json integrator = {{"type", method.info->name}, {option.key, json_of(value)}};
      std::vector<Problem> unused;
      const Scene scene = parse_scene(R"({ "time": { "step": 0.01, "end": 1 }, "integrator": )" +
                                          integrator.dump() + R"(, "bodies": [ )" + box + " ] }",
                                      "test.json", read_options({}), unused);
      EXPECT_TRUE(unused.empty()) << unused[0].message;
      ASSERT_NE(scene.integrator.options.find(option.key), nullptr);
      EXPECT_TRUE(*scene.integrator.options.find(option.key) == value);
    }
}

// From a scene's options to what the catalogue's function is called with.
TEST(MethodWarnings, TheOptionsOfTheSceneReachTheMethod) {
  static constexpr MethodInfo kInfo{.name = "keeps-its-options", .summary = "does not move", .citation = ""};
  static IntegratorOptions received;
  struct Standing final : Integrator {
    const MethodInfo& info() const override { return kInfo; }
    StepReport step(const State& now, double, State& next) override {
      next = now;
      return {};
    }
  };
  register_integrator(
      {&kInfo, integrator_options(), [](const MechanicalSystem&, const IntegratorOptions& options) {
         received = options;
         return std::make_unique<Standing>();
       }});
  std::vector<Problem> unused;
  Scene scene =
      parse_scene(R"({ "time": { "step": 0.01, "end": 1 }, "integrator": "keeps-its-options", "bodies": [ )" +
                      box + " ] }",
                  "test.json", read_options({}), unused);
  for (const Option& option : integrator_options())
    scene.integrator.options.set(option.key, another_value(option));
  const Simulation simulation(scene, build_scene(scene, "test.json"), 10);
  EXPECT_GT(received.values().size(), 20u);
  EXPECT_TRUE(received == scene.integrator.options);
}

// From these to the method's own struct: a value of another type is refused by the method that reads the key.
TEST(MethodWarnings, EveryMethodReadsEachOfItsKeys) {
  std::vector<Problem> unused;
  const Scene scene = parse_scene(R"({ "time": { "step": 0.01, "end": 1 }, "bodies": [ )" + box +
                                      R"( ], "constraints": [ { "type": "fix", "body": "bar",
      "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })",
                                  "test.json", read_options({}), unused);
  const SceneModel world = build_scene(scene, "test.json");
  const auto model = world.make_model(0);
  for (const MethodEntry& method : integrator_catalogue())
    for (const Option& option : method.options) {
      SCOPED_TRACE(std::string(method.info->name) + ": " + option.key);
      IntegratorOptions options;
      options.set(option.key, option.kind == OptionKind::flag ? OptionValue(0.5) : OptionValue(true));
      try {
        method.make(*model, options);
        ADD_FAILURE() << "the value was not read";
      } catch (const std::invalid_argument& refusal) {
        EXPECT_NE(std::string(refusal.what()).find(option.key), std::string::npos) << refusal.what();
      }
    }
}

TEST(MethodWarnings, SpeakOfTheSettingsOfTheScene) {
  const auto warnings = warnings_of(R"({ "type": "gui", "lambda": 12 })", box);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("lambda = 12"), std::string::npos) << warnings[0];
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

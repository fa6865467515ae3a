// A run whose energy comes from nowhere says so, and one that diverges is stopped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "phiflex/record/energy_csv.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex::testing {
namespace {

// Twisted three times: `gui`, which solves with the stiffness of the rest shape, makes 1e21 J of 10.
const std::string kDivergingText = R"({ "name": "diverging", "time": { "step": 0.01, "end": 0.1 },
  "integrator": { "type": "gui" }, "gravity": [0, -9.81, 0],
  "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1] },
    "material": { "type": "corotated", "young": 1e5, "poisson": 0.4, "density": 1000 },
    "initial": { "twist": { "axis": "x", "angle": 1000 } } } ],
  "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })";

RunSummary summary_of(const std::filesystem::path& folder, const std::vector<std::string>& overrides) {
  std::vector<Problem> unused;
  const Scene scene = parse_scene(kDivergingText, "test.json", read_options(overrides), unused);
  RunOptions options;
  options.folder = folder;
  options.frames = Frames::none;
  return run_scene(scene, "test.json", {}, options);
}

TEST(EnergyLimit, StopsARunThatDivergesAndSaysWhereItBegan) {
  const ScratchFolder scratch;
  const RunSummary summary = summary_of(scratch.path() / "run", {});
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_LT(summary.steps, 10);
  for (const char* words : {"diverged", "1000 times", "limits.energy", "from step ",
                            "what may help: the integrator em, half the step (0.005 s), a stiffer material"})
    EXPECT_NE(summary.reason.find(words), std::string::npos) << summary.reason;
  EXPECT_EQ(summary.reason.find("softer contacts"), std::string::npos)
      << "there are none: " << summary.reason;
  const std::vector<std::string> warnings = summary.messages.warnings();
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings.back().find("have no source"), std::string::npos) << warnings.back();
  EXPECT_LE(summary.energy_last, 1000 * summary.energy_available) << "the last row is that of a good step";
  EXPECT_EQ(read_run_json(scratch.path() / "run/run.json")["status"], "failed");
}

TEST(EnergyLimit, IsTheScenes) {
  const ScratchFolder scratch;
  const RunSummary two = summary_of(scratch.path() / "two", {"limits.energy=2"}),
                   none = summary_of(scratch.path() / "none", {"limits.energy=1e300"});
  EXPECT_EQ(two.status, RunStatus::failed);
  EXPECT_NE(two.reason.find(" 2 times"), std::string::npos) << two.reason;
  EXPECT_EQ(none.status, RunStatus::done) << none.reason;
  EXPECT_GT(none.energy_largest_relative_change, 1e10) << "against what there was, not against what diverged";
  EXPECT_THROW(summary_of(scratch.path() / "bad", {"limits.energy=0.5"}), InputError);
}

TEST(EnergyLimit, EndsTheCommandWithTheCodeOfANumericalFailure) {
  const ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", kDivergingText).string();
  const Finished end =
      run_command(scratch, {"run", scene, "-o", (scratch.path() / "run").string(), "--no-frames"});
  EXPECT_EQ(end.code, 76);
  EXPECT_NE(end.err.find("limits.energy"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("warning: step "), std::string::npos) << end.err;
}

TEST(EnergyLimit, AResumedRunStopsAtTheSameStepAndWarnsOnce) {
  const ScratchFolder scratch;
  const RunSummary whole = summary_of(scratch.path() / "whole", {"limits.energy=1e6"});
  ASSERT_EQ(whole.status, RunStatus::failed);
  ASSERT_GT(whole.steps, 1);
  std::vector<Problem> unused;
  const Scene scene = parse_scene(kDivergingText, "test.json", read_options({"limits.energy=1e6"}), unused);
  std::atomic<bool> stop{false};
  RunOptions options;
  options.folder = scratch.path() / "parts";
  options.frames = Frames::none;
  options.control.stop = &stop;
  options.control.progress = [&](const Progress& progress) { stop = progress.step == whole.steps; };
  ASSERT_EQ(run_scene(scene, "test.json", {}, options).status, RunStatus::interrupted);
  const RunSummary resumed = resume_run(options.folder, {});
  EXPECT_EQ(resumed.status, RunStatus::failed);
  EXPECT_EQ(resumed.reason, whole.reason);
  EXPECT_EQ(resumed.messages.warnings(), whole.messages.warnings());
}

// What helps a method beyond its limit is the step that it is stable with, or another method: no other material.
TEST(EnergyLimit, BeyondItsStabilityAMethodIsAdvisedTheStableStep) {
  for (const std::string method : {"symplectic-euler", "rk4", "central-difference"}) {
    const auto run = [&](const std::vector<std::string>& overrides) {
      const ScratchFolder scratch;
      std::vector<std::string> all = overrides;
      all.push_back("integrator.type=" + method);
      all.push_back("bodies.0.initial.twist.angle=10");
      return summary_of(scratch.path() / "run", all);
    };
    const RunSummary failed = run({"time.end=1"});
    ASSERT_EQ(failed.status, RunStatus::failed) << method;
    for (const char* words : {"stiffer", "softer", "half the step"})
      EXPECT_EQ(failed.reason.find(words), std::string::npos) << failed.reason;
    const std::string before = "here for steps up to about ";
    const std::size_t at = failed.reason.find(before);
    ASSERT_NE(at, std::string::npos) << failed.reason;
    const double step = std::stod(failed.reason.substr(at + before.size()));
    EXPECT_LT(step, 0.01);
    const RunSummary advised =
        run({fmt::format("time.step={}", step), fmt::format("time.end={}", 200 * step)});
    EXPECT_EQ(advised.status, RunStatus::done) << advised.reason;
    EXPECT_LT(advised.energy_largest_relative_change, 0.5) << method;
  }
}

// A bar that swings: backward Euler takes much of its energy, em nothing.
TEST(EnergyLosses, AboveTenPerCentAreAWarningAtTheEnd) {
  for (const std::string method : {"be", "em"}) {
    const ScratchFolder scratch;
    std::vector<Problem> unused;
    const Scene scene = parse_scene(
        R"({ "time": { "step": 0.01, "end": 0.3 }, "gravity": [0, -9.81, 0],
  "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1] },
    "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 } } ],
  "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })",
        "test.json", read_options({"integrator.type=" + method}), unused);
    Messages said;
    RunOptions options;
    options.folder = scratch.path() / "run";
    options.frames = Frames::none;
    options.control.said = [&](const Messages& fresh) { said.warn(fresh.warnings()); };
    const RunSummary summary = run_scene(scene, "test.json", {}, options);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
    if (method == "em") {
      EXPECT_LT(summary.energy_largest_relative_change, 0.01);
      EXPECT_EQ(summary.messages.warnings(), std::vector<std::string>{});
      continue;
    }
    EXPECT_GT(summary.energy_largest_relative_change, 0.1);
    const std::string warning = "be " + loss_words(summary.energy_worst_loss, summary.energy_exchanged);
    EXPECT_EQ(summary.messages.warnings(), std::vector<std::string>{warning});
    EXPECT_EQ(said.warnings(), std::vector<std::string>{warning});
  }
}

}  // namespace
}  // namespace phiflex::testing

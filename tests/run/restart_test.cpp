// A run that is stopped and resumed is the run that was never stopped, to the last bit of state and files.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"
#include "tests/run/small_scenes.h"

namespace phiflex {
namespace {

using testing::eventful_scene;
using testing::Finished;
using testing::read_text;
using testing::ScratchFolder;

Scene restart_scene(const std::string& text) {
  std::vector<Problem> unused;
  return parse_scene(text, "test.json", {{}, method_words()}, unused);
}

RunOptions options_for(const std::filesystem::path& folder, int threads) {
  RunOptions options;
  options.folder = folder;
  options.control.threads = threads;
  options.control.deterministic = true;
  return options;
}

class Restart : public ::testing::TestWithParam<std::string> {};

TEST_P(Restart, AtRandomStepsContinuesBitForBit) {
  const Scene scene = restart_scene(eventful_scene(GetParam()));
  ScratchFolder scratch;
  const RunSummary whole = run_scene(scene, "test.json", {}, options_for(scratch.path() / "whole", 1));
  ASSERT_EQ(whole.status, RunStatus::done) << whole.reason;

  std::mt19937 random(7);
  std::atomic<bool> stop{false};
  std::int64_t stop_at = 1 + random() % 8;
  RunOptions options = options_for(scratch.path() / "parts", 1);
  options.control.stop = &stop;
  options.control.progress = [&](const Progress& progress) { stop = progress.step >= stop_at; };
  RunSummary part = run_scene(scene, "test.json", {}, options);
  int stops = 0;
  while (part.status == RunStatus::interrupted) {
    ASSERT_EQ(part.steps, stop_at);
    stop_at += 1 + random() % 8;
    ++stops;
    part = resume_run(options.folder, options.control);
  }
  ASSERT_EQ(part.status, RunStatus::done) << part.reason;
  EXPECT_GE(stops, 3);
  EXPECT_EQ(part.hash, whole.hash);
  for (const char* file :
       {"energy.csv", "probes.csv", "measures.csv", "frames.pvd", "frames/frame_000006.vtu"})
    EXPECT_EQ(read_text(scratch.path() / "parts" / file), read_text(scratch.path() / "whole" / file)) << file;
  for (const WorkCount& count : work_counts)
    EXPECT_EQ(part.work.*count.member, whole.work.*count.member) << count.name;
}

// The release at 0.006 s is that of step 12, the last one here: the final state is not handed over.
TEST_P(Restart, OfAFinishedRunThatEndsAtAReleaseChangesNothing) {
  const Scene scene = restart_scene(eventful_scene(GetParam()));
  ScratchFolder scratch;
  RunOptions options = options_for(scratch.path() / "run", 1);
  options.steps = 12;
  const RunSummary run = run_scene(scene, "test.json", {}, options);
  ASSERT_EQ(run.status, RunStatus::done) << run.reason;
  const std::string energies = read_text(options.folder / "energy.csv");
  const RunSummary again = resume_run(options.folder, options.control);
  EXPECT_EQ(again.status, RunStatus::done);
  EXPECT_EQ(again.hash, run.hash);
  EXPECT_EQ(read_text(options.folder / "energy.csv"), energies);
}

// Held at every vertex, a body waits; then it falls, and a restart while it waits changes nothing.
TEST_P(Restart, WhileEveryVertexIsHeldContinuesBitForBit) {
  const Scene scene = restart_scene(R"({ "time": { "step": 0.001, "end": 0.02 }, "gravity": [0, -9.81, 0],
    "integrator": { "type": ")" + GetParam() +
                                    R"(" },
    "bodies": [ { "name": "cube", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
      "material": { "type": "corotated", "young": 1e3, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "cube", "where": { "all": true }, "until": 0.01 } ] })");
  ScratchFolder scratch;
  const RunSummary whole = run_scene(scene, "test.json", {}, options_for(scratch.path() / "whole", 1));
  ASSERT_EQ(whole.status, RunStatus::done) << whole.reason;
  // After a fall of t = 10 h a first-order method is g t h / 2 from the parabola, and m g times that in energy.
  EXPECT_NEAR(whole.energy_last, 0, 1000 * 9.81 * 9.81 * 0.01 * 0.001);

  std::atomic<bool> stop{false};
  RunOptions options = options_for(scratch.path() / "parts", 1);
  options.control.stop = &stop;
  options.control.progress = [&](const Progress& progress) { stop = progress.step == 5; };
  ASSERT_EQ(run_scene(scene, "test.json", {}, options).status, RunStatus::interrupted);
  stop = false;
  options.control.progress = nullptr;
  EXPECT_EQ(resume_run(options.folder, options.control).hash, whole.hash);
}

// A sanitizer needs to see one run on several threads; the bits are compared without it.
#ifdef PHIFLEX_SANITIZED
constexpr int numbers_of_threads[] = {1, 3};
#else
constexpr int numbers_of_threads[] = {1, 2, 3, 4, 8};
#endif

TEST_P(Restart, TheHashIsTheSameForAnyNumberOfThreads) {
  const Scene scene = restart_scene(eventful_scene(GetParam()));
  ScratchFolder scratch;
  std::string first;
  for (const int threads : numbers_of_threads) {
    const RunSummary run =
        run_scene(scene, "test.json", {}, options_for(scratch.path() / std::to_string(threads), threads));
    ASSERT_EQ(run.status, RunStatus::done) << run.reason;
    if (first.empty()) first = run.hash;
    EXPECT_EQ(run.hash, first) << threads << " threads";
  }
}

// All but those that refuse the free bodies of these scenes.
std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : integrator_catalogue())
    if (!entry.info->held_bodies_only) names.emplace_back(entry.info->name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(EveryMethod, Restart, ::testing::ValuesIn(all_methods()), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

// The steps that a folder's run.json tells of; -1: it is not there yet.
std::int64_t steps_told(const std::filesystem::path& folder) {
  const std::string account = read_text(folder / "run.json");
  return account.empty() ? -1 : nlohmann::json::parse(account).at("steps").get<std::int64_t>();
}

TEST(Kill, AtRandomMomentsLosesNoCompletedCheckpoint) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("be")).string();
  const std::string whole = (scratch.path() / "whole").string(),
                    killed = (scratch.path() / "killed").string();
  const std::vector<std::string> common = {
      "--steps", "200", "--checkpoint-every", "1", "--deterministic", "--threads", "2", "--quiet"};
  const auto arguments = [&](const std::string& folder) {
    std::vector<std::string> all = {"run", scene, "-o", folder, "--set", "output.every=1"};
    all.insert(all.end(), common.begin(), common.end());
    return all;
  };
  ASSERT_EQ(testing::run_command(scratch, arguments(whole)).code, 0);

  std::mt19937 random(11);
  std::int64_t known = -1;  // the newest checkpoint that run.json spoke of before a kill
  // A random moment: some checkpoints later than the last kill, counted and not timed, and up to two steps more.
  int kills = 0;
  for (bool done = false; !done; kills += !done) {
    testing::Process process(
        scratch, kills == 0 ? arguments(killed)
                            : std::vector<std::string>{"resume", killed, "--quiet", "--threads", "2"});
    const std::int64_t wanted = known + 1 + random() % 5;
    ASSERT_TRUE(testing::eventually([&] { return process.ended() || steps_told(killed) >= wanted; }));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 10'000));
    kill(process.id(), SIGKILL);
    const Finished end = process.wait();
    const std::int64_t steps = steps_told(killed);
    EXPECT_GE(steps, known) << "a completed checkpoint was lost";
    known = steps;
    ASSERT_TRUE(end.code == 0 || end.code == 128 + SIGKILL) << end.err;
    done = end.code == 0;
  }
  EXPECT_GE(kills, 3);
  const auto hash_of = [](const std::string& folder) {
    return nlohmann::json::parse(read_text(std::filesystem::path(folder) / "run.json"))
        .at("hash")
        .get<std::string>();
  };
  EXPECT_EQ(hash_of(killed), hash_of(whole));
  EXPECT_EQ(read_text(std::filesystem::path(killed) / "energy.csv"),
            read_text(std::filesystem::path(whole) / "energy.csv"));
  EXPECT_EQ(read_text(std::filesystem::path(killed) / "frames.pvd"),
            read_text(std::filesystem::path(whole) / "frames.pvd"));
}

TEST(Interrupt, FinishesTheStepWritesACheckpointAndExitsWith130) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::filesystem::path folder = scratch.path() / "run";
  testing::Process process(scratch, {"run", scene, "-o", folder.string(), "--steps", "1000000"});
  ASSERT_TRUE(testing::eventually([&] { return steps_told(folder) > 0; }));
  kill(process.id(), SIGINT);
  const Finished end = process.wait();
  EXPECT_EQ(end.code, 130);
  EXPECT_NE(end.err.find("phiflex resume"), std::string::npos) << end.err;
  const nlohmann::json account = nlohmann::json::parse(read_text(folder / "run.json"));
  EXPECT_EQ(account.at("status"), "interrupted");
  EXPECT_GT(account.at("steps").get<int>(), 0);
  EXPECT_EQ(newest_complete_checkpoint(folder / "checkpoint").newest->step, account.at("steps").get<int>());
}

// A clock that stands still but for a second at every look: once before the first step and once after each.
TEST(Limit, IsCountedOnTheClockThatIsGiven) {
  ScratchFolder scratch;
  RunOptions options = options_for(scratch.path() / "run", 1);
  double now = 0;
  options.control.limit_clock = [&] { return now += 1; };
  options.control.max_seconds = 2.5;
  const RunSummary run = run_scene(restart_scene(eventful_scene("si")), "test.json", {}, options);
  EXPECT_EQ(run.status, RunStatus::limit);
  EXPECT_EQ(run.steps, 3);
}

// One step of 20,000 substeps on 24,576 tetrahedra takes a quarter of a minute and more; what is stored is the start.
TEST(Limit, IsObeyedInsideALongStepWhichIsNotMade) {
  ScratchFolder scratch;
  const std::string scene =
      scratch
          .write(
              "scene.json",
              R"({ "time": { "step": 0.1, "end": 1 }, "integrator": { "type": "verlet", "substeps": 1000000 },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [16, 16, 16] },
                  "initial": { "stretch": { "axis": "x", "factor": 1.01 } },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } } ] })")
          .string();
  const std::string folder = (scratch.path() / "run").string();
  const auto start = std::chrono::steady_clock::now();
  const Finished end =
      testing::run_command(scratch, {"run", scene, "-o", folder, "--max-seconds", "0.5", "--threads", "1"});
  EXPECT_EQ(end.code, 75) << end.err;
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 15);
  const nlohmann::json account = nlohmann::json::parse(read_text(folder + "/run.json"));
  EXPECT_EQ(account.at("status"), "limit");
  EXPECT_EQ(account.at("steps"), 0);
  EXPECT_NE(account.at("reason").get<std::string>().find("inside step 1, which is not made"),
            std::string::npos)
      << account.at("reason");
  EXPECT_EQ(newest_complete_checkpoint(std::filesystem::path(folder) / "checkpoint").newest->step, 0);
}

// The limit comes inside the second step, of 4,000 substeps on 24,576 tetrahedra: the first one is not lost.
TEST(Limit, InsideAStepStoresTheStateBeforeIt) {
  ScratchFolder scratch;
  const std::string text =
      R"({ "time": { "step": 0.1, "end": 0.2 }, "integrator": { "type": "verlet", "substeps": 4000 },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [16, 16, 16] },
                  "initial": { "stretch": { "axis": "x", "factor": 1.01 } },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } } ] })";
  const RunSummary whole =
      run_scene(restart_scene(text), "test.json", {}, options_for(scratch.path() / "whole", 1));
  ASSERT_EQ(whole.status, RunStatus::done);
  RunOptions options = options_for(scratch.path() / "parts", 1);
  options.checkpoint_every = 0;
  int looks = -1;  // at the clock since the first step was made
  options.control.progress = [&](const Progress&) { looks = 0; };
  options.control.limit_clock = [&] { return looks >= 0 && looks++ > 0 ? 1e9 : 0; };
  options.control.max_seconds = 1;
  const RunSummary left = run_scene(restart_scene(text), "test.json", {}, options);
  ASSERT_EQ(left.status, RunStatus::limit) << left.reason;
  EXPECT_EQ(left.steps, 1);
  EXPECT_EQ(left.checkpoints, 2);
  EXPECT_NE(left.reason.find("inside step 2, which is not made; `phiflex resume` goes on after step 1"),
            std::string::npos)
      << left.reason;
  const RunSummary resumed = resume_run(options.folder, {});
  EXPECT_EQ(resumed.status, RunStatus::done);
  EXPECT_EQ(resumed.hash, whole.hash);
  EXPECT_EQ(resumed.checkpoints, 3);
  EXPECT_EQ(read_text(options.folder / "energy.csv"), read_text(scratch.path() / "whole/energy.csv"));
}

// Nothing holds 24,576 tetrahedra, so that the search goes on for minutes; there is nothing to resume.
TEST(Limit, IsObeyedWhileAnEquilibriumIsSought) {
  ScratchFolder scratch;
  const std::string scene =
      scratch
          .write("scene.json",
                 R"({ "time": { "step": 0.1, "end": 1 }, "gravity": [0, -9.81, 0], "settle": true,
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [16, 16, 16] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } } ] })")
          .string();
  const std::string folder = (scratch.path() / "run").string();
  const Finished end =
      testing::run_command(scratch, {"run", scene, "-o", folder, "--max-seconds", "0.5", "--threads", "1"});
  EXPECT_EQ(end.code, 75) << end.err;
  EXPECT_NE(end.err.find("before the equilibrium was found"), std::string::npos) << end.err;
  EXPECT_EQ(end.err.find("phiflex resume"), std::string::npos) << end.err;
  EXPECT_EQ(testing::run_command(scratch, {"resume", folder}).code, 65);
}

TEST(Limit, StopsWithACheckpointAndExitsWith75) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", eventful_scene("si")).string();
  const std::string folder = (scratch.path() / "run").string();
  const Finished end = testing::run_command(
      scratch, {"run", scene, "-o", folder, "--steps", "1000000", "--max-seconds", "0.2"});
  EXPECT_EQ(end.code, 75);
  EXPECT_EQ(nlohmann::json::parse(read_text(folder + "/run.json")).at("status"), "limit");
}

}  // namespace
}  // namespace phiflex

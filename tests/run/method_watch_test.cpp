// When `auto` changes the method of a run.
#include "phiflex/run/method_watch.h"

#include <gtest/gtest.h>

#include <atomic>

#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using Due = MethodWatch::Due;

Due add(MethodWatch& watch, double counted, double other, double gain = 0,
        AutoRole method = AutoRole::implicit_step) {
  return watch.add(method, counted, gain, [&] { return other; });
}

TEST(MethodWatch, LeavesAMethodThatCostsNoMoreThanTheOther) {
  MethodWatch watch;
  for (int step = 0; step < 100; ++step) EXPECT_EQ(add(watch, 1.4, 1), Due::nothing);
}

TEST(MethodWatch, FindsAStepTenTimesDearerThanThoseBeforeIt) {
  MethodWatch watch;
  for (int step = 0; step < 8; ++step) EXPECT_EQ(add(watch, 1, 3), Due::nothing);
  EXPECT_EQ(add(watch, 9.9, 3), Due::nothing) << "not ten times";
  MethodWatch again;
  for (int step = 0; step < 8; ++step) EXPECT_EQ(add(again, 1, 3), Due::nothing);
  EXPECT_EQ(add(again, 10.1, 3), Due::dear_step);
}

TEST(MethodWatch, KeepsADearStepThatTheOtherMethodWouldNotMakeCheaper) {
  MethodWatch watch;
  for (int step = 0; step < 8; ++step) EXPECT_EQ(add(watch, 1, 20), Due::nothing);
  EXPECT_EQ(add(watch, 15, 20), Due::nothing);
}

TEST(MethodWatch, FindsARunThatTheOtherMethodWouldMakeCheaperAfterTenSteps) {
  MethodWatch watch;
  for (int step = 1; step < 10; ++step) EXPECT_EQ(add(watch, 2, 1), Due::nothing);
  EXPECT_EQ(add(watch, 2, 1), Due::dear_run);
}

// The first step makes a factorization that the others keep.
TEST(MethodWatch, LeavesTheFirstStepOutOfTheMean) {
  MethodWatch watch;
  EXPECT_EQ(add(watch, 100, 1), Due::nothing);
  for (int step = 1; step < 20; ++step) EXPECT_EQ(add(watch, 1, 1), Due::nothing);
}

TEST(MethodWatch, LooksHalfAsOftenAfterEachChange) {
  MethodWatch watch;
  for (int window = 10; window < 100; window *= 2) {
    for (int step = 1; step < window; ++step) ASSERT_EQ(add(watch, 2, 1), Due::nothing) << window;
    ASSERT_EQ(add(watch, 2, 1), Due::dear_run);
    watch.change(Due::dear_run, 0);
  }
}

TEST(MethodWatch, FindsEnergyThatGrowsByOnePerCentSinceTheLastChange) {
  MethodWatch watch;
  EXPECT_EQ(add(watch, 1, 1, 0.0099), Due::nothing);
  EXPECT_EQ(add(watch, 1, 1, 0.0101), Due::energy);
  watch.change(Due::energy, 0.0101);
  EXPECT_EQ(add(watch, 1, 1, 0.02), Due::nothing);
  EXPECT_EQ(add(watch, 1, 1, 0.021), Due::energy);
}

TEST(MethodWatch, GoesBackFromBackwardEulerAfterTenSteps) {
  MethodWatch watch;
  for (int step = 1; step < 10; ++step) EXPECT_EQ(add(watch, 1, 1, 0, AutoRole::last_resort), Due::nothing);
  EXPECT_EQ(add(watch, 1, 1, 0, AutoRole::last_resort), Due::recovery);
}

// A twisted cube above a penalty floor, which the stability bound of explicit steps counts as touched. stiffness: of the
// floor, N/m.
std::string falling_cube(const std::string& integrator, const std::string& stiffness) {
  return R"({ "phiflex": 1, "name": "cube", "time": { "step": 0.004, "end": 0.4 }, "integrator": )" +
         integrator + R"(,
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "cube", "mesh": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [4, 4, 4] },
      "material": { "type": "neo-hookean", "young": 2e4, "poisson": 0.3, "density": 1000 },
      "transform": { "translate": [0, 0.25, 0] }, "initial": { "twist": { "axis": "y", "angle": 40 } } } ],
    "contacts": [ { "type": "floor", "height": 0, "mode": "penalty", "stiffness": )" +
         stiffness + " } ] }";
}

// em is chosen, a little cheaper than explicit steps; at the impact tight tolerances make it iterate.
constexpr const char* kTight = R"({ "type": "auto", "em_tolerance": 1e-9, "energy_tolerance": 1e-9 })";
// em is chosen, and fails at the impact; explicit steps are many times dearer.
constexpr const char* kNoHalving = R"({ "type": "auto", "halve_step": false })";

Scene watched_scene(const std::string& text) {
  std::vector<Problem> unused;
  return parse_scene(text, "test.json", {{}, method_words()}, unused);
}

TEST(AutoMethod, ChangesWhereTheOtherMethodIsCheaperAndSaysSo) {
  Simulation simulation(watched_scene(falling_cube(kTight, "6e4")), "test.json");
  EXPECT_EQ(simulation.method().name, "em");
  while (simulation.method_changes().empty() && simulation.step() < 80)
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  ASSERT_EQ(simulation.method_changes().size(), 1u);
  EXPECT_EQ(simulation.method().name, "verlet");
  EXPECT_EQ(simulation.method_changes()[0].method, "verlet");
  EXPECT_NE(simulation.method_changes()[0].why.find("counted work"), std::string::npos);
  ASSERT_FALSE(simulation.notices().empty());
  EXPECT_NE(simulation.notices().back().find("verlet goes on"), std::string::npos);
}

TEST(AutoMethod, ChangesAgainWhenARunIsResumedWhereTheWholeRunDoes) {
  Scene scene = watched_scene(falling_cube(kNoHalving, "1e8"));
  scene.time.step = 0.02;
  scene.time.end = 0.5;
  scene.bodies[0].initial.twist->angle = 120;
  const testing::ScratchFolder scratch;
  RunOptions options;
  options.control.threads = 1;
  options.control.deterministic = true;
  options.folder = scratch.path() / "whole";
  const RunSummary whole = run_scene(scene, "test.json", {}, options);
  ASSERT_EQ(whole.status, RunStatus::done) << whole.reason;
  ASSERT_GE(whole.method_changes.size(), 2u) << "at the impact and after it";
  const std::string account = testing::read_text(options.folder / "run.json");
  EXPECT_NE(account.find("\"method_changes\""), std::string::npos);

  // Stopped before the first change, between the changes, and after them.
  std::atomic<bool> stop{false};
  std::int64_t stop_at = 5;
  options.folder = scratch.path() / "parts";
  options.control.stop = &stop;
  options.control.progress = [&](const Progress& progress) { stop = progress.step >= stop_at; };
  RunSummary part = run_scene(scene, "test.json", {}, options);
  while (part.status == RunStatus::interrupted) {
    stop_at += 11;
    part = resume_run(options.folder, options.control);
  }
  ASSERT_EQ(part.status, RunStatus::done) << part.reason;
  EXPECT_EQ(part.hash, whole.hash);
  ASSERT_EQ(part.method_changes.size(), whole.method_changes.size());
  for (std::size_t i = 0; i < whole.method_changes.size(); ++i)
    EXPECT_EQ(part.method_changes[i].step, whole.method_changes[i].step);
  for (const WorkCount& count : work_counts)
    EXPECT_EQ(part.work.*count.member, whole.work.*count.member) << count.name;
}

// Twisted by more than half a turn, in steps that no solver converges in, and which may not be halved.
TEST(AutoMethod, MakesAStepByAnotherMethodWhereTheChosenOneFails) {
  Scene scene = watched_scene(falling_cube(kNoHalving, "1e8"));
  scene.time.step = 0.05;
  scene.bodies[0].initial.twist->angle = 200;
  Scene alone = scene;
  alone.integrator.type = "em";
  Simulation em(alone, "test.json");
  EXPECT_EQ(em.advance(), StepStatus::not_converged);
  Simulation simulation(scene, "test.json");
  EXPECT_EQ(simulation.method().name, "em");
  EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  ASSERT_GE(simulation.method_changes().size(), 1u);
  EXPECT_EQ(simulation.method_changes()[0].method, "verlet");
  EXPECT_NE(simulation.method_changes()[0].why.find("failed"), std::string::npos);
}

}  // namespace
}  // namespace phiflex

// When `auto` changes the method of a run.
#include "phiflex/run/method_watch.h"

#include <gtest/gtest.h>

#include <atomic>

#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using Due = MethodWatch::Due;

Due add(MethodWatch& watch, double counted, double other, double gain = 0,
        AutoRole method = AutoRole::implicit_step) {
  return watch.add(method, counted, gain, false, [&] { return other; });
}
// A step where barriers may touch.
Due add_with_barriers(MethodWatch& watch, double counted, double other,
                      AutoRole method = AutoRole::implicit_step) {
  return watch.add(method, counted, 0, true, [&] { return other; });
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
    watch.change(Due::dear_run, 0, false);
  }
}

// In contact: a first dear step is borne, those after it are not.
TEST(MethodWatch, BearsTheFirstTouchAndNotWhatGoesOn) {
  MethodWatch watch;
  for (int step = 0; step < 20; ++step) ASSERT_EQ(add_with_barriers(watch, 0.1, 1), Due::nothing);
  EXPECT_EQ(add_with_barriers(watch, 12, 1), Due::nothing)
      << "120 times dearer than those before, but the first";
  EXPECT_EQ(add_with_barriers(watch, 5.9, 1), Due::nothing) << "below 6 P";
  EXPECT_EQ(add_with_barriers(watch, 6.5, 1), Due::dear_touch);
  EXPECT_EQ(watch.implicit_mean(), 6.5) << "what em would cost if it went on";
}

TEST(MethodWatch, WaitsLongerWhereTheMethodThatCameBackIsTooDearAgain) {
  MethodWatch watch;
  const auto leave = [&] {
    ASSERT_EQ(add_with_barriers(watch, 12, 1), Due::nothing);
    ASSERT_EQ(add_with_barriers(watch, 12, 1), Due::dear_touch);
    watch.change(Due::dear_touch, 0, true);
  };
  const auto come_back_after = [&](int steps) {
    for (int step = 1; step < steps; ++step)
      ASSERT_EQ(add_with_barriers(watch, 1, 0.1, AutoRole::explicit_step), Due::nothing) << step;
    ASSERT_EQ(add_with_barriers(watch, 1, 0.1, AutoRole::explicit_step), Due::dear_run);
    watch.change(Due::dear_run, 0, true);
  };
  leave();
  come_back_after(20);
  leave();
  come_back_after(40);
  for (int step = 0; step < 40; ++step) ASSERT_EQ(add_with_barriers(watch, 0.1, 1), Due::nothing);
  leave();
  come_back_after(10);
}

TEST(MethodWatch, DoesNotComeBackSoonToExplicitStepsThatFailed) {
  MethodWatch watch;
  for (int wait = 10; wait < 100; wait *= 2) {
    watch.change_after_failure(AutoRole::explicit_step, 0);
    for (int step = 0; step < wait; ++step)
      ASSERT_EQ(add_with_barriers(watch, 12, 1), Due::nothing) << wait << " " << step;
    ASSERT_EQ(add_with_barriers(watch, 12, 1), Due::dear_touch) << wait;
  }
  MethodWatch other;
  other.change_after_failure(AutoRole::implicit_step, 0);
  EXPECT_EQ(add_with_barriers(other, 12, 1), Due::nothing) << "the first";
  EXPECT_EQ(add_with_barriers(other, 12, 1), Due::dear_touch);
}

TEST(MethodWatch, FindsEnergyThatGrowsByOnePerCentSinceTheLastChange) {
  MethodWatch watch;
  EXPECT_EQ(add(watch, 1, 1, 0.0099), Due::nothing);
  EXPECT_EQ(add(watch, 1, 1, 0.0101), Due::energy);
  watch.change(Due::energy, 0.0101, false);
  EXPECT_EQ(add(watch, 1, 1, 0.02), Due::nothing);
  EXPECT_EQ(add(watch, 1, 1, 0.021), Due::energy);
}

TEST(MethodWatch, LeavesExplicitStepsInContactForTheFiftiethOfAPerCent) {
  MethodWatch watch;
  const auto add = [&](double gain, bool barriers, AutoRole method) {
    return watch.add(method, 1, gain, barriers, [] { return 1.; });
  };
  EXPECT_EQ(add(0.00015, true, AutoRole::explicit_step), Due::nothing);
  EXPECT_EQ(add(0.002, false, AutoRole::explicit_step), Due::nothing);
  EXPECT_EQ(add(0.002, true, AutoRole::implicit_step), Due::nothing);
  EXPECT_EQ(add(0.0003, true, AutoRole::explicit_step), Due::energy);
  watch.change(Due::energy, 0.0006, true);
  const auto dear = [&](double gain) {
    watch.add(AutoRole::implicit_step, 3, gain, true, [] { return 1.; });
    return watch.add(AutoRole::implicit_step, 10, gain, true, [] { return 1.; });
  };
  EXPECT_EQ(dear(0.0006), Due::nothing);
  EXPECT_EQ(dear(0.0001), Due::dear_touch);
}

TEST(MethodWatch, GoesBackFromBackwardEulerAfterTenSteps) {
  MethodWatch watch;
  for (int step = 1; step < 10; ++step) EXPECT_EQ(add(watch, 1, 1, 0, AutoRole::last_resort), Due::nothing);
  EXPECT_EQ(add(watch, 1, 1, 0, AutoRole::last_resort), Due::recovery);
}

// A twisted cube above a penalty floor, which the stability bound of explicit steps counts as touched. stiffness: of
// the floor, N/m.
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
  ASSERT_FALSE(simulation.messages().empty());
  EXPECT_NE(simulation.messages().warnings().back().find("verlet goes on"), std::string::npos);
}

// The whole run, and the same run stopped at the step `first` and at every `parts`th after it: the same bits and
// changes.
void expect_the_same_changes_when_resumed(const Scene& scene, std::int64_t first, std::int64_t parts) {
  const testing::ScratchFolder scratch;
  RunOptions options;
  options.control.threads = 1;
  options.control.deterministic = true;
  options.folder = scratch.path() / "whole";
  const RunSummary whole = run_scene(scene, "test.json", {}, options);
  ASSERT_EQ(whole.status, RunStatus::done) << whole.reason;
  ASSERT_GE(whole.method_changes.size(), 2u);
  const std::string account = testing::read_text(options.folder / "run.json");
  EXPECT_NE(account.find("\"method_changes\""), std::string::npos);

  std::atomic<bool> stop{false};
  std::int64_t stop_at = first;
  options.folder = scratch.path() / "parts";
  options.control.stop = &stop;
  options.control.progress = [&](const Progress& progress) { stop = progress.step >= stop_at; };
  RunSummary part = run_scene(scene, "test.json", {}, options);
  while (part.status == RunStatus::interrupted) {
    stop_at += parts;
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

TEST(AutoMethod, ChangesAgainWhenARunIsResumedWhereTheWholeRunDoes) {
  Scene scene = watched_scene(falling_cube(kNoHalving, "1e8"));
  scene.time.step = 0.02;
  scene.time.end = 0.5;
  scene.bodies[0].initial.twist->angle = 120;
  expect_the_same_changes_when_resumed(scene, 5,
                                       11);  // before the first change, between them, and after them
}

// A soft cube thrown at a barrier at about the speed of its waves: steps of em are divided many times there.
TEST(AutoMethod, LeavesAnImpactThatIsTooDearForItAndComesBack) {
  const Scene scene = watched_scene(R"({ "phiflex": 1, "name": "cube", "time": { "step": 0.01, "end": 0.3 },
    "integrator": "auto", "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "cube", "mesh": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [3, 3, 3] },
      "material": { "type": "stable-neo-hookean", "young": 5e3, "poisson": 0.45, "density": 1000 },
      "transform": { "translate": [0, 0.1, 0], "rotate": [[1, 0.3, 0.2], 30] },
      "initial": { "velocity": [0, -4, 0] } } ],
    "contacts": [ { "type": "floor", "height": 0 } ] })");
  Simulation simulation(scene, "test.json");
  EXPECT_EQ(simulation.method().name, "em");
  while (simulation.step() < 30) ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  const auto& changes = simulation.method_changes();
  ASSERT_GE(changes.size(), 2u);
  EXPECT_EQ(changes[0].method, "verlet");
  EXPECT_NE(changes[0].why.find("in contact"), std::string::npos) << changes[0].why;
  EXPECT_EQ(changes[1].method, "em");
  expect_the_same_changes_when_resumed(scene, 2, 7);
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

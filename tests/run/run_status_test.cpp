// What run.json says of a run that something other than its numbers has ended.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/ranks_note.h"
#include "phiflex/run/run.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "tests/run/small_scenes.h"
#include "tests/scratch_folder.h"

namespace phiflex::testing {
namespace {

Scene scene_of_text(const std::string& text) {
  std::vector<Problem> unused;
  return parse_scene(text, "test.json", read_options(), unused);
}

TEST(RunStatus, AnErrorOfAnyKindLeavesFailedAndItsReason) {
  const Scene scene = scene_of_text(eventful_scene("si"));
  for (const std::int64_t at_step : {0, 3}) {
    const ScratchFolder scratch;
    RunOptions options;
    options.folder = scratch.path() / "run";
    options.control.observe = [&](const Simulation& simulation) {
      if (simulation.step() == at_step) throw std::logic_error("the observer stumbled");
    };
    EXPECT_THROW(run_scene(scene, "test.json", {}, options), std::logic_error);
    const nlohmann::ordered_json account = read_run_json(options.folder / "run.json");
    EXPECT_EQ(account["status"], "failed");
    EXPECT_EQ(account["reason"], "internal error: the observer stumbled");
    EXPECT_EQ(account["steps"], at_step);
  }
}

TEST(RunStatus, AResumedRunThatEndsByAnErrorSaysSoToo) {
  const Scene scene = scene_of_text(eventful_scene("si"));
  const ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  std::atomic<bool> stop{true};
  options.control.stop = &stop;
  ASSERT_EQ(run_scene(scene, "test.json", {}, options).status, RunStatus::interrupted);
  RunControl control;
  control.progress = [](const Progress&) { throw std::bad_alloc(); };
  EXPECT_THROW(resume_run(options.folder, control), std::bad_alloc);
  const nlohmann::ordered_json account = read_run_json(options.folder / "run.json");
  EXPECT_EQ(account["status"], "failed");
  EXPECT_EQ(account["reason"], "out of memory");
}

// A step with the projected stiffness has no damping alpha M + beta K that an evaluator of the pencil could take.
TEST(RunStatus, ADampedStepWithTheProjectedStiffnessIsMadeWhateverEvaluatorWasChosen) {
  const Scene scene = scene_of_text(R"({ "time": { "step": 0.02, "end": 0.4 }, "gravity": [0, -9.81, 0],
    "integrator": { "type": "ere", "evaluator": "lanczos" },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1] },
      "material": { "type": "stvk", "young": 1e5, "poisson": 0.4, "density": 1000 }, "damping": { "mass": 0.5 },
      "initial": { "stretch": { "axis": "x", "factor": 0.3 } } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })");
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, step_count(scene.time));
  while (simulation.step() < simulation.steps() && simulation.advance() == StepStatus::ok) {
  }
  EXPECT_GT(simulation.work().projected_hessians, 0);
  EXPECT_TRUE(simulation.quality().evaluators.contains("lanczos"));
}

// Of the first step that fails, or of the last of `steps`.
StepStatus status_within(int steps, const Scene& scene) {
  const SceneModel world = build_scene(scene, "test.json");
  Simulation simulation(scene, world, step_count(scene.time));
  StepStatus status = StepStatus::ok;
  for (int step = 0; step < steps && status == StepStatus::ok; ++step) status = simulation.advance();
  return status;
}
StepStatus first_step_of(const Scene& scene) {
  return status_within(1, scene);
}

// At this stiffness Chebyshev's series is finite for the flow of the first step, and not for its correction.
TEST(RunStatus, AStepWhoseCorrectionCannotBeEvaluatedFails) {
  const Scene scene = scene_of_text(R"({ "time": { "step": 1, "end": 3 }, "gravity": [0, -9.81, 0],
    "integrator": { "type": "pexprb43", "evaluator": "chebyshev", "tolerance": 1e-12 },
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1] },
      "material": { "type": "stvk", "young": 1e9, "density": 1000 },
      "initial": { "twist": { "axis": "x", "angle": 60 } } } ],
    "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })");
  EXPECT_EQ(first_step_of(scene), StepStatus::not_finite);
}

// A frame turns about a point 1e100 m away. It begins at rest, so that `ere`, which sees the loads of the start of a
// step alone, meets them in its second step.
TEST(RunStatus, AStepWhoseLoadsAreTooLargeToEvaluateFails) {
  for (const std::string method : {"ere", "exprb32", "exprb42", "pexprb43", "epirk4s3"}) {
    const Scene scene =
        scene_of_text(R"({ "time": { "step": 0.01, "end": 0.05 }, "integrator": { "type": ")" + method +
                      R"(", "evaluator": { "type": "expv", "tolerance": 1e-7 } },
      "bodies": [ { "name": "c", "springs": { "generate": "cloth", "size": [0.5, 0.5], "cells": [3, 3], "stiffness": 50,
        "area_density": 0.2 } } ],
      "constraints": [ { "type": "frame", "body": "c", "where": { "box": [[0, 0, 0], [0, 2, 2]] },
        "pivot": [1e100, 1, 0], "keys": [ { "time": 0 }, { "time": 0.5, "rotate": [[0, 1, 0], 90] } ],
        "smooth": true } ] })");
    EXPECT_NE(status_within(2, scene), StepStatus::ok) << method;
  }
}

// The squares of norms of such accelerations are no numbers of double precision.
TEST(RunStatus, AGravityBeyondAllMeasureFailsTheFirstStepOfEveryMethod) {
  for (const MethodEntry& method : integrator_catalogue()) {
    for (const std::string gravity : {"1e155", "1e200", "1e300"}) {
      const Scene scene =
          scene_of_text(R"({ "time": { "step": 0.01, "end": 0.1 }, "gravity": [0, -)" + gravity + R"(, 0],
          "integrator": { "type": ")" +
                        std::string(method.info->name) + R"(" },
          "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [3, 1, 1] },
            "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 } } ],
          "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })");
      EXPECT_NE(first_step_of(scene), StepStatus::ok) << method.info->name << " with " << gravity;
    }
  }
}

TEST(RunStatus, AMeshOfMoreThanTwoMillionTetrahedraIsToldOfManyRanks) {
  EXPECT_EQ(ranks_note(648), "");
  EXPECT_EQ(ranks_note(2'000'000), "");
  EXPECT_EQ(ranks_note(2'000'001),
            "2000001 tetrahedra: `phiflex-mpi` runs such scenes on many ranks (docs/cluster.md)");
  EXPECT_EQ(ranks_note(100'000'000).find("100000000 tetrahedra"), 0);
}

}  // namespace
}  // namespace phiflex::testing

// Initial conditions that come from elsewhere: modes of free vibration, and states of earlier runs.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "phiflex/base/errors.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/modes_run.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

Scene scene_with(const std::string& bodies, const std::string& more = "",
                 const std::string& type = "pexprb43",
                 const std::string& time = R"({ "step": 0.01, "end": 0.1 })") {
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "scene", "time": )" + time +
                         R"(, "integrator": { "type": ")" + type + R"(", "tolerance": 1e-9 }, "bodies": [ )" +
                         bodies + "]" + more + "}",
                     "initial_condition_test", read_options(), warnings);
}

std::string solid(const std::string& initial, const std::string& kind = R"("element": "tet4",
    "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] })",
                  const std::string& name = "body") {
  return R"({ "name": ")" + name + R"(", )" + kind +
         R"(, "material": { "type": "linear", "young": 1e5, "poisson": 0.3, "density": 1000 }, "initial": { )" +
         initial + " } }";
}

// Bodies that share one place do not meet.
const char* const kApart = R"(, "contacts": [ { "type": "bodies", "between": "none", "self": false } ])";

const char* const kKinds[] = {
    R"("element": "tet4", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] })",
    R"("element": "tet10", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [2, 1, 1] })",
    R"("element": "tri3", "mesh": { "generate": "triangle", "size": [0.4, 0.2], "cells": 4 })",
    R"("element": "dg-bz", "penalty": 1e5, "mesh": { "generate": "triangle", "size": [0.4, 0.2], "cells": 4 })",
    R"("element": "dg-ip", "penalty": 1e7, "mesh": { "generate": "rectangle", "size": [0.4, 0.2], "cells": [4, 2] })"};

// A linear body in one mode swings in it: q(t) = q(0) cos(w t). Free bodies have their rigid modes left out.
TEST(InitialMode, ALinearBodySwingsInItAndInNothingElse) {
  for (const char* kind : kKinds)
    for (const int index : {1, 3}) {
      const Scene scene = scene_with(
          solid(R"("mode": { "index": )" + std::to_string(index) + R"(, "amplitude": 0.01 })", kind));
      const SceneModel world = build_scene(scene, "scene");
      ScratchFolder scratch;
      ModesRunOptions options;
      options.count = 9;
      options.folder = scratch.path() / "modes";
      const ModesSummary modes = run_modes(scene_with(solid("", kind)), "scene", options);
      double omega = 0;
      int elastic = 0;
      for (const NaturalMode& mode : modes.modes)
        if (mode.kind == ModeKind::elastic && ++elastic == index) omega = mode.omega;
      ASSERT_GT(omega, 0) << kind;

      Simulation simulation(scene, world, 10);
      const Vector q = simulation.state().q;
      Vector x, v;
      simulation.model().expand(simulation.state(), x, v);
      x -= world.rest();
      double most = 0;
      for (Index i = 0; i < x.size(); i += 3) most = std::max(most, x.segment<3>(i).norm());
      EXPECT_NEAR(most, 0.01, 1e-14);
      // Symmetric bodies have several largest coordinates, equal but for rounding: the first of them is positive.
      Index first = 0;
      while (std::abs(q[first]) < (1 - 1e-6) * q.cwiseAbs().maxCoeff()) ++first;
      EXPECT_GT(q[first], 0) << kind << index;
      for (int step = 1; step <= 10; ++step) {
        ASSERT_EQ(simulation.advance(), StepStatus::ok);
        EXPECT_LE((simulation.state().q - std::cos(omega * 0.01 * step) * q).cwiseAbs().maxCoeff(),
                  1e-6 * 0.01)
            << kind << index;
      }
    }
}

TEST(InitialMode, IsThatOfTheHeldBodyAloneWhateverElseIsThere) {
  const std::string held = R"(, "constraints": [ { "body": "body", "type": "fix",
      "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])";
  const std::string initial = R"("mode": { "index": 2, "amplitude": 0.01 })";
  const SceneModel alone = build_scene(scene_with(solid(initial), held), "scene");
  const SceneModel both =
      build_scene(scene_with(solid("", kKinds[0], "other") + "," + solid(initial) +
                                 R"(, { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0],
                                   "to": [1, 0, 0], "segments": 4, "stiffness": 10, "linear_density": 1 } })",
                             held + R"(, "gravity": [0, -9.81, 0])" + kApart),
                  "scene");
  Vector x, y, v;
  const auto a = alone.make_model(0), b = both.make_model(0);
  a->expand(alone.initial_state(*a), x, v);
  b->expand(both.initial_state(*b), y, v);
  const Body& body = find_body(both.bodies(), "body");
  // Modes to a residual of 1e-9, twice.
  EXPECT_LE((x - y.segment(3 * body.first_vertex, x.size())).norm(), 1e-7 * 0.01);
  y.segment(3 * body.first_vertex, x.size()).setZero();
  Vector rest = both.rest();
  rest.segment(3 * body.first_vertex, x.size()).setZero();
  EXPECT_EQ(y, rest);
}

TEST(InitialMode, MoreThanThereAreAreRefused) {
  try {
    const SceneModel world =
        build_scene(scene_with(solid(R"("mode": { "index": 200, "amplitude": 0.01 })")), "scene.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().place, "/bodies/0/initial/mode");
  }
}

const char* const kMoving = R"("velocity": [0.1, 0, 0], "angular_velocity": [0, 0, 3])";

// A run, and where it was after so many steps.
struct Earlier {
  explicit Earlier(const std::string& kind) {
    scene = scene_with(solid(kMoving, kind), "", "si");
    RunOptions options;
    options.folder = folder();
    options.control.threads = 1;
    EXPECT_EQ(run_scene(scene, "scene", {}, options).status, RunStatus::done);
    const SceneModel world = build_scene(scene, "scene");
    Simulation again(scene, world, 10);
    for (int step = 0; step < 10; ++step) EXPECT_EQ(again.advance(), StepStatus::ok);
    again.model().expand(again.state(), x, v);
  }
  std::filesystem::path folder() const { return scratch.path() / "run"; }
  ScratchFolder scratch;
  Scene scene;
  Vector x, v;
};

TEST(InitialState, FromARunsFolderIsItsLatestCheckpointToTheBit) {
  for (const char* kind : kKinds) {
    const Earlier earlier(kind);
    const Scene scene = scene_with(solid(R"("state": ")" + earlier.folder().string() + '"', kind), "", "si");
    const SceneModel world = build_scene(scene, "scene");
    const Simulation simulation(scene, world, 10);
    Vector x, v;
    simulation.model().expand(simulation.state(), x, v);
    // q = x - rest and back.
    EXPECT_LE((x - earlier.x).cwiseAbs().maxCoeff(), 1e-16) << kind;
    EXPECT_EQ(v, earlier.v) << kind;
  }
}

TEST(InitialState, FromAFrameIsThatOfTheFrame) {
  const Earlier earlier(kKinds[0]);
  const std::string frame = (earlier.folder() / "frames/frame_000010.vtu").string();
  const SceneModel world = build_scene(
      scene_with(solid("", kKinds[1], "other") + "," + solid(R"("state": ")" + frame + '"'), kApart),
      "scene");
  const auto model = world.make_model(0);
  Vector x, v;
  model->expand(world.initial_state(*model), x, v);
  const Index first = 3 * find_body(world.bodies(), "body").first_vertex;
  EXPECT_LE((x.segment(first, earlier.x.size()) - earlier.x).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(v.segment(first, earlier.v.size()), earlier.v);
}

TEST(InitialState, OfAnotherMeshOrOfNoRunIsRefusedWithTheReason) {
  const Earlier earlier(kKinds[0]);
  const auto refused = [&](const std::string& state, const std::string& kind, const std::string& words,
                           int code = 65, const std::string& more = "") {
    const std::filesystem::path file = earlier.scratch.path() / "scene.json";
    std::ofstream(file) << R"({ "phiflex": 1, "time": { "step": 0.01, "end": 0.1 }, "bodies": [ )" +
                               solid(more + R"("state": ")" + state + '"', kind) + "] }";
    const testing::Finished check = testing::run_command(earlier.scratch, {"check", file.string()});
    EXPECT_EQ(check.code, code) << check.err;
    EXPECT_NE(check.err.find(words), std::string::npos) << words << "\n" << check.err;
  };
  const std::string frame = "run/frames/frame_000003.vtu";  // relative to the scene
  refused("run", kKinds[1], "another mesh");
  refused(frame, kKinds[1], "another mesh");
  std::string larger = kKinds[0];
  larger.replace(larger.find("0.4"), 3, "0.5");
  refused("run", larger, "rests at x = ");
  refused(frame, larger, "rests at x = ");
  refused("run", R"("element": "tet4", "transform": { "translate": [0, 1, 0] },
      "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] })",
          "placed elsewhere");
  refused("scene.json", kKinds[0], "expected a frame (.vtu) or a run's folder");
  refused("nowhere.vtu", kKinds[0], "nowhere.vtu", 74);
  refused(".", kKinds[0], "run.json", 74);
  refused(frame, kKinds[0], "alone", 65, R"("velocity": [1, 0, 0], )");
}

}  // namespace
}  // namespace phiflex

// Bodies of quadratic tetrahedra as scenes make them.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/record/motion_reader.h"
#include "phiflex/run/run.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

// A free bar of 2 x 1 x 1 cells with more of a body as JSON.
Scene bar(const std::string& of_body, const std::string& of_scene = "") {
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": 0.05 },
    "integrator": { "type": "midpoint" }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar", "element": "tet10", )" +
                         of_body +
                         R"( "mesh": { "generate": "box", "size": [0.2, 0.1, 0.1], "cells": [2, 1, 1] },
        "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 } } ])" +
                         of_scene + "}",
                     "quadratic_test", {}, warnings);
}

TEST(QuadraticBody, HasANodeInTheMiddleOfEveryEdgeAndTheSameMass) {
  const SceneModel world = build_scene(bar(""), "scene");
  EXPECT_EQ(world.vertices(), 5 * 3 * 3);
  EXPECT_EQ(world.tetrahedra(), 12);
  const auto model = world.make_model(0);
  EXPECT_EQ(model->dofs(), 3 * 45);
  EXPECT_NEAR(model->total_mass(), 2, 1e-12);
}

TEST(QuadraticBody, SelectionsTakeTheMiddlesOfEdges) {
  const SceneModel world = build_scene(bar("", R"(, "constraints": [ { "body": "bar", "type": "fix",
      "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])"),
                                       "scene");
  EXPECT_EQ(world.make_model(0)->dofs(), 3 * (45 - 9));
}

// With lumped and with consistent mass: weight is what gives every node the same acceleration.
TEST(QuadraticBody, FallsWithoutBeingBent) {
  for (const char* mass : {R"("mass": "lumped",)", R"("mass": "consistent",)"}) {
    const SceneModel world = build_scene(bar(mass), "scene");
    const auto model = world.make_model(0);
    const State rest = world.initial_state(*model);
    Vector f, a;
    model->force(rest, f);
    model->mass().solve(f, a);
    for (Index i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], i % 3 == 1 ? -9.81 : 0, 1e-9) << mass;
  }
}

TEST(QuadraticBody, ItsFramesDrawFourTrianglesForEachFace) {
  const testing::ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  EXPECT_EQ(run_scene(bar(R"("initial": { "bend": { "axis": "x", "toward": "y", "angle": 40 } },)"), "scene",
                      {}, options)
                .status,
            RunStatus::done);
  const MotionReader motion{RunFolder{options.folder}};
  EXPECT_EQ(motion.shape().triangles.size(), 4u * 2 * (2 * 4 + 2));
  ASSERT_GT(motion.frames(), 1u);
  VisibleFrame frame;
  motion.read(motion.frames() - 1, frame);
  for (const Point3& p : frame.positions) EXPECT_TRUE(std::isfinite(p[0]));
}

TEST(QuadraticBody, SpringsHaveNoElements) {
  std::vector<Problem> warnings;
  EXPECT_THROW(parse_scene(R"({ "phiflex": 1, "name": "rope", "time": { "step": 0.01, "end": 0.05 },
    "bodies": [ { "name": "rope", "element": "tet10", "springs": { "generate": "rope", "from": [0, 0, 0],
      "to": [1, 0, 0], "segments": 4, "stiffness": 10, "linear_density": 1 } } ] })",
                           "scene", {}, warnings),
               InputError);
}

}  // namespace
}  // namespace phiflex

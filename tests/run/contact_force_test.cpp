// Forces of contact in the frames: what obstacles exert in all, and nothing in all between bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/record/csv_table.h"
#include "phiflex/record/frame_file.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

RunSummary run_with_forces(const std::string& text, const ScratchFolder& scratch) {
  std::vector<Problem> unused;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.control.threads = 1;
  return run_scene(parse_scene(text, "test.json", {{}, method_words()}, unused), "test.json", {}, options);
}

// Of a frame: the force on the vertices [first, last).
Point3 force_in(const ScratchFolder& scratch, long frame, std::size_t first, std::size_t last) {
  const FrameFile file = read_frame_file(RunFolder{scratch.path() / "run"}.frame(frame));
  Point3 sum{};
  for (const FrameField& field : file.point_fields)
    if (field.name == "contact_force")
      for (std::size_t v = first; v < std::min(last, file.points.size()); ++v)
        for (std::size_t k = 0; k < 3; ++k) sum[k] += field.values[3 * v + k];
  return sum;
}

// A cube that slides and falls a millimetre onto a floor with friction.
std::string falling_cube(const std::string& floor) {
  return R"({ "time": { "step": 0.002, "end": 0.06 }, "gravity": [0, -9.81, 0], "integrator": "em",
    "bodies": [ { "name": "cube", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 },
                  "transform": { "translate": [0, 0.008, 0] }, "initial": { "velocity": [0.2, 0, 0] } } ],
    "contacts": [ )" +
         floor + R"( ], "output": { "fields": ["contact_force"] } })";
}

class FloorForces : public ::testing::TestWithParam<const char*> {};

TEST_P(FloorForces, AddUpToTheFloorsReaction) {
  ScratchFolder scratch;
  const RunSummary summary = run_with_forces(falling_cube(GetParam()), scratch);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
  const CsvTable reactions = read_csv(scratch.path() / "run" / "reactions.csv");
  double most = 0;
  for (long frame = 0; frame < summary.frames; ++frame) {
    const Point3 sum = force_in(scratch, frame, 0, 1000);
    const double fx = (*reactions.column("contact0.fx"))[std::size_t(frame)],
                 fy = (*reactions.column("contact0.fy"))[std::size_t(frame)];
    EXPECT_NEAR(sum[0], fx, 1e-6 * (1 + std::abs(fx)));
    EXPECT_NEAR(sum[1], fy, 1e-6 * (1 + std::abs(fy)));
    most = std::max(most, sum[1]);
  }
  EXPECT_GT(most, 9.81) << "the floor bears a cube of 1 kg and stops it";
}
INSTANTIATE_TEST_SUITE_P(
    ContactForce, FloorForces,
    ::testing::Values(
        R"({ "type": "floor", "friction": 0.3 })",
        R"({ "type": "floor", "mode": "penalty", "friction": 0.3, "stiffness": 500 })",
        R"({ "type": "floor", "mode": "project", "friction": 0.3 })",
        R"({ "type": "floor", "motion": { "keys": [ { "time": 0 }, { "time": 1, "translate": [0, 0.05, 0] } ] } })"));

TEST(ContactForce, BodiesPushEachOtherWithOppositeForces) {
  ScratchFolder scratch;
  const RunSummary summary = run_with_forces(
      R"({ "time": { "step": 0.002, "end": 0.05 }, "integrator": "em",
    "bodies": [ { "name": "left", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 },
                  "initial": { "velocity": [1, 0, 0] } },
                { "name": "right", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
                  "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 },
                  "transform": { "translate": [0.12, 0.01, 0] } } ],
    "output": { "fields": ["contact_force"] } })",
      scratch);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
  double most = 0;
  for (long frame = 0; frame < summary.frames; ++frame) {
    const Point3 left = force_in(scratch, frame, 0, 27), right = force_in(scratch, frame, 27, 54);
    EXPECT_LE(left[0], 0);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(left[k] + right[k], 0, 1e-9 * (1 + std::abs(left[0])));
    most = std::max(most, right[0]);
  }
  EXPECT_GT(most, 1) << "1 kg at 1 m/s is slowed down in less than a second";
}

TEST(ContactForce, IsInTheFramesOnlyWhenAskedFor) {
  ScratchFolder scratch;
  std::string text = falling_cube(R"({ "type": "floor" })");
  text.replace(text.find("\"contact_force\""), 15, "\"J\"");
  const RunSummary summary = run_with_forces(text, scratch);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
  const FrameFile frame = read_frame_file(RunFolder{scratch.path() / "run"}.frame(0));
  ASSERT_EQ(frame.point_fields.size(), 1u);
  EXPECT_EQ(frame.point_fields[0].name, "vertex_J");
}

}  // namespace
}  // namespace phiflex

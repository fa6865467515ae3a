// What runs measure beside their energies.
#include "phiflex/run/measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "phiflex/mesh/mesh_io.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "tests/model/sample_models.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

CsvTable measured(const std::string& text, const ScratchFolder& scratch) {
  std::vector<Problem> unused;
  const Scene scene = parse_scene(text, "test.json", {{}, method_words()}, unused);
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.frames = Frames::none;
  options.control.threads = 1;
  const RunSummary summary = run_scene(scene, "test.json", {}, options);
  EXPECT_EQ(summary.status, RunStatus::done) << summary.reason;
  return read_csv(options.folder / "measures.csv");
}

TEST(Measures, AreaSpeedAndContactWorkOfAClothThatFallsOnAFloor) {
  ScratchFolder scratch;
  const CsvTable table = measured(R"({ "time": { "step": 0.01, "end": 0.2 }, "integrator": { "type": "si" },
      "gravity": [0, -10, 0],
      "bodies": [ { "name": "cloth", "springs": { "generate": "cloth", "size": [2, 1], "cells": [4, 2],
                    "spring_constant": 100, "area_density": 1 } } ],
      "contacts": [ { "type": "floor", "height": -0.05, "mode": "project" } ],
      "output": { "measures": true } })",
                                  scratch);
  const std::vector<double>&area = *table.column("surface_area"), &speed = *table.column("mean_speed"),
        &work = *table.column("contact_work");
  ASSERT_EQ(area.size(), 21u);
  EXPECT_NEAR(area.back(), 2, 1e-12);
  EXPECT_NEAR(speed[5], 10 * 0.05, 1e-12);  // in free fall, v = g t
  EXPECT_EQ(work[5], 0);
  EXPECT_LT(speed.back(), 1e-9);
  // The floor stops it, and takes what every later step falls by, 1/2 m (g h)^2.
  double before = 0;
  for (std::size_t i = 1; i < speed.size(); ++i) before = std::max(before, speed[i - 1]);
  EXPECT_LT(work.back(), -0.5 * 2 * before * before * (1 - 1e-9));
  EXPECT_GT(work.back(), -0.5 * 2 * std::pow(before + 10 * 0.01, 2) - 20 * 0.5 * 2 * 0.01);
}

TEST(Measures, EigenvaluesAndConditionsOfABarAtRest) {
  ScratchFolder scratch;
  const CsvTable table = measured(R"({ "time": { "step": 0.01, "end": 0.03 }, "integrator": { "type": "be" },
      "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] },
                    "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } } ],
      "constraints": [ { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
      "output": { "modes": 3, "condition": true } })",
                                  scratch);
  for (const char* mode : {"1", "2", "3"}) {
    const std::vector<double>& lambda = *table.column(std::string("lambda_") + mode);
    EXPECT_GT(lambda[0], 0);
    EXPECT_NEAR(lambda[3], lambda[0], 1e-6 * lambda[0]);  // nothing moves
  }
  EXPECT_LE((*table.column("lambda_1"))[0], (*table.column("lambda_3"))[0]);
  EXPECT_GT((*table.column("condition_be"))[3], (*table.column("condition_midpoint"))[3]);
  EXPECT_GT((*table.column("condition_midpoint"))[3], 1);
  EXPECT_EQ(table.column("surface_area"), nullptr);
}

std::string inflated_cube(const ScratchFolder& scratch) {
  write_mesh(scratch.path() / "cube.msh", sample::hollow_cube(0.3));
  return R"({ "time": { "step": 0.005, "end": 0.2 }, "integrator": "em",
      "bodies": [ { "name": "cube", "mesh": { "file": ")" +
         (scratch.path() / "cube.msh").string() + R"(" },
                    "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000 } } ],
      "forces": [ { "type": "chamber", "name": "lung", "body": "cube",
                    "pressure": [ { "time": 0, "pressure": 0 }, { "time": 0.1, "pressure": 2e4 } ] },
                  { "type": "muscle", "body": "cube", "direction": [0, 1, 0], "stress": 2e4,
                    "where": { "half_space": { "point": [0.2, 0, 0], "normal": [1, 0, 0] } },
                    "activation": [ { "time": 0.05, "factor": 0 }, { "time": 0.15, "factor": 1 } ] } ] })";
}

TEST(Measures, TheVolumeAndThePressureOfAChamberAndItsWorkInTheLedger) {
  ScratchFolder scratch;
  const CsvTable table = measured(inflated_cube(scratch), scratch);
  const CsvTable energy = read_csv(scratch.path() / "run" / "energy.csv");
  const std::vector<double>&volume = *table.column("lung.volume"), &pressure = *table.column("lung.pressure");
  ASSERT_EQ(volume.size(), 41u);
  EXPECT_NEAR(volume.front(), 1e-3, 1e-12);
  EXPECT_EQ(pressure.front(), 0);
  EXPECT_NEAR(pressure[10], 1e4, 1e-8);
  EXPECT_EQ(pressure.back(), 2e4);
  EXPECT_GT(volume.back(), 1.05e-3);
  double work = 0;  // integral of p dV until the muscle begins, by the trapezoidal rule
  for (std::size_t i = 1; i <= 10; ++i)
    work += 0.5 * (pressure[i] + pressure[i - 1]) * (volume[i] - volume[i - 1]);
  const double booked = (*energy.column("external_work"))[10];
  EXPECT_NEAR(booked, work, 0.01 * work);
  EXPECT_GT(work, 0);
  double kinetic = 0;
  for (const double k : *energy.column("kinetic")) kinetic = std::max(kinetic, k);
  for (const double loss : *energy.column("numerical_loss")) EXPECT_LT(std::abs(loss), 1e-6 * kinetic);
}

TEST(Measures, AResumedRunWithAChamberAndAMuscleHasTheSameTables) {
  ScratchFolder scratch;
  std::vector<Problem> unused;
  const Scene scene = parse_scene(inflated_cube(scratch), "test.json", {{}, method_words()}, unused);
  RunOptions options;
  options.folder = scratch.path() / "whole";
  options.frames = Frames::none;
  options.control.threads = 1;
  const RunSummary whole = run_scene(scene, "test.json", {}, options);
  std::atomic<bool> stop{false};
  options.folder = scratch.path() / "parts";
  options.control.stop = &stop;
  options.control.progress = [&](const Progress& progress) { stop = progress.step == 13; };
  ASSERT_EQ(run_scene(scene, "test.json", {}, options).status, RunStatus::interrupted);
  stop = false;
  options.control.progress = nullptr;
  EXPECT_EQ(resume_run(options.folder, options.control).hash, whole.hash);
  for (const char* file : {"energy.csv", "measures.csv"})
    EXPECT_EQ(testing::read_text(scratch.path() / "parts" / file),
              testing::read_text(scratch.path() / "whole" / file));
}

}  // namespace
}  // namespace phiflex

// What runs measure beside their energies.
#include "phiflex/run/measures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/record/csv_table.h"
#include "phiflex/run/run.h"
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

}  // namespace
}  // namespace phiflex

// A spline material that leaves the knots of its curves is counted and said.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "phiflex/pages/viewer_page.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::read_text;
using testing::ScratchFolder;

// A free bar, stretched along x by a factor at the start, of a material known for stretches up to 1.2.
Scene bar(double factor, const std::string& element) {
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.001, "end": 0.01 },
    "integrator": { "type": "si" },
    "bodies": [ { "name": "bar", "element": ")" +
                         element + R"(",
        "mesh": { "generate": "box", "size": [0.2, 0.1, 0.1], "cells": [2, 1, 1] },
        "initial": { "stretch": { "axis": "x", "factor": )" +
                         std::to_string(factor) + R"( } },
        "material": { "type": "spline", "young": 1e5, "poisson": 0.3, "density": 1000,
          "f": { "knots": [0.8, 1, 1.2], "values": [-0.15385, 0, 0.15385] } } } ] })",
                     "spline_knots_test", read_options(), warnings);
}

TEST(SplineKnots, AreNotSpokenOfWhileTheStretchesLieWithin) {
  for (const char* element : {"tet4", "tet10"}) {
    ScratchFolder scratch;
    RunOptions options;
    options.folder = scratch.path() / "run";
    const RunSummary run = run_scene(bar(1.05, element), "scene", {}, options);
    EXPECT_EQ(run.quality.steps_outside_knots, 0);
    EXPECT_TRUE(fallbacks(run).empty());
    EXPECT_FALSE(nlohmann::json::parse(read_text(options.folder / "run.json")).contains("spline"));
  }
}

TEST(SplineKnots, LeftByEveryTetrahedronAreCountedAndSaidOnceInTheLogAndInTheReport) {
  for (const char* element : {"tet4", "tet10"}) {
    ScratchFolder scratch;
    RunOptions options;
    options.folder = scratch.path() / "run";
    int said = 0;
    options.control.finished = [](const RunFolder& folder) { write_report(folder); };
    options.control.said = [&](const Messages& fresh) {
      for (const std::string& words : fresh.warnings())
        said += words.find("beyond the knots") != std::string::npos;
    };
    const RunSummary run = run_scene(bar(1.3, element), "scene", {}, options);
    EXPECT_GE(run.quality.steps_outside_knots, 2);
    EXPECT_EQ(run.quality.most_outside_knots, 12);  // all of them at the start
    EXPECT_EQ(said, 1);
    ASSERT_EQ(fallbacks(run).size(), 1u);
    EXPECT_NE(fallbacks(run)[0].find("up to 12"), std::string::npos) << fallbacks(run)[0];
    const auto json = nlohmann::json::parse(read_text(options.folder / "run.json"));
    EXPECT_EQ(json["spline"]["most_tetrahedra_outside"], 12);
    EXPECT_NE(read_text(options.folder / "report.html").find("beyond the knots"), std::string::npos);
  }
}

}  // namespace
}  // namespace phiflex

#include "phiflex/study/sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "phiflex/record/csv_table.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::ScratchFolder;

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Sweep, RangesAreEvenOrLogarithmicAndEndWhereTheySay) {
  EXPECT_EQ(parse_variation("time.end=1..2:3").values, (std::vector<std::string>{"1", "1.5", "2"}));
  EXPECT_EQ(parse_variation("a.b=em,be").values, (std::vector<std::string>{"em", "be"}));
  const Variation young = parse_variation("bodies.bar.material.young=1e4..1e6:3:log");
  EXPECT_EQ(young.pointer, "bodies.bar.material.young");
  ASSERT_EQ(young.values.size(), 3u);
  EXPECT_NEAR(std::stod(young.values[1]), 1e5, 1e-9);
  EXPECT_EQ(std::stod(young.values[2]), 1e6);
}

TEST(Sweep, WhatCannotBeReadIsRefusedInWords) {
  EXPECT_NE(refusal([] { parse_variation("young"); }).find("expected POINTER=a..b:n"), std::string::npos);
  EXPECT_NE(refusal([] { parse_variation("y=1..2"); }).find("whole number of values"), std::string::npos);
  EXPECT_NE(refusal([] { parse_variation("y=0..2:3:log"); }).find("above 0"), std::string::npos);
  EXPECT_NE(refusal([] { parse_measure("tip.y"); }).find("expected max:"), std::string::npos);
}

// A mass on a spring that hangs from rest falls by 2 m g / k: two values of k, two steps.
TEST(Sweep, ATableHasARowForEveryCombination) {
  const ScratchFolder scratch;
  const std::string scene = (scratch.path() / "scene.json").string();
  std::ofstream(scene) << R"({ "time": { "step": 0.01, "end": 2 }, "integrator": "em", "gravity": [0, -10, 0],
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [0, -1, 0], "segments": 1,
                  "spring_constant": 10, "linear_density": 0.2 } } ],
    "constraints": [ { "type": "fix", "name": "hook", "body": "rope", "where": { "vertices": [0] } } ],
    "probes": [ { "name": "tip", "body": "rope", "at": [0, -1, 0] } ] })";
  SweepOptions options;
  options.variations = {parse_variation("time.step=0.01,0.005"),
                        parse_variation("bodies.rope.springs.spring_constant=10..20:2")};
  options.measures = {parse_measure("min:tip.y"), parse_measure("max:kinetic"), parse_measure("max:hook.fy")};
  options.folder = scratch.path() / "sweep";
  options.control.threads = 1;
  const std::vector<SweepPoint> points = sweep_scene(scene, {}, options);
  ASSERT_EQ(points.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const double k = i % 2 == 0 ? 10 : 20;
    EXPECT_EQ(points[i].status, RunStatus::done);
    EXPECT_NEAR(points[i].measured[0], -1 - 2 * 0.1 * 10 / k, 2e-3) << i;
    // At the lowest point the hook bears the spring, k times twice m g / k, and the upper mass's weight.
    EXPECT_NEAR(points[i].measured[2], 2 * 0.1 * 10 + 0.1 * 10, 2e-2) << i;
  }
  const std::string text = testing::read_text(options.folder / "sweep.csv");
  EXPECT_TRUE(
      text.starts_with("point,time.step,bodies.rope.springs.spring_constant,min:tip.y,max:kinetic,max:hook."
                       "fy,status,seconds\n"))
      << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_NE(testing::read_text(options.folder / "report.html").find("<svg"), std::string::npos);
}

TEST(Sweep, AMeasureThatNoTableHasNamesThoseThatThereAre) {
  const ScratchFolder scratch;
  const std::string scene = (scratch.path() / "scene.json").string();
  std::ofstream(scene) << R"({ "time": { "step": 0.01, "end": 0.01 }, "integrator": "em",
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [0, -1, 0], "segments": 1,
                  "spring_constant": 10, "linear_density": 0.2 } } ] })";
  SweepOptions options;
  options.variations = {parse_variation("time.step=0.01,0.005")};
  options.measures = {parse_measure("max:tip.y")};
  options.folder = scratch.path() / "sweep";
  options.control.threads = 1;
  EXPECT_NE(refusal([&] { sweep_scene(scene, {}, options); }).find("it has kinetic, elastic"),
            std::string::npos);
}

}  // namespace
}  // namespace phiflex

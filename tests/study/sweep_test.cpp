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

TEST(Sweep, ListsAndTextsAreOneValue) {
  EXPECT_EQ(parse_variation("gravity=[0,-9.81,0],[0,-1,0]").values,
            (std::vector<std::string>{"[0,-9.81,0]", "[0,-1,0]"}));
  EXPECT_EQ(parse_variation(R"(integrator={"type":"em","dissipation":0.5},"be")").values,
            (std::vector<std::string>{R"({"type":"em","dissipation":0.5})", R"("be")"}));
  EXPECT_EQ(parse_variation(R"(name="a,b","c")").values, (std::vector<std::string>{R"("a,b")", R"("c")"}));
}

// The line that users are told, on a tenth of a second.
TEST(Sweep, TheCommandWritesATableAndAPage) {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "sweep";
  const testing::Finished end =
      testing::run_command(scratch, {"sweep", PHIFLEX_SOURCE_DIR "/scenes/bar-drop/scene.json", "--vary",
                                     "bodies.bar.material.young=1e4..1e6:5:log", "--measure", "max:tip.y",
                                     "-o", folder.string(), "--set", "time.end=0.1", "--threads", "1"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("5 runs, 0 of them failed"), std::string::npos) << end.out;
  const std::string table = testing::read_text(folder / "sweep.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 6) << table;
  EXPECT_NE(testing::read_text(folder / "report.html").find("max:tip.y"), std::string::npos);
}

// The stiff rope fails with explicit steps: that is said, and it is not drawn.
TEST(Sweep, ARunThatFailsSaysWhyAndIsNotPlotted) {
  const ScratchFolder scratch;
  const std::string scene = (scratch.path() / "scene.json").string();
  std::ofstream(scene)
      << R"({ "time": { "step": 0.01, "end": 2 }, "integrator": "symplectic-euler", "gravity": [0, -10, 0],
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [0, -1, 0], "segments": 1,
                  "spring_constant": 10, "linear_density": 0.2 } } ],
    "constraints": [ { "type": "fix", "name": "hook", "body": "rope", "where": { "vertices": [0] } } ] })";
  SweepOptions options;
  options.variations = {parse_variation("bodies.rope.springs.spring_constant=10,20,1e7")};
  options.measures = {parse_measure("max:kinetic")};
  options.folder = scratch.path() / "sweep";
  options.control.threads = 1;
  std::vector<std::string> told;
  options.on_message = [&](const std::string& words) { told.push_back(words); };
  const std::vector<SweepPoint> points = sweep_scene(scene, {}, options);
  ASSERT_EQ(points.size(), 3u);
  ASSERT_EQ(points[2].status, RunStatus::failed);
  EXPECT_NE(told.at(2).find(points[2].reason), std::string::npos) << told.at(2);
  const std::string page = testing::read_text(options.folder / "report.html");
  EXPECT_NE(page.find("1e7: step "), std::string::npos) << page;
  std::size_t dots = 0;
  for (std::size_t at = 0; (at = page.find("<title>: ", at)) != std::string::npos; ++at) ++dots;
  EXPECT_EQ(dots, 2u);
}

// Values that differ by rounding alone were drawn without end.
TEST(Sweep, OfWhatIsTheSameEverywhereEnds) {
  const ScratchFolder scratch;
  const std::string scene = (scratch.path() / "scene.json").string();
  std::ofstream(scene) << R"({ "time": { "step": 0.01, "end": 0.02 }, "integrator": "em",
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [0, -1, 0], "segments": 1,
                  "spring_constant": 10, "linear_density": 0.2 } } ],
    "probes": [ { "name": "tip", "body": "rope", "at": [0, 2.4525, 0] } ] })";
  SweepOptions options;
  options.variations = {
      parse_variation("bodies.rope.springs.to=[0,2.4525000000000006,0],[0,2.452500000000001,0]")};
  options.measures = {parse_measure("min:tip.y")};
  options.folder = scratch.path() / "sweep";
  options.control.threads = 1;
  EXPECT_EQ(sweep_scene(scene, {}, options).size(), 2u);
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
  EXPECT_FALSE(std::filesystem::exists(options.folder)) << "found before the first run";
  options.measures = {parse_measure("max:kinetic")};
  options.variations = {parse_variation("time.step=0.01,0.005"), parse_variation("time.step=0.002")};
  EXPECT_NE(refusal([&] { sweep_scene(scene, {}, options); }).find("varied twice"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(options.folder));
}

}  // namespace
}  // namespace phiflex

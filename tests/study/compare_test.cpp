// What `compare` finds out about a bar that sags, and what it leaves in its folder.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "phiflex/scene/scene.h"
#include "phiflex/study/compare_report.h"
#include "phiflex/study/reference_method.h"
#include "phiflex/study/trajectory.h"
#include "tests/run/process.h"

namespace phiflex::testing {
namespace {

// 48 degrees of freedom; its highest frequency is about 600 rad/s.
std::string sagging_bar(const std::string& end) {
  return R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": )" + end + R"( },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1] },
      "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000 } } ],
    "constraints": [ { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] }, "type": "fix" } ] })";
}

class Compare : public ::testing::Test {
 protected:
  Compare() : scene_(write("bar.json", sagging_bar("0.2"))) {}

  std::string write(const char* name, const std::string& text) const {
    const std::filesystem::path path = scratch_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  Comparison compare(const std::string& integrators, std::vector<double> steps,
                     CompareOptions options = {}) const {
    options.integrators = parse_method_variants(integrators, "test");
    options.steps = std::move(steps);
    options.folder = scratch_.path() / "out";
    return compare_scene(scene_, {}, options);
  }
  Finished command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"compare", scene_, "-o", scratch_.path() / "out"});
    return run_command(scratch_, std::move(arguments));
  }
  std::string text_of(const char* file) const { return read_text(scratch_.path() / "out" / file); }
  nlohmann::json page_data() const {
    const std::string page = text_of("report.html"), opening = "id=\"phiflex-data\">";
    const std::size_t start = page.find(opening) + opening.size();
    return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
  }

  const ScratchFolder scratch_;
  const std::string scene_;
};

double error_of(const ComparedRun& run) {
  return run.largest_position_error().value();
}

TEST_F(Compare, ErrorsFallAsTheOrderOfTheMethodSays) {
  const Comparison found = compare("si,midpoint", {0.005, 0.0025});
  ASSERT_EQ(found.runs.size(), 4U);
  // Halving divides an error of order p by 2^p, up to a fifth at these steps.
  EXPECT_NEAR(error_of(found.runs[0]) / error_of(found.runs[1]), 2, 0.4);
  EXPECT_NEAR(error_of(found.runs[2]) / error_of(found.runs[3]), 4, 0.8);
  for (const ComparedRun& run : found.runs) {
    EXPECT_EQ(run.result, ComparedResult::stable);
    EXPECT_EQ(run.position_error.size(), found.times.size());
    EXPECT_GT(run.largest_velocity_error().value(), error_of(run));
  }
  // SI takes a large part of the energy, midpoint next to nothing.
  EXPECT_GT(found.runs[0].numerical_loss, 0.1 * found.exchanged_energy);
  EXPECT_LT(found.runs[2].largest_loss, 0.01 * found.exchanged_energy);
}

TEST_F(Compare, TheReferenceIsHalvedUntilItMovesLessThanATenthOfTheSmallestError) {
  const Comparison found = compare("si,midpoint", {0.01});
  EXPECT_TRUE(found.converged) << found.convergence;
  ASSERT_GE(found.references.size(), 2U);
  const ReferenceRun &last = found.references.back(),
                     &coarser = found.references[found.references.size() - 2];
  EXPECT_EQ(last.h, coarser.h / 2);
  EXPECT_LT(last.change.value(), 0.1 * error_of(found.runs[1]));
  EXPECT_EQ(find_integrator(found.reference.name)->info->order, 4);
}

TEST_F(Compare, AReferenceOfLowOrderIsHalvedMoreOften) {
  CompareOptions options;
  options.reference = parse_method_variant("midpoint:0.01", "test");
  const Comparison found = compare("bdf2", {0.01}, options);
  EXPECT_TRUE(found.converged) << found.convergence;
  EXPECT_EQ(found.references[0].h, 0.01);
  // An error of order two: 0.1 of the smallest error is not met by the first halving.
  EXPECT_GE(found.references.size(), 3U);
}

// Backward Euler takes more than a tenth of the energy at these steps: what lost so much is said, and errors are
// measured against those that did not.
TEST_F(Compare, AReferenceThatLostMuchOfItsEnergyIsNotUsed) {
  CompareOptions options;
  options.reference = parse_method_variant("be:0.01", "test");
  const Comparison found = compare("be", {0.01}, options);
  const auto warned = [&](const std::string& words) {
    const std::vector<std::string> warnings = found.messages.warnings();
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](const std::string& warning) { return warning.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(warned("be@0.01 is no reference: it took"));
  EXPECT_TRUE(warned("be@0.005 is no reference: it took"));
  EXPECT_GT(found.runs[0].summary.energy_largest_relative_change, 0.1);
  ASSERT_GE(found.references.size(), 4U);
  EXPECT_FALSE(found.references[0].change);
  EXPECT_FALSE(found.references[1].change);
  // The run itself was the first reference: had that been used, its error would be 0.
  EXPECT_GT(error_of(found.runs[0]), 1e-3);
  EXPECT_TRUE(found.converged) << found.convergence;
}

TEST_F(Compare, WhereTheReferenceOfItsChoiceTakesTooLongTheOthersHaveTheirShareOfTheTime) {
  write("bar.json", sagging_bar("200"));  // no method ends in time
  CompareOptions options;
  options.reference_seconds = 0.5;
  options.control.max_seconds = 0.02;  // of the run
  options.frames = Frames::none;
  std::vector<std::string> said;
  options.on_message = [&](const std::string& words) { said.push_back(words); };
  const Comparison found = compare("midpoint", {0.01}, options);
  std::vector<std::string> references;
  for (const std::string& words : said)
    if (words.starts_with("reference ")) references.push_back(words.substr(10, words.find('@') - 10));
  ASSERT_EQ(references.size(), 3U);
  EXPECT_EQ(find_integrator(references[0])->info->order, 4);
  EXPECT_EQ(references[1], "verlet");
  EXPECT_EQ(references[2], "em");
  EXPECT_FALSE(found.converged);
  EXPECT_TRUE(found.runs[0].position_error.empty());
}

// A stiff bar asks for many explicit steps, a soft one for few.
TEST_F(Compare, AfterTheMostAccurateReferenceTheCheaperOneIsNext) {
  for (const auto& [young, second] : {std::pair{"2e5", "verlet"}, std::pair{"2e10", "em"}}) {
    std::vector<Problem> unused;
    const SceneModel world = build_scene(
        read_scene(scene_, read_options({std::string("bodies.bar.material.young=") + young}), unused),
        scene_);
    const std::vector<ReferenceChoice> found = reference_candidates(world, 0.01, nullptr);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(find_integrator(found[0].method.name)->info->order, 4);
    EXPECT_EQ(found[1].method.name, second) << young;
    EXPECT_NE(found[2].method.name, second) << young;
  }
  std::vector<Problem> unused;
  const SceneModel world = build_scene(read_scene(scene_, read_options(), unused), scene_);
  const MethodVariant asked = parse_method_variant("be:0.01", "test");
  EXPECT_EQ(reference_candidates(world, 0.01, &asked).size(), 1U);
}

// A linear bar whose rk4 grows without bounds and stays finite.
TEST_F(Compare, ARunOfBoundlessEnergyIsHeldAgainstTheReferenceOrElseTheBestRun) {
  for (const double seconds : {300.0, 1e-9}) {
    CompareOptions options;
    options.integrators = parse_method_variants("rk4,midpoint", "test");
    options.folder = scratch_.path() / "out";
    options.existing = ExistingFolder::reuse;
    options.reference_seconds = seconds;
    const Comparison found =
        compare_scene(scene_, {"bodies.bar.material.type=linear", "limits.energy=1e300"}, options);
    EXPECT_EQ(found.runs[0].result, ComparedResult::diverged);
    EXPECT_EQ(found.runs[1].result, ComparedResult::stable);
    EXPECT_TRUE(found.runs[0].reason.ends_with(
        seconds > 1 ? "that the reference exchanges" : "that the run that kept its energy best exchanges"))
        << found.runs[0].reason;
  }
}

TEST_F(Compare, SaysWhenTheReferenceHasNotConverged) {
  CompareOptions options;
  options.reference = parse_method_variant("be:0.01", "test");
  options.reference_seconds = 1e-9;  // enough for none
  const Comparison found = compare("midpoint", {0.01}, options);
  EXPECT_FALSE(found.converged);
  EXPECT_TRUE(found.convergence.starts_with("not converged")) << found.convergence;
}

TEST_F(Compare, ARunThatDivergesIsAResultWithItsStep) {
  // h w_max is about 6, above the limit of 2.8.
  const Finished done = command({"--integrators", "rk4,midpoint", "--json"});
  EXPECT_EQ(done.code, 0) << done.err;
  const auto found = nlohmann::json::parse(done.out);
  const auto& rk4 = found["runs"][0];
  EXPECT_EQ(rk4["result"], "diverged");
  EXPECT_GE(rk4["diverged_at_step"].get<int>(), 1);
  EXPECT_LE(rk4["diverged_at_step"].get<int>(), rk4["steps"].get<int>() + 1);
  EXPECT_FALSE(rk4["reason"].get<std::string>().empty());
  EXPECT_EQ(found["runs"][1]["result"], "stable");
  EXPECT_TRUE(found["runs"][1]["diverged_at_step"].is_null());
}

TEST_F(Compare, AStepThatCannotBeMadeIsToldFromDivergence) {
  const Finished done =
      command({"--integrators", "be:newton_limit=1:newton_tolerance=1e-15:halve_step=false,si", "--json"});
  EXPECT_EQ(done.code, 0) << done.err;
  const auto found = nlohmann::json::parse(done.out);
  EXPECT_EQ(found["runs"][0]["result"], "failed");
  EXPECT_EQ(found["runs"][0]["diverged_at_step"], 1);
  EXPECT_EQ(found["runs"][1]["result"], "stable");
}

TEST_F(Compare, LeavesTheFilesItDocuments) {
  const Finished done =
      command({"--integrators", "si,newmark:beta=0.3:gamma=0.6,rk4:0.002", "--steps-of", "0.01,0.005"});
  ASSERT_EQ(done.code, 0) << done.err;
  for (const char* run : {"si@0.01", "si@0.005", "newmark+beta=0.3+gamma=0.6@0.01",
                          "newmark+beta=0.3+gamma=0.6@0.005", "rk4@0.002"})
    EXPECT_TRUE(std::filesystem::exists(scratch_.path() / "out/runs" / run / "run.json")) << run;
  EXPECT_TRUE(text_of("compare.csv")
                  .starts_with("run,method,h,result,diverged_at_step,steps,seconds,seconds_per_step,"
                               "position_error,velocity_error,"));
  EXPECT_TRUE(text_of("errors.csv").starts_with("run,time,position_error,velocity_error\n"));
  const auto found = nlohmann::json::parse(text_of("compare.json"));
  EXPECT_EQ(found["runs"].size(), 5U);
  EXPECT_EQ(found["reference"]["converged"], true);
  EXPECT_EQ(found["runs"][1]["method"], "si");
  EXPECT_EQ(found["runs"][3]["run"], "newmark:beta=0.3:gamma=0.6@0.005");
  EXPECT_GT(found["runs"][0]["counts"]["factorizations"].get<int>(), 0);
  const auto page = page_data();
  EXPECT_EQ(page["kind"], "compare");
  EXPECT_EQ(page["comparison"]["reference"]["converged"], true);
  EXPECT_EQ(page["comparison"]["runs"].size(), 5U);
  EXPECT_EQ(page["runs"].size(), 6U);
  EXPECT_EQ(page["runs"][3]["name"], "newmark:beta=0.3:gamma=0.6@0.005");
  EXPECT_EQ(page["runs"][5]["reference"], true);
  const auto& errors = page["comparison"]["errors"];
  EXPECT_EQ(errors["names"][0], "time");
  EXPECT_EQ(errors["names"][1], "si@0.01 position_error");
  EXPECT_EQ(errors["names"].size(), 11U);
  EXPECT_EQ(errors["columns"][10].size(), errors["columns"][0].size());
}

TEST_F(Compare, AllRunsAndTheReferenceHaveFramesAtTheSameTimes) {
  ASSERT_EQ(command({"--integrators", "si,midpoint:0.004", "--quiet"}).code, 0);
  const auto page = page_data();
  ASSERT_EQ(page["runs"].size(), 3U);
  for (const auto& run : page["runs"]) {
    // Steps of 0.01 s and 0.004 s meet every 0.02 s.
    const std::vector<double> times = run["motion"]["times"];
    ASSERT_EQ(times.size(), 11U) << run["name"];
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(times[i], 0.02 * static_cast<double>(i), 1e-12);
    EXPECT_GT(run["energy"]["rows"], 20);
  }
  // Of the references only the finest keeps its frames.
  const auto references = nlohmann::json::parse(text_of("compare.json"))["reference"]["runs"];
  for (const auto& reference : references)
    EXPECT_EQ(std::filesystem::exists(scratch_.path() / "out" / std::string(reference["folder"]) / "frames"),
              reference == references.back());
}

TEST_F(Compare, MoreThanSixRunsAreAllInTheTablesAndSixMove) {
  ASSERT_EQ(command({"--integrators", "si,be,midpoint,bdf2", "--steps-of", "0.01,0.02", "--quiet"}).code, 0);
  const auto page = page_data();
  EXPECT_EQ(page["comparison"]["runs"].size(), 8U);
  ASSERT_EQ(page["runs"].size(), 9U);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_EQ(page["runs"][i]["motion"].is_null(), i == 6 || i == 7) << page["runs"][i]["name"];
  EXPECT_NE(page["runs"][7]["remarks"][0].get<std::string>().find("phiflex view"), std::string::npos);
}

TEST_F(Compare, ThePageIsMadeAnewFromTheFolderAlone) {
  ASSERT_EQ(command({"--integrators", "si,rk4", "--no-frames", "--quiet"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "out/runs/si@0.01/frames"));
  const std::string before = text_of("report.html");
  EXPECT_TRUE(page_data()["runs"][0]["motion"].is_null());
  std::filesystem::remove(scratch_.path() / "out/report.html");
  const Finished again = run_command(scratch_, {"report", scratch_.path() / "out"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(text_of("report.html"), before);

  // One that names a run elsewhere is refused.
  auto damaged = nlohmann::ordered_json::parse(text_of("compare.json"));
  damaged["runs"][0]["folder"] = "runs/../../elsewhere";
  std::ofstream(scratch_.path() / "out/compare.json") << damaged.dump();
  EXPECT_EQ(run_command(scratch_, {"report", scratch_.path() / "out"}).code, 65);
}

TEST_F(Compare, RefusesBadInputBeforeAnythingIsRun) {
  const Finished unknown = command({"--integrators", "si,sii"});
  EXPECT_EQ(unknown.code, 65);
  EXPECT_NE(unknown.err.find("\"sii\""), std::string::npos) << unknown.err;
  EXPECT_EQ(command({"--integrators", "newmark:beta=much"}).code, 65);
  EXPECT_EQ(command({"--integrators", "si", "--reference", "exact"}).code, 65);
  const Finished step = command({"--integrators", "si", "--steps-of", "0.007"});
  EXPECT_EQ(step.code, 65);
  EXPECT_NE(step.err.find("0.007"), std::string::npos) << step.err;
  EXPECT_EQ(command({"--integrators", "si", "--steps-of", "-1"}).code, 2);
  EXPECT_EQ(command({}).code, 2);
  EXPECT_EQ(run_command(scratch_, {"compare", "nowhere.json", "--integrators", "si"}).code, 74);
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "out"));

  std::filesystem::create_directories(scratch_.path() / "out");
  std::ofstream(scratch_.path() / "out/mine.txt") << "kept";
  EXPECT_EQ(command({"--integrators", "si"}).code, 2);
  EXPECT_EQ(command({"--integrators", "si", "--force", "--quiet"}).code, 0);
  EXPECT_EQ(text_of("mine.txt"), "kept");
}

TEST_F(Compare, WhatIsFinishedStaysWhenItIsInterrupted) {
  write("bar.json", sagging_bar("20"));  // the second run takes minutes
  Process process(scratch_,
                  {"compare", scene_, "-o", scratch_.path() / "out", "--integrators", "si,si:1e-5"});
  const std::filesystem::path second = scratch_.path() / "out/runs/si@1e-05/energy.csv";
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(second); }));
  kill(process.id(), SIGINT);
  EXPECT_EQ(process.wait().code, 130);
  const auto found = nlohmann::json::parse(text_of("compare.json"));
  EXPECT_EQ(found["status"], "interrupted");
  EXPECT_EQ(found["runs"][0]["result"], "stable");
  EXPECT_EQ(found["runs"][1]["result"], "interrupted");
  EXPECT_EQ(found["reference"]["converged"], false);
}

TEST(CommonTimes, AreThoseThatEveryStepReaches) {
  const std::vector<double> found = common_times({0.01, 0.004}, 0.08, 100);
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], 0.02 * static_cast<double>(i + 1), 1e-15);
  const std::vector<double> few = common_times({0.01}, 1, 10);
  EXPECT_LE(few.size(), 10U);
  EXPECT_EQ(few.back(), 1);
}

}  // namespace
}  // namespace phiflex::testing

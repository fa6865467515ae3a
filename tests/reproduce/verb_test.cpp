// `phiflex reproduce` as a user meets it, on small catalogues of its own.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/run/process.h"

namespace phiflex::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* rope_scene =
    R"({ "name": "rope", "time": { "step": 0.01, "end": 0.1 }, "gravity": [0, -9.81, 0],
  "integrator": { "type": "si" },
  "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 4,
    "stiffness": 100, "linear_density": 0.1 } } ],
  "constraints": [ { "body": "rope", "where": { "vertices": [0] }, "type": "fix" } ] })";

constexpr const char* box_scene =
    R"({ "name": "box", "time": { "step": 0.01, "end": 0.05 }, "gravity": [0, -9.81, 0],
  "integrator": { "type": "si" },
  "bodies": [ { "name": "box", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
    "material": { "type": "linear", "young": 1e5, "poisson": 0.3, "density": 1000 } } ] })";

Json experiment_json(const std::string& id) {
  return {{"id", id},
          {"paper", "ere"},
          {"item", "Figure 0"},
          {"class", "A"},
          {"title", "a rope for " + id},
          {"question", "Does it swing?"},
          {"differs", Json::array()},
          {"values", Json::object()},
          {"quick", {{"expect", "confirmed"}, {"seconds", 0.1}}},
          {"full", Json::object()},
          {"runs", {{{"name", "r"}, {"scene", "rope.scene.json"}}}},
          {"claims", {{{"text", "it comes to its end"}, {"holds", "done('r')"}}}}};
}

// A catalogue in a scratch folder, which the command is told of.
class Reproduce : public ::testing::Test {
 protected:
  Reproduce() {
    fs::create_directories(scratch.path() / "catalogue");
    fs::create_directories(scratch.path() / "meshes");
    setenv("PHIFLEX_EXPERIMENTS", (scratch.path() / "catalogue").c_str(), 1);
    setenv("PHIFLEX_MESHES", (scratch.path() / "meshes").c_str(), 1);
  }
  ~Reproduce() override {
    unsetenv("PHIFLEX_EXPERIMENTS");
    unsetenv("PHIFLEX_MESHES");
  }

  void add(const Json& experiment) {
    const fs::path folder = scratch.path() / "catalogue" / experiment.at("id").get<std::string>();
    fs::create_directories(folder);
    std::ofstream(folder / "experiment.json") << experiment.dump(2);
    std::ofstream(folder / "rope.scene.json") << rope_scene;
    std::ofstream(folder / "box.scene.json") << box_scene;
  }
  std::vector<std::string> with_output(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "reproduce");
    for (const std::string& more :
         {std::string("-o"), out.string(), std::string("--threads"), std::string("1")})
      arguments.push_back(more);
    return arguments;
  }
  Finished run(const std::vector<std::string>& arguments) {
    return run_command(scratch, with_output(arguments));
  }
  Json verdict(const std::string& id) const { return Json::parse(read_text(out / id / "verdict.json")); }

  ScratchFolder scratch;
  fs::path out = scratch.path() / "out";
};

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST_F(Reproduce, ListsTheCatalogueWithExpectedAndLastVerdicts) {
  add(experiment_json("ere-a"));
  add(experiment_json("ere-b"));
  ASSERT_EQ(run({"ere-a", "--quick", "--quiet"}).code, 0);
  const Finished list = run({"--list"});
  EXPECT_EQ(list.code, 0) << list.err;
  for (const char* words : {"ere-a", "ere-b", "a rope for ere-b", "confirmed (quick)", "0.1"})
    EXPECT_TRUE(says(list.out, words)) << words << "\n" << list.out;
  const Json json = Json::parse(run({"--list", "--json"}).out);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["last"]["verdict"], "confirmed");
  EXPECT_TRUE(json[1]["last"].is_null());
  EXPECT_EQ(json[1]["quick"]["expected"], "confirmed");
}

TEST_F(Reproduce, AnUnknownExperimentIsRefusedWithTheNearestName) {
  add(experiment_json("ere-table2"));
  const Finished end = run({"ere-tabel2"});
  EXPECT_EQ(end.code, 65);
  EXPECT_TRUE(says(end.err, "ere-tabel2")) << end.err;
  EXPECT_TRUE(says(end.err, "did you mean \"ere-table2\"")) << end.err;
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(Reproduce, NothingAskedForIsWrongUsage) {
  add(experiment_json("ere-a"));
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"ere-a", "--all"}).code, 2);
  EXPECT_EQ(run({"--all", "--quick", "--full"}).code, 2);
}

TEST_F(Reproduce, WritesPageGalleryAndVerdictAndSaysWhichVariantItTakes) {
  add(experiment_json("ere-a"));
  const Finished one = run({"ere-a"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_TRUE(says(one.out, "full variant")) << one.out;
  EXPECT_EQ(verdict("ere-a")["variant"], "full");
  EXPECT_TRUE(fs::exists(out / "ere-a" / "index.html"));
  EXPECT_TRUE(says(read_text(out / "index.html"), "ere-a/index.html"));
  const Finished all = run({"--all"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_TRUE(says(all.out, "quick variant")) << all.out;
  EXPECT_EQ(verdict("ere-a")["variant"], "quick");
}

TEST_F(Reproduce, ARefutedClaimIsAResultAndNoFailure) {
  Json experiment = experiment_json("ere-a");
  experiment["claims"][0]["holds"] = "steps('r') > 10";
  add(experiment);
  const Finished end = run({"ere-a", "--quick"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(verdict("ere-a")["verdict"], "refuted");
}

TEST_F(Reproduce, AVerdictThatIsNotTheStoredOneFailsTheCheck) {
  Json wrong = experiment_json("ere-b");
  wrong["claims"][0]["holds"] = "steps('r') > 10";
  Json unsaid = experiment_json("ere-c");
  unsaid["quick"].erase("expect");
  add(experiment_json("ere-a"));
  add(wrong);
  add(unsaid);
  const Finished end = run({"--all", "--quick", "--check"});
  EXPECT_EQ(end.code, 1) << end.err;
  EXPECT_TRUE(says(end.err, "ere-b: refuted instead of confirmed")) << end.err;
  EXPECT_TRUE(says(end.err, "ere-c: confirmed, and no expectation is stored")) << end.err;
  EXPECT_FALSE(says(end.err, "ere-a")) << end.err;
  EXPECT_EQ(run({"ere-a", "--quick", "--check"}).code, 0);
}

TEST_F(Reproduce, StoresWhatItSawAndTheCheckThenPassesWithoutRepeatingIt) {
  Json experiment = experiment_json("ere-a");
  experiment["claims"][0]["holds"] = "steps('r') > 10";
  experiment["quick"] = {{"values", {{"n", 3}}}};
  add(experiment);
  ASSERT_EQ(run({"ere-a", "--quick", "--store"}).code, 0);
  const Json stored = Json::parse(read_text(scratch.path() / "catalogue/ere-a/experiment.json"));
  EXPECT_EQ(stored["quick"]["expect"], "refuted");
  EXPECT_EQ(stored["quick"]["values"]["n"], 3);
  const Finished check = run({"ere-a", "--quick", "--check"});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_TRUE(says(check.out, "finished on")) << check.out;
}

TEST_F(Reproduce, AnEstimateReckonsTheRestOfALongRunAndGivesNoVerdict) {
  Json experiment = experiment_json("ere-a");
  experiment["runs"][0]["end"] =
      "{if quick then 0.1 else 40000}";  // 4,000,000 steps: far more than the 2 s of an estimate
  add(experiment);
  const Finished end = run({"ere-a", "--full", "--estimate", "--store"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_FALSE(fs::exists(out / "ere-a" / "verdict.json"));
  const Json full =
      Json::parse(read_text(scratch.path() / "catalogue" / "ere-a" / "experiment.json"))["full"];
  ASSERT_TRUE(full.contains("estimated_seconds")) << full.dump();
  EXPECT_GT(full["estimated_seconds"].get<double>(), 2);
  EXPECT_LE(full["estimated_seconds"].get<double>(), 610);  // a run of a full variant has 600 s
  EXPECT_TRUE(says(full["estimate"], "1 of 1 runs")) << full.dump();
  EXPECT_TRUE(says(full["estimate"], "'r': 4000000 steps")) << full.dump();
  EXPECT_FALSE(full.contains("seconds") || full.contains("expect")) << full.dump();
  const Finished list = run({"--list"});
  EXPECT_TRUE(says(list.out, " about ")) << list.out;
}

TEST_F(Reproduce, WhatARunThatWasStoppedLeavesUndecidedIsAVerdictAndNoFailure) {
  Json experiment = experiment_json("ere-a");
  experiment["runs"] = {
      {{"name", "short"}, {"scene", "rope.scene.json"}},
      {{"name", "long"}, {"scene", "rope.scene.json"}, {"end", 1e5}, {"max_seconds", 0.01}}};
  experiment["claims"][0]["holds"] = "max(abs(series('short', 'kinetic') - series('long', 'kinetic'))) < 1";
  experiment["table"] = {
      {{"what", "distance"}, {"measured", "max(series('short', 'kinetic') - series('long', 'kinetic'))"}}};
  add(experiment);
  const Finished end = run({"ere-a", "--quick"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(verdict("ere-a")["verdict"], "not comparable");
  EXPECT_TRUE(says(verdict("ere-a")["reason"], "'long': stopped after")) << verdict("ere-a").dump(2);
}

TEST_F(Reproduce, AnEstimateBesideMeasuredSecondsIsRefused) {
  Json experiment = experiment_json("ere-a");
  experiment["full"] = {{"seconds", 3}, {"estimated_seconds", 4}, {"estimate", "guessed"}};
  add(experiment);
  const Finished end = run({"--list"});
  EXPECT_EQ(end.code, 65);
  EXPECT_TRUE(says(end.err, "estimated_seconds")) << end.err;
}

TEST_F(Reproduce, AMissingMeshFallsBackToItsStandInAndSaysSo) {
  Json experiment = experiment_json("ere-a");
  experiment["runs"][0]["scene"] = "box.scene.json";
  experiment["meshes"] = {
      {{"at", "bodies.0.mesh"}, {"file", "dragon.msh"}, {"stand_in", "a box of one cell"}}};
  add(experiment);
  const Finished end = run({"ere-a", "--quick"});
  EXPECT_EQ(end.code, 0) << end.err;
  const std::string bodies = verdict("ere-a")["bodies"].dump();
  EXPECT_TRUE(says(bodies, "dragon.msh")) << bodies;
  EXPECT_TRUE(says(bodies, "a box of one cell")) << bodies;
  EXPECT_TRUE(says(read_text(out / "ere-a" / "index.html"), "a box of one cell"));
}

TEST_F(Reproduce, AVerdictOnAStandInThatDiffersFromTheStoredOneIsSaidAndNotCounted) {
  Json experiment = experiment_json("ere-a");
  experiment["runs"][0]["scene"] = "box.scene.json";
  experiment["meshes"] = {
      {{"at", "bodies.0.mesh"}, {"file", "dragon.msh"}, {"stand_in", "a box of one cell"}}};
  experiment["quick"]["expect"] = "refuted";
  add(experiment);
  const Finished end = run({"ere-a", "--quick", "--check"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(says(end.err, "confirmed instead of refuted; not counted")) << end.err;
}

TEST_F(Reproduce, AnExperimentThatDivergesReportsTheStepAndTheNextGoesOn) {
  Json wild = experiment_json("ere-a");
  wild["runs"][0]["set"] = {{"integrator.type", "symplectic-euler"}, {"bodies.0.springs.stiffness", 1e9}};
  wild["claims"][0]["holds"] = "not diverges('r')";
  add(wild);
  add(experiment_json("ere-b"));
  const Finished end = run({"--all", "--quick"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(verdict("ere-a")["verdict"], "refuted");
  const std::string status = verdict("ere-a")["runs"][0]["status"];
  EXPECT_TRUE(says(status, "diverged") && says(status, "step")) << status;
  EXPECT_EQ(verdict("ere-b")["verdict"], "confirmed");
}

TEST_F(Reproduce, AValueThatIsNotKnownLeavesItsClaimsOpenAndTheOthersAreStated) {
  Json experiment = experiment_json("ere-a");
  experiment["values"] = {{"n", "=mesh_vertices('dragon.msh')"}, {"twice", "=2 * n"}};
  experiment["runs"].push_back(
      {{"name", "of-mesh"}, {"scene", "rope.scene.json"}, {"set", {{"time.end", "{twice}"}}}});
  experiment["runs"].push_back(
      {{"name", "family-{i}"}, {"scene", "rope.scene.json"}, {"for", {{"i", "=[twice]"}}}});
  experiment["claims"].push_back({{"text", "{n} vertices"}, {"holds", "n > 10"}});
  experiment["claims"].push_back({{"text", "its run ends"}, {"holds", "done('of-mesh')"}});
  experiment["claims"].push_back({{"text", "its family ends"}, {"holds", "done('family-3')"}});
  experiment["claims"].push_back({{"text", "all of {i}"}, {"holds", "i > 0"}, {"for", {{"i", "=n"}}}});
  experiment["table"] = {{{"what", "vertices"}, {"printed", 10}, {"measured", "n"}}};
  experiment["plots"] = {{{"title", "p"},
                          {"x", "x"},
                          {"y", "y"},
                          {"series", {{{"name", "s"}, {"x", "[1, n]"}, {"y", "[1, 2]"}}}}}};
  add(experiment);
  const Finished end = run({"ere-a", "--quick"});
  ASSERT_EQ(end.code, 0) << end.err;
  const Json made = verdict("ere-a");
  EXPECT_EQ(made["verdict"], "not comparable");
  ASSERT_EQ(made["claims"].size(), 5U);
  EXPECT_EQ(made["claims"][0]["result"], "holds");
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(made["claims"][i]["result"], "undecided") << i;
    EXPECT_TRUE(says(made["claims"][i]["reason"], "dragon.msh")) << made["claims"][i].dump();
  }
}

TEST_F(Reproduce, AClaimAgainstATruthThatDivergedIsOpenAndSaysSo) {
  // So stiff that every halving of its step diverges.
  Json experiment = experiment_json("ere-a");
  experiment["runs"].push_back(
      {{"name", "wild"},
       {"scene", "rope.scene.json"},
       {"set", {{"integrator.type", "symplectic-euler"}, {"bodies.0.springs.stiffness", 1e14}}},
       {"truth", {{"for", {"r"}}, {"seconds", 20}}}});
  for (const char* holds :
       {"err('r', 'wild') < 1", "velocity_err('r', 'wild') < 1", "relative_err('r', 'wild') < 1",
        "lost('r', 'wild') < 1", "keep('r', 'wild') > 0", "max(errs('r', 'wild')) < 1"})
    experiment["claims"].push_back({{"text", holds}, {"holds", holds}});
  add(experiment);
  const Finished end = run({"ere-a", "--quick"});
  ASSERT_EQ(end.code, 0) << end.err;
  const Json made = verdict("ere-a");
  EXPECT_EQ(made["verdict"], "not comparable");
  ASSERT_EQ(made["claims"].size(), 7U);
  EXPECT_EQ(made["claims"][0]["result"], "holds");
  for (std::size_t i = 1; i < 7; ++i) {
    EXPECT_EQ(made["claims"][i]["result"], "undecided") << made["claims"][i].dump();
    EXPECT_TRUE(says(made["claims"][i]["reason"], "'wild' diverged")) << made["claims"][i].dump();
  }
}

TEST_F(Reproduce, ARunOfOneStepHasACost) {
  Json experiment = experiment_json("ere-a");
  experiment["runs"][0]["end"] = 0.01;
  experiment["claims"][0]["holds"] = "steps('r') == 1 and cost('r') > 0";
  add(experiment);
  ASSERT_EQ(run({"ere-a", "--quick"}).code, 0);
  EXPECT_EQ(verdict("ere-a")["verdict"], "confirmed") << verdict("ere-a").dump(2);
}

TEST_F(Reproduce, AMeshThatAppearsOrChangesIsAReasonToRepeatAlsoWhereItsNameIsAValue) {
  Json experiment = experiment_json("ere-a");
  experiment["values"] = {{"mesh", "cube.mesh"}};
  experiment["runs"][0]["scene"] = "box.scene.json";
  experiment["meshes"] = {{{"at", "bodies.0.mesh"}, {"file", "{mesh}"}, {"stand_in", "a box of one cell"}}};
  experiment["claims"][0]["holds"] = "elements('r') == 1";
  add(experiment);
  ASSERT_EQ(run({"ere-a", "--quick"}).code, 0);
  EXPECT_EQ(verdict("ere-a")["verdict"], "refuted");
  const auto write_tet = [&](double height) {
    std::ofstream(scratch.path() / "meshes/cube.mesh")
        << "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 " << height
        << " 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n";
  };
  write_tet(1);
  const Finished appeared = run({"ere-a", "--quick"});
  EXPECT_FALSE(says(appeared.out, "finished on")) << appeared.out << appeared.err;
  EXPECT_EQ(verdict("ere-a")["verdict"], "confirmed");
  EXPECT_TRUE(says(run({"ere-a", "--quick"}).out, "finished on"));
  const std::string before = verdict("ere-a")["key"];
  write_tet(12.5);
  EXPECT_FALSE(says(run({"ere-a", "--quick"}).out, "finished on"));
  EXPECT_NE(verdict("ere-a")["key"], before);
}

TEST_F(Reproduce, WhatCannotBeCarriedOutIsReportedAtTheEndAndTheRestIsDone) {
  Json broken = experiment_json("ere-a");
  broken["clams"] = Json::array();
  add(broken);
  add(experiment_json("ere-b"));
  const Finished all = run({"--all", "--quick"});
  EXPECT_EQ(all.code, 65);
  EXPECT_TRUE(says(all.err, "ere-a") && says(all.err, "clams")) << all.err;
  EXPECT_EQ(verdict("ere-b")["verdict"], "confirmed");
  EXPECT_EQ(run({"ere-b", "--quick"}).code, 0) << "nobody asked for the broken one";
}

TEST_F(Reproduce, AFinishedExperimentIsNotRepeatedUnlessItChangedOrIsForced) {
  add(experiment_json("ere-a"));
  ASSERT_EQ(run({"--all"}).code, 0);
  const Finished again = run({"--all"});
  EXPECT_TRUE(says(again.out, "finished on")) << again.out;
  EXPECT_TRUE(says(again.out, "1 kept")) << again.out;
  EXPECT_FALSE(says(run({"--all", "--force"}).out, "finished on"));
  Json changed = experiment_json("ere-a");
  changed["claims"][0]["holds"] = "steps('r') == 11";
  add(changed);
  EXPECT_FALSE(says(run({"--all"}).out, "finished on"));
  EXPECT_EQ(verdict("ere-a")["verdict"], "refuted");
}

TEST_F(Reproduce, AnInterruptedAllDoesNotRepeatWhatIsFinished) {
  Json slow = experiment_json("ere-b");
  slow["runs"][0]["end"] = 1e6;
  slow["runs"][0]["max_seconds"] = 200;
  slow["claims"][0]["holds"] = "true";
  add(experiment_json("ere-a"));
  add(slow);
  add(experiment_json("ere-c"));
  Process first(scratch, with_output({"--all"}));
  const fs::path done = out / "ere-a" / "verdict.json";
  const auto runs_begun = [&] {
    const fs::path runs = out / "runs";
    return !fs::exists(runs)
               ? 0
               : std::count_if(fs::directory_iterator(runs), {}, [](const fs::directory_entry& run) {
                   return fs::exists(run.path() / "run.json");
                 });
  };
  ASSERT_TRUE(eventually([&] { return fs::exists(done) && runs_begun() == 2; }));
  kill(first.id(), SIGINT);
  const Finished stopped = first.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  ASSERT_TRUE(fs::exists(done));
  EXPECT_FALSE(fs::exists(out / "ere-b" / "verdict.json"));
  EXPECT_TRUE(fs::exists(out / "index.html"));
  const auto written = fs::last_write_time(done);

  add(experiment_json("ere-b"));  // one that ends
  const Finished rest = run({"--all"});
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(fs::last_write_time(done), written);
  EXPECT_TRUE(says(rest.out, "1 kept")) << rest.out;
  EXPECT_TRUE(fs::exists(out / "ere-b" / "verdict.json"));
  EXPECT_TRUE(fs::exists(out / "ere-c" / "verdict.json"));
}

TEST_F(Reproduce, JsonPrintsTheVerdictsAndNothingElse) {
  add(experiment_json("ere-a"));
  const Finished end = run({"ere-a", "--quick", "--json"});
  EXPECT_EQ(end.code, 0) << end.err;
  const Json json = Json::parse(end.out);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["verdict"], "confirmed");
  EXPECT_TRUE(end.err.empty()) << end.err;
}

TEST_F(Reproduce, RunsWithFramesBecomeAStrip) {
  Json experiment = experiment_json("ere-a");
  experiment["runs"][0]["frames"] = true;
  experiment["strip"] = {{"runs", {"r"}}, {"names", {"semi-implicit"}}, {"moments", 3}};
  add(experiment);
  const Finished end = run({"ere-a", "--quick"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(read_text(out / "ere-a" / "strip.png").substr(1, 3), "PNG");
  EXPECT_TRUE(says(read_text(out / "ere-a" / "index.html"), "data:image/png;base64,"));
  EXPECT_TRUE(says(read_text(out / "index.html"), "data:image/png;base64,"));
}

}  // namespace
}  // namespace phiflex::testing

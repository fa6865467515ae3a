// Loads over time from tables (CSV), as users write them.
#include <gtest/gtest.h>

#include <atomic>

#include "phiflex/base/errors.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/run/load_table.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex::testing {
namespace {

std::string block_under(const std::string& force, const std::string& more = "") {
  return R"({ "name": "block", "time": { "step": 0.01, "end": 0.2 }, "integrator": "em",
  "bodies": [ { "name": "block", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
                "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 100 } } ],
  "forces": [ )" +
         force + " ]" + more + " }";
}

RunSummary run_block(const ScratchFolder& scratch, const std::string& name, const std::string& force,
                     const RunControl& control = {}) {
  std::vector<Problem> unused;
  const Scene scene =
      parse_scene(block_under(force), (scratch.path() / "scene.json").string(), read_options(), unused);
  RunOptions options;
  options.folder = scratch.path() / name;
  options.frames = Frames::none;
  options.control = control;
  options.control.threads = 1;
  return run_scene(scene, (scratch.path() / "scene.json").string(), {}, options);
}

// A table is three profiles: the same bits as "uniform" with a profile for each direction.
TEST(LoadTable, AnAccelerationIsThatOfUniformForcesWithProfiles) {
  const ScratchFolder scratch;
  // As a spreadsheet writes it: a byte order mark, blanks, carriage returns, a last line that is empty.
  std::ofstream(scratch.path() / "shake.csv", std::ios::binary)
      << "\xEF\xBB\xBFtime, ax ,ay\r\n0, 1.5, -9.81\r\n0.1,\t-3 , -9.81\r\n0.15,0,0\r\n\r\n";
  const RunSummary table =
      run_block(scratch, "table", R"({ "type": "table", "file": "shake.csv", "until": 0.18 })");
  const RunSummary profiles = run_block(
      scratch, "profiles",
      R"({ "type": "uniform", "body": "block", "acceleration": [1, 0, 0], "until": 0.18, "profile": [
           { "time": 0, "factor": 1.5 }, { "time": 0.1, "factor": -3 }, { "time": 0.15, "factor": 0 } ] },
         { "type": "uniform", "body": "block", "acceleration": [0, 1, 0], "until": 0.18, "profile": [
           { "time": 0, "factor": -9.81 }, { "time": 0.1, "factor": -9.81 }, { "time": 0.15, "factor": 0 } ] })");
  ASSERT_EQ(table.status, RunStatus::done) << table.reason;
  EXPECT_EQ(table.hash, profiles.hash);
  EXPECT_NE(table.energy_last, 0);
}

// 100 kg, 20 steps of 0.01 s: the impulses of 50 N in all, and of 30 N/m^3 on 1 m^3.
TEST(LoadTable, TotalForcesAndForceDensitiesGiveTheirImpulses) {
  const ScratchFolder scratch;
  std::ofstream(scratch.path() / "load.csv") << "step,time,fx,bz\n0,0,50,30\n1,10,50,30";
  const RunSummary summary =
      run_block(scratch, "run", R"({ "type": "table", "file": "load.csv", "body": "block" })");
  ASSERT_EQ(summary.status, RunStatus::done) << summary.reason;
  const CsvTable energy = read_csv(scratch.path() / "run/energy.csv");
  EXPECT_NEAR(energy.column("momentum_x")->back(), 50 * 0.2, 1e-8);
  EXPECT_NEAR(energy.column("momentum_z")->back(), 30 * 0.2, 1e-8);
  EXPECT_NEAR(energy.column("momentum_y")->back(), 0, 1e-8);
}

TEST(LoadTable, AResumedRunRefusesATableThatWasChanged) {
  const ScratchFolder scratch;
  const std::string force = R"({ "type": "table", "file": "load.csv" })";
  std::ofstream(scratch.path() / "load.csv") << "time,ax\n0,1\n1,2\n";
  const RunSummary whole = run_block(scratch, "whole", force);
  std::atomic<bool> stop{false};
  RunControl control;
  control.stop = &stop;
  control.progress = [&](const Progress& progress) { stop = progress.step >= 7; };
  ASSERT_EQ(run_block(scratch, "parts", force, control).status, RunStatus::interrupted);
  std::ofstream(scratch.path() / "load.csv") << "time,ax\n0,1\n1,3\n";
  EXPECT_THROW(resume_run(scratch.path() / "parts", {}), InputError);
  std::ofstream(scratch.path() / "load.csv") << "time,ax\n0,1\n1,2\n";
  EXPECT_EQ(resume_run(scratch.path() / "parts", {}).hash, whole.hash);
}

std::string refusal_of_table(const std::string& text) {
  const ScratchFolder scratch;
  std::ofstream(scratch.path() / "load.csv") << text;
  try {
    read_load_table(scratch.path() / "load.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LoadTable, WhatIsNoTableIsRefusedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "line 1: has no column \"time\""},
      {"t,ax\n0,1\n", "line 1: has no column \"time\""},
      {"time;ax\n0;1\n", "line 2: \"0;1\" where a number for time;ax is expected"},
      {"time,ax\n", "line 1: has no row"},
      {"time\n0\n", "line 1: gives no load"},
      {"time,gx\n0,1\n",
       "line 1: \"gx\" is no column of a load; expected time, and some of ax,ay,az (m/s^2)"},
      {"time,ax,ax\n0,1,1\n", "line 1: \"ax\" is there twice"},
      {"time,ax\n0,1\n0,2\n", "line 3: expected times that ascend"},
      {"time,ax\n0,nan\n", "line 2: ax is not finite"},
      {"time,ax\n0,one\n", "line 2: \"one\" where a number for ax is expected"},
      {"time,ax\n0,1\n\n1,2\n", "line 3"},
      {"time,ax\n0,1,5\n", "line 2"},
  };
  for (const auto& [text, words] : cases)
    EXPECT_NE(refusal_of_table(text).find(words), std::string::npos) << text << "\n"
                                                                     << refusal_of_table(text);
}

TEST(LoadTable, AForceThatCannotActNamesItsPlace) {
  const ScratchFolder scratch;
  const auto refusal = [&](const std::string& force, const std::string& table) {
    std::ofstream(scratch.path() / "load.csv") << table;
    std::ofstream(scratch.path() / "scene.json") << block_under(force);
    return run_command(scratch, {"check", (scratch.path() / "scene.json").string()});
  };
  const Finished total = refusal(R"({ "type": "table", "file": "load.csv" })", "time,fx\n0,1\n");
  EXPECT_EQ(total.code, 65);
  EXPECT_NE(total.err.find("/forces/0/file: fx, fy, fz are the total force on a body"), std::string::npos)
      << total.err;
  const Finished part =
      refusal(R"({ "type": "table", "file": "load.csv", "where": { "vertices": [0] } })", "time,ax\n0,1\n");
  EXPECT_EQ(part.code, 65);
  EXPECT_NE(part.err.find("/forces/0/where: selects a part of a body"), std::string::npos) << part.err;
  const Finished missing = refusal(R"({ "type": "table", "file": "none.csv" })", "");
  EXPECT_EQ(missing.code, 74);
  EXPECT_NE(missing.err.find("none.csv"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace phiflex::testing

// Scenes on a device ("device": "cuda"), with the serial back end in a card's place: what a card computes, one item
// after the other.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "phiflex/base/unavailable.h"
#include "phiflex/run/device_method.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::Finished;
using testing::read_text;
using testing::ScratchFolder;

// A twisted bar that swings, held at one end until it is let go after half of the run.
const std::string kDeviceScene = R"({ "phiflex": 1, "name": "swing",
    "time": { "step": 0.01, "end": 0.24 },
    "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar",
        "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 2, 2] },
        "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000 },
        "regions": [ { "where": { "box": [[0.2, -1, -1], [1, 1, 1]] }, "material": { "young": 4e5 } } ],
        "initial": { "velocity": [0, 0, 0.5], "angular_velocity": [5, 0, 0] } } ],
    "constraints": [ { "body": "bar", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] }, "type": "fix", "until": 0.12 } ],
    "probes": [ { "name": "tip", "body": "bar", "at": [0.4, 0, 0] } ],
    "output": { "every": 4 } })";

Scene device_scene(std::vector<std::string> overrides, const std::string& text = kDeviceScene) {
  std::vector<Problem> unused;
  return parse_scene(text, "test.json", read_options(std::move(overrides)), unused);
}

class DeviceRun : public ::testing::Test {
 protected:
  void SetUp() override { use_card(&device::make_serial_body); }
  void TearDown() override { use_card(nullptr); }
};

struct DeviceCase {
  std::vector<std::string> settings;
  double tolerance;  // of positions, relative to the bar's length
};

// Gravity that changes, a push of two of which one ends, and a region.
const std::string kForces = R"(forces=[
    { "type": "uniform", "acceleration": [3, 0, 0], "gust": { "amplitude": 0.5, "frequency": 9 } },
    { "type": "point", "body": "bar", "at": [0.4, 0.1, 0], "force": [0, 0.5, 0], "until": 0.15 },
    { "type": "region", "body": "bar", "where": { "box": [[0.2, -1, -1], [1, 1, 1]] }, "force": [0, 0, 1],
      "profile": [ { "time": 0, "factor": 0 }, { "time": 0.1, "factor": 2 } ] } ])";

const std::string kDamping = R"(bodies.0.damping={"mass": 0.5, "stiffness": 1e-3})",
                  kCurrentDamping =
                      R"(bodies.0.damping={"mass": 0.5, "stiffness": 1e-3, "stiffness_of": "current"})";
const std::string kMoved[] = {
    R"(constraints.0.type="move")",
    R"(constraints.0.path=[{"time": 0, "offset": [0, 0, 0]}, {"time": 0.1, "offset": [0.02, 0.01, 0]}])"};

// The equations are the same; what differs is the rounding of K in float and how far solvers go.
TEST_F(DeviceRun, EveryMethodMovesTheBodiesAsOnTheCpu) {
  const DeviceCase cases[] = {
      {{"integrator.type=em", "integrator.em_tolerance=1e-9", "integrator.energy_tolerance=1e-9"}, 1e-6},
      {{"integrator.type=em", "integrator.em_tolerance=1e-9", "integrator.energy_tolerance=1e-9",
        "integrator.dissipation=0.7"},
       1e-6},
      {{"integrator.type=si", "integrator.linear_tolerance=1e-10"}, 1e-5},
      {{"integrator.type=be", "integrator.newton_tolerance=1e-10"}, 1e-8},
      {{"integrator.type=midpoint", "integrator.newton_tolerance=1e-10"}, 1e-8},
      {{"integrator.type=ere", "integrator.evaluator=chebyshev", "integrator.tolerance=1e-9"}, 1e-5},
      {{"integrator.type=verlet"}, 1e-9},
      {{"integrator.type=verlet", "integrator.substeps=40"}, 1e-9},
      {{"integrator.type=em", "integrator.em_tolerance=1e-9", "integrator.energy_tolerance=1e-9", kForces},
       1e-6},
      {{"integrator.type=si", "integrator.linear_tolerance=1e-10", kForces}, 1e-5},
      {{"integrator.type=midpoint", "integrator.newton_tolerance=1e-10", kForces}, 1e-8},
      {{"integrator.type=verlet", kForces}, 1e-9},
      {{"integrator.type=em", "integrator.em_tolerance=1e-9", "integrator.energy_tolerance=1e-9", kDamping},
       1e-6},
      {{"integrator.type=si", "integrator.linear_tolerance=1e-10", kDamping}, 1e-5},
      {{"integrator.type=be", "integrator.newton_tolerance=1e-10", kDamping}, 1e-8},
      {{"integrator.type=midpoint", "integrator.newton_tolerance=1e-10", kCurrentDamping}, 1e-8},
      {{"integrator.type=verlet", kCurrentDamping}, 1e-8},
      {{"integrator.type=em", "integrator.em_tolerance=1e-9", "integrator.energy_tolerance=1e-9", kMoved[0],
        kMoved[1]},
       1e-6},
      {{"integrator.type=be", "integrator.newton_tolerance=1e-10", kDamping, kMoved[0], kMoved[1]}, 1e-8},
      {{"integrator.type=verlet", kMoved[0], kMoved[1]}, 1e-8}};
  for (const DeviceCase& each : cases) {
    Simulation here(device_scene(each.settings));
    std::vector<std::string> settings = each.settings;
    settings.push_back("device=cuda");
    Simulation there(device_scene(settings));
    EXPECT_EQ(there.method().name, here.method().name);
    while (here.step() < here.steps()) {
      ASSERT_EQ(here.advance(), StepStatus::ok) << here.failure();
      ASSERT_EQ(there.advance(), StepStatus::ok) << each.settings[0] << there.failure();
    }
    Vector x, x_there, v;
    here.model().expand(here.state(), x, v);
    there.model().expand(there.state(), x_there, v);
    EXPECT_LE((x_there - x).lpNorm<Eigen::Infinity>(), 0.4 * each.tolerance) << each.settings.front();
    const LedgerRow &a = here.ledger(), &b = there.ledger();
    const double scale = a.energies.kinetic + std::abs(a.energies.gravity);
    const double allowed = 10 * each.tolerance * scale;
    EXPECT_NEAR(b.energies.kinetic, a.energies.kinetic, allowed) << each.settings.front();
    EXPECT_NEAR(b.energies.elastic, a.energies.elastic, allowed) << each.settings.front();
    EXPECT_NEAR(b.energies.gravity, a.energies.gravity, allowed) << each.settings.front();
    EXPECT_NEAR(b.external_work, a.external_work, allowed) << each.settings.front();
    EXPECT_NEAR(b.dissipated, a.dissipated, allowed) << each.settings.front();
    EXPECT_NEAR(b.numerical_loss, a.numerical_loss, allowed) << each.settings.front();
    EXPECT_NEAR(there.modified_energy(), here.modified_energy(), allowed) << each.settings.front();
    EXPECT_GT(there.work().assemblies + there.work().inner_steps, 0);
  }
}

TEST_F(DeviceRun, TheLedgerHoldsTheEnergiesOfTheStateItStandsBeside) {
  for (const char* type : {"integrator.type=em", "integrator.type=si", "integrator.type=be",
                           "integrator.type=midpoint", "integrator.type=ere", "integrator.type=verlet"}) {
    Simulation simulation(device_scene({type, "device=cuda"}));
    for (int step = 0; step < 15; ++step) {
      ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
      const Energies host = simulation.model().energies(simulation.state());
      const Energies& there = simulation.ledger().energies;
      const double rounding = 1e-11 * (std::abs(host.kinetic) + host.elastic + std::abs(host.gravity));
      EXPECT_NEAR(there.kinetic, host.kinetic, rounding) << type << step;
      EXPECT_NEAR(there.elastic, host.elastic, rounding) << type << step;
      EXPECT_NEAR(there.gravity, host.gravity, rounding) << type << step;
      EXPECT_EQ(there.contact, 0);
    }
  }
}

TEST_F(DeviceRun, TheEnergyOfEmIsKeptToItsTolerance) {
  Simulation simulation(device_scene({"integrator.type=em", "device=cuda"}));
  const double first = simulation.ledger().total();
  double motion = 0;
  while (simulation.step() < 12) {
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    motion = std::max(motion, simulation.ledger().energies.kinetic);
    EXPECT_LE(std::abs(simulation.ledger().total() - first), 1e-3 * motion);
  }
}

TEST_F(DeviceRun, AtAnyStepARestartContinuesBitForBit) {
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{"integrator.type=em"},
        {"integrator.type=em", "integrator.dissipation=0.6"},
        {"integrator.type=si"},
        {"integrator.type=be"},
        {"integrator.type=midpoint"},
        {"integrator.type=ere"},
        {"integrator.type=verlet"},
        {"integrator.type=em", kForces, kDamping, kMoved[0], kMoved[1]},
        {"integrator.type=verlet", kForces, kCurrentDamping, kMoved[0], kMoved[1]}}) {
    std::vector<std::string> all = settings;
    all.push_back("device=cuda");
    const Scene scene = device_scene(all);
    ScratchFolder scratch;
    RunOptions options;
    options.folder = scratch.path() / "whole";
    options.control.threads = 1;
    const RunSummary whole = run_scene(scene, "test.json", {}, options);
    ASSERT_EQ(whole.status, RunStatus::done) << whole.reason;

    std::atomic<bool> stop{false};
    std::int64_t stop_at = 5;
    options.folder = scratch.path() / "parts";
    options.control.stop = &stop;
    options.control.progress = [&](const Progress& progress) { stop = progress.step >= stop_at; };
    RunSummary part = run_scene(scene, "test.json", {}, options);
    int stops = 0;
    while (part.status == RunStatus::interrupted) {
      stop_at += 7;  // 5, 12 (just after the release), 19
      ++stops;
      part = resume_run(options.folder, options.control);
    }
    ASSERT_EQ(part.status, RunStatus::done) << part.reason;
    EXPECT_EQ(stops, 3);
    EXPECT_EQ(part.hash, whole.hash) << settings.front();
    for (const char* file : {"energy.csv", "probes.csv", "frames.pvd", "frames/frame_000006.vtu"})
      EXPECT_EQ(read_text(scratch.path() / "parts" / file), read_text(scratch.path() / "whole" / file))
          << settings.front() << file;
    for (const WorkCount& count : work_counts)
      EXPECT_EQ(part.work.*count.member, whole.work.*count.member) << settings.front() << count.name;
  }
}

// Settings reach the card: what they change is seen in what the steps cost, or where they end.
TEST_F(DeviceRun, SettingsOfMethodsAreThoseOfTheScene) {
  const auto work_of = [](std::vector<std::string> settings) {
    settings.push_back("device=cuda");
    Simulation simulation(device_scene(settings));
    for (int step = 0; step < 3; ++step)
      EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    return simulation.work();
  };
  for (const char* type : {"integrator.type=be", "integrator.type=midpoint"})
    EXPECT_GT(work_of({type, "integrator.newton_tolerance=1e-12"}).newton_iterations,
              work_of({type, "integrator.newton_tolerance=1e-2"}).newton_iterations);
  EXPECT_GT(work_of({"integrator.type=be", "integrator.newton_tolerance=1e-11", "integrator.newton_limit=2"})
                .halved_steps,
            0);
  Simulation stops(device_scene({"integrator.type=be", "integrator.newton_tolerance=1e-11",
                                 "integrator.newton_limit=1", "integrator.halve_step=false", "device=cuda"}));
  EXPECT_EQ(stops.advance(), StepStatus::not_converged);
  const long coarse = work_of({"integrator.type=ere", "integrator.tolerance=1e-2"}).stiffness_products;
  EXPECT_GT(work_of({"integrator.type=ere", "integrator.tolerance=1e-10"}).stiffness_products, coarse);
  for (const char* evaluator : {"integrator.evaluator=auto", "integrator.evaluator=chebyshev"})
    EXPECT_EQ(work_of({"integrator.type=ere", "integrator.tolerance=1e-2", evaluator}).stiffness_products,
              coarse);
  EXPECT_GT(work_of({"integrator.type=ere", "integrator.tolerance=1e-2",
                     R"(integrator.evaluator={"type": "chebyshev", "tolerance": 1e-10})"})
                .stiffness_products,
            coarse);
}

TEST_F(DeviceRun, RunJsonSaysWhereStepsWereComputed) {
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  options.steps = 2;
  const RunSummary run =
      run_scene(device_scene({"integrator.type=em", "device=cuda"}), "test.json", {}, options);
  ASSERT_EQ(run.status, RunStatus::done) << run.reason;
  EXPECT_EQ(run.scene.at("device"), "cuda");
  const std::vector<std::string> notes = run.messages.notes();
  EXPECT_NE(std::find(notes.begin(), notes.end(), "steps are computed on the CPU, one item after the other"),
            notes.end());
  // A scene of the CPU is written as ever: its hash, and with it every checkpoint, stays what it was.
  EXPECT_FALSE(to_json(device_scene({})).contains("device"));
}

TEST_F(DeviceRun, AStepThatFailsIsAStatusAndTheReasonIsInRunJson) {
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  // Far beyond the stable step: the motion leaves what numbers can hold.
  const RunSummary run = run_scene(
      device_scene({"integrator.type=verlet", "integrator.substeps=1", "device=cuda", "limits.energy=1e300"}),
      "test.json", {}, options);
  EXPECT_EQ(run.status, RunStatus::failed);
  EXPECT_NE(run.reason.find("a value is not finite"), std::string::npos) << run.reason;
  EXPECT_GT(run.steps, 0);
}

struct RefusedOnACard {
  std::vector<std::string> overrides;
  const char* place;
};

// Nothing that a card does not have is computed elsewhere: it is refused, by its place in the scene.
TEST_F(DeviceRun, WhatACardDoesNotHaveIsRefusedByName) {
  const RefusedOnACard cases[] = {
      {{"integrator.type=auto"}, "/integrator/type: a graphics card has no steps of \"auto\""},
      {{"integrator.type=siere"}, "/integrator/type: a graphics card has no steps of \"siere\""},
      {{"integrator.type=bdf2"}, "/integrator/type"},
      {{"integrator.type=be", "integrator.solver=multigrid"}, "/integrator/solver"},
      {{"integrator.type=be", "integrator.refactor=always"}, "/integrator/refactor"},
      {{"integrator.type=midpoint", "integrator.factorization=indefinite"}, "/integrator/factorization"},
      {{"integrator.type=ere", "integrator.evaluator=rational"},
       "/integrator/evaluator: a graphics card has no evaluator \"rational\""},
      {{"integrator.type=ere", R"(integrator.evaluator={"type": "lanczos", "tolerance": 1e-6})"},
       "/integrator/evaluator"},
      {{"integrator.type=ere", "integrator.solver=factorization"}, "/integrator/solver"},
      {{"integrator.type=em", "integrator.newton_tolerance=1e-4"}, "/integrator/newton_tolerance"},
      {{"integrator.type=em", "integrator.solver=factorization"}, "/integrator/solver"},
      {{"integrator.type=em", R"(bodies.0.element="tet10")"}, "/bodies/0: a graphics card has no quadratic"},
      {{"integrator.type=em", R"(bodies.0.mass="consistent")"}, "/bodies/0/mass"},
      {{"integrator.type=ere", R"(bodies.0.damping={"mass": 0.1})"}, "/bodies/0/damping"},
      {{"integrator.type=em", R"(bodies.0.regions.0.material.type="arap")"},
       "/bodies: a graphics card has bodies of one"},
      {{"integrator.type=em", R"(contacts=[{"type": "floor", "height": -1}])"}, "/contacts"},
      {{"integrator.type=em", R"(contacts=[{"type": "floor", "height": -1, "mode": "barrier"}])"},
       "/contacts"},
      {{"integrator.type=em",
        R"(forces=[{"type": "torque", "body": "bar", "where": {"box": [[0.2, -1, -1], [1, 1, 1]]},
                    "torque": [1, 0, 0]}])"},
       "/forces/0: a graphics card has no forces of the type \"torque\""},
      {{"integrator.type=ere",
        R"(forces=[{"type": "uniform", "acceleration": [1, 0, 0], "gust": {"amplitude": 1, "frequency": 1}}])"},
       "/forces/0: a graphics card has no forces that change within a step"},
      {{"integrator.type=ere", R"(constraints.0.type="move")",
        R"(constraints.0.path=[{"time": 0, "offset": [0, 0, 0]}, {"time": 0.1, "offset": [0.1, 0, 0]}])"},
       "/constraints"},
      {{"integrator.type=em", "settle=true"}, "/settle"},
      {{"integrator.type=em", R"(coarsening={"type": "eigenfit", "ratios": [0.9]})"}, "/coarsening"}};
  for (const RefusedOnACard& each : cases) {
    std::vector<std::string> overrides = each.overrides;
    Messages messages;
    overrides.push_back("device=cuda");
    std::string said;
    try {
      const Scene scene = device_scene(overrides);
      check_scene(scene, "test.json", messages);
    } catch (const InputError& error) {
      said = error.what();
    }
    EXPECT_NE(said.find(each.place), std::string::npos) << each.place << ": " << said;
  }
}

TEST_F(DeviceRun, BodiesThatMeetByDefaultAreRefusedWithTheWordsThatHelp) {
  const std::string two =
      R"({ "time": { "step": 0.01, "end": 0.02 }, "integrator": { "type": "em" }, "device": "cuda",
    "bodies": [
      { "name": "a", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
        "material": { "type": "arap", "young": 1e5, "poisson": 0.3, "density": 1000 } },
      { "name": "b", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] }, "transform": { "translate": [3, 0, 0] },
        "material": { "type": "arap", "young": 1e5, "poisson": 0.3, "density": 1000 } } ])";
  Messages messages;
  try {
    check_scene(device_scene({}, two + " }"), "test.json", messages);
    FAIL() << "contact between bodies was not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("\"between\": \"none\""), std::string::npos) << error.what();
  }
  Simulation simulation(device_scene(
      {}, two + R"(, "contacts": [ { "type": "bodies", "between": "none", "self": false } ] })"));
  EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
}

// Where a card has too little memory nothing is written, not even the folder.
TEST_F(DeviceRun, AMissingCardIsSaidBeforeAnythingIsWritten) {
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  const Scene scene = device_scene({"integrator.type=em", "device=cuda"});
  use_card(nullptr);
  EXPECT_THROW((void)run_scene(scene, "test.json", {}, options), Unavailable);
  use_card([](const device::DeviceTets&) -> std::unique_ptr<device::DeviceBody> {
    throw Unavailable("the graphics card: no memory for the body: out of memory");
  });
  EXPECT_THROW((void)run_scene(scene, "test.json", {}, options), Unavailable);
  EXPECT_FALSE(std::filesystem::exists(options.folder));
}

TEST(DeviceCommand, WithoutACardOneSentenceAndItsExitCode) {
  ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "swing.json";
  std::ofstream(file) << kDeviceScene;
  const auto without_cards = [] { setenv("CUDA_VISIBLE_DEVICES", "", 1); };
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", file.string(), "--device", "cuda", "-i", "em", "-o",
                                 (scratch.path() / "out").string()},
        {"check", file.string(), "--device", "cuda", "--set", "integrator.type=em"}}) {
    const Finished finished = testing::Process(scratch, arguments, without_cards).wait();
    EXPECT_EQ(finished.code, 69) << finished.err;
    EXPECT_EQ(finished.err.find("phiflex: "), 0u) << finished.err;
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    EXPECT_NE(finished.err.find("card"), std::string::npos) << finished.err;
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "out"));
  // What a card does not have is said whether there is a card or not.
  const Finished refused =
      testing::Process(scratch, {"check", file.string(), "--device", "cuda", "--set", "integrator.type=bdf2"},
                       without_cards)
          .wait();
  EXPECT_EQ(refused.code, 65) << refused.err;
}

}  // namespace
}  // namespace phiflex

#include "phiflex/run/coarsening.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "phiflex/base/errors.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/run/mode_comparison_report.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene_io.h"
#include "tests/run/small_scenes.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

const std::string kHeld =
    R"([ { "body": "bar", "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])";
const std::string kRefined = R"({ "type": "eigenfit", "modes": 4, "fine": { "refine": 1 } })";

struct Bar {
  std::string law = "linear", integrator = "si", coarsening = "", constraints = kHeld, more = "";
  std::string cells = "[3, 1, 1]";
};

Scene scene_of(const Bar& bar) {
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.001, "end": 0.02 },
      "integrator": { "type": ")" +
                         bar.integrator + R"(" }, "bodies": [ { "name": "bar",
        "mesh": { "generate": "box", "size": [0.3, 0.1, 0.1], "cells": )" +
                         bar.cells + R"( }, "material": { "type": ")" + bar.law +
                         R"(", "young": 1e4, "poisson": 0.3, "density": 1000 },
        "initial": { "bend": { "axis": "x", "toward": "y", "angle": 10 } } } ], "constraints": )" +
                         bar.constraints + bar.more +
                         (bar.coarsening.empty() ? "" : ", \"coarsening\": " + bar.coarsening) + "}",
                     "bar.json", read_options(), warnings);
}

std::string hash_after(const Bar& bar, int steps) {
  const Scene scene = scene_of(bar);
  const World world(scene, "bar.json");
  Simulation simulation(scene, world, steps);
  for (int step = 0; step < steps; ++step)
    EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  return state_hash(simulation.state());
}

std::string complaint(const Bar& bar) {
  try {
    const Scene scene = scene_of(bar);
    const World world(scene, "bar.json");
    Simulation simulation(scene, world, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool skipped(std::string_view method) {
  return method == "gautschi";
}

TEST(Coarsening, WithAllRatiosOneEveryMethodMovesBitForBitAsWithoutIt) {
  for (const MethodEntry& entry : integrator_catalogue()) {
    if (skipped(entry.info->name)) continue;
    Bar bar{.law = "neo-hookean", .integrator = std::string(entry.info->name)};
    const std::string plain = hash_after(bar, 4);
    bar.coarsening = R"({ "type": "eigenfit", "ratios": [1, 1, 1] })";
    EXPECT_EQ(hash_after(bar, 4), plain) << entry.info->name;
  }
}

// The first mode of a linear bar, let go: q(t) = cos(w t) u with the w of the fine mesh, whichever method steps. The
// step of 1 ms has h w = 0.006: first-order methods damp by h w^2 t/2 = 0.002 in 0.1 s, and all are within 1e-4 in
// phase. The coarse mesh alone would be off by 0.047.
TEST(Coarsening, EveryMethodMovesAModeWithTheFrequencyOfTheFineMesh) {
  const Scene scene = scene_of({.coarsening = kRefined});
  const World world(scene, "bar.json");
  const auto model = world.make_model(0);
  const ModeComparison comparison = compare_modes(world, *world.fine(), 0, 4);
  const Vector u = comparison.coarse.modes.U.col(0);
  const double coarse = std::sqrt(comparison.coarse.modes.lambda[0]),
               fine = std::sqrt(comparison.fine.modes.lambda[0]);
  const double h = 0.001, end = 0.1;
  ASSERT_GT(std::abs(std::cos(coarse * end) - std::cos(fine * end)), 0.04);
  for (const MethodEntry& entry : integrator_catalogue()) {
    if (skipped(entry.info->name)) continue;
    const auto fit = make_eigenfit(scene, world, *model, 0);
    const auto integrator = make_integrator(std::string(entry.info->name), fit->system, {});
    State now{0, 0.01 * u, Vector::Zero(model->dofs())}, next = now;
    Work work;
    for (int step = 0; step < 100; ++step) {
      fit->correction.update(now, work);
      ASSERT_EQ(integrator->step(now, h, next).status, StepStatus::ok) << entry.info->name;
      std::swap(now, next);
    }
    const double amplitude = model->mass().dot(u, now.q) / 0.01;
    EXPECT_NEAR(amplitude, std::cos(fine * end), 0.005) << entry.info->name;
  }
}

TEST(Coarsening, DacGivesTheCoarseBodyTheFirstFrequencyOfTheFineOne) {
  const World fine(scene_of({.cells = "[6, 2, 2]"}), "bar.json"), plain(scene_of({}), "bar.json");
  const World dac(scene_of({.coarsening = R"({ "type": "dac", "fine": { "mesh":
      { "generate": "box", "size": [0.3, 0.1, 0.1], "cells": [6, 2, 2] } } })"}),
                  "bar.json");
  const auto first = [](const World& world) {
    return rest_modes(*world.make_rest_model(0), 1, 0).modes.lambda[0];
  };
  EXPECT_LT(first(fine), 0.8 * first(plain));
  // Young's modulus enters linearly; the modes are known to 1e-9.
  EXPECT_NEAR(first(dac), first(fine), 1e-7 * first(fine));
  EXPECT_EQ(dac.notes().size(), 1u);
}

TEST(Coarsening, ARunResumedWithEigenFitGoesOnBitForBit) {
  const Scene scene = scene_of({.law = "neo-hookean", .integrator = "be", .coarsening = kRefined});
  const World world(scene, "bar.json");
  Simulation whole(scene, world, 12), resumed(scene, world, 12);
  for (int step = 0; step < 6; ++step) ASSERT_EQ(whole.advance(), StepStatus::ok);
  ArchiveWriter out;
  whole.save(out);
  ArchiveReader in(out.bytes());
  resumed.load(in);
  for (int step = 6; step < 12; ++step) {
    ASSERT_EQ(whole.advance(), StepStatus::ok);
    ASSERT_EQ(resumed.advance(), StepStatus::ok);
  }
  EXPECT_EQ(state_hash(whole.state()), state_hash(resumed.state()));
}

TEST(Coarsening, RatiosAreComputedAgainWhenAConstraintIsReleased) {
  const std::string constraints =
      R"([ { "body": "bar", "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } },
      { "body": "bar", "type": "fix", "until": 0.005, "where": { "box": [[0.2999, -1, -1], [1, 1, 1]] } } ])";
  const Scene scene =
      scene_of({.law = "arap", .coarsening = kRefined, .constraints = constraints, .cells = "[4, 2, 2]"});
  const World world(scene, "bar.json");
  Simulation simulation(scene, world, 20);
  const Vector held = simulation.eigenfit()->correction.ratios();
  for (int step = 0; step < 10; ++step)
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  const Vector released = simulation.eigenfit()->correction.ratios();
  EXPECT_GT((held - released).norm(), 1e-3);
  EXPECT_TRUE(simulation.notices().empty());
  const World fresh(scene_of({.law = "arap", .coarsening = kRefined, .cells = "[4, 2, 2]"}), "bar.json");
  EXPECT_LT((compare_modes(fresh, *fresh.fine(), 0, 4).ratios - released).norm(), 1e-6);
}

TEST(Coarsening, AMismatchStopsTheRunWhenTheSceneSaysSo) {
  // Bent into a ring: its modes are not those of the straight bar.
  const std::string stop =
      R"({ "type": "eigenfit", "modes": 6, "on_mismatch": "stop", "fine": { "refine": 1 } })";
  Scene scene = scene_of({.law = "neo-hookean", .coarsening = stop, .cells = "[12, 2, 2]"});
  scene.bodies[0].initial.bend->angle = 270;
  const World world(scene, "bar.json");
  Simulation stopped(scene, world, 20);
  EXPECT_EQ(stopped.advance(), StepStatus::refused);
  EXPECT_NE(stopped.failure().find("eigenfit steps aside"), std::string::npos) << stopped.failure();

  scene.coarsening->on_mismatch = OnMismatch::go_on;
  Simulation goes_on(scene, world, 20);
  ASSERT_EQ(goes_on.advance(), StepStatus::ok);
  ASSERT_EQ(goes_on.notices().size(), 1u);
  scene.coarsening.reset();
  Simulation plain(scene, world, 20);
  ASSERT_EQ(plain.advance(), StepStatus::ok);
  EXPECT_EQ(state_hash(goes_on.state()), state_hash(plain.state()));
}

TEST(Coarsening, MeshesThatCannotBeComparedAreRefusedWithTheReason) {
  const auto fine = [](const std::string& mesh) {
    return R"({ "type": "eigenfit", "modes": 4, "fine": { "mesh": )" + mesh + "} }";
  };
  EXPECT_NE(
      complaint({.coarsening = fine(R"({ "generate": "box", "size": [9, 4, 4], "cells": [30, 10, 10] })")})
          .find("do not lie on one another"),
      std::string::npos);
  const std::string slice =
      R"([ { "body": "bar", "type": "fix", "where": { "box": [[0.095, -1, -1], [0.105, 1, 1]] } } ])";
  EXPECT_NE(
      complaint({.coarsening = fine(R"({ "generate": "box", "size": [0.3, 0.1, 0.1], "cells": [5, 2, 2] })"),
                 .constraints = slice})
          .find("on the fine mesh of /coarsening"),
      std::string::npos);
  EXPECT_NE(complaint({.coarsening = R"({ "type": "eigenfit", "modes": 40, "fine": { "refine": 1 } })"})
                .find("fewer than the 40 modes asked for"),
            std::string::npos);
  // A vertex at a corner of the coarse mesh and three of the finer one within reach: held by a point, and held fast.
  const std::string corner =
      R"([ { "body": "bar", "type": "fix", "where": { "sphere": { "center": [0, 0, 0], "radius": 0.055 } } } ])";
  EXPECT_NE(
      complaint({.coarsening = kRefined, .constraints = corner}).find("hold the two meshes differently"),
      std::string::npos);
  const std::string listed = R"([ { "body": "bar", "type": "fix", "where": { "vertices": [0, 1, 2] } } ])";
  EXPECT_NE(complaint({.coarsening = kRefined, .constraints = listed}).find("/constraints/0/where"),
            std::string::npos);
  EXPECT_NE(complaint({.integrator = "gautschi", .coarsening = kRefined}).find("gautschi"),
            std::string::npos);
}

TEST(ModeComparison, RefinementTakesStiffnessOffEveryModeAndKeepsItsShape) {
  const testing::ScratchFolder scratch;
  const Scene scene = scene_of({.coarsening = kRefined, .cells = "[6, 2, 2]"});
  const ModeComparisonSummary summary =
      run_mode_comparison(scene, "bar.json", {.count = 5, .folder = scratch.path() / "out"});
  ASSERT_EQ(summary.modes.size(), 5u);
  EXPECT_EQ(summary.matched, 5);
  for (const ComparedMode& mode : summary.modes) {
    EXPECT_LT(mode.ratio, 1);  // nested spaces, consistent mass
    EXPECT_GT(mode.ratio, 0.4);
    EXPECT_GT(mode.match, 0.7);  // a square section: pairs of modes of one lambda are at any angle
  }
  const CsvTable table = read_csv(scratch.path() / "out/compared_modes.csv");
  EXPECT_EQ(table.rows(), 5u);
  EXPECT_EQ(table.columns[3][0], summary.modes[0].ratio);
  std::ifstream page(scratch.path() / "out/compared_modes.html");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_NE(text.find("<svg"), std::string::npos);
}

TEST(ModeComparison, AMeshComparedWithItselfHasRatiosOfOne) {
  const World world(scene_of({}), "bar.json");
  const ModeComparison comparison = compare_modes(world, world, 0, 6);
  EXPECT_LT((comparison.ratios - Vector::Ones(6)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(comparison.matched, 6);
}

}  // namespace
}  // namespace phiflex

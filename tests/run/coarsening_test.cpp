#include "phiflex/run/coarsening.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "phiflex/base/errors.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/mesh/vec3.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/mode_comparison_report.h"
#include "tests/run/small_scenes.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

const std::string kLeftHeld =
    R"([ { "body": "bar", "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ])";
const std::string kRefined = R"({ "type": "eigenfit", "modes": 4, "fine": { "refine": 1 } })";

struct Bar {
  std::string law = "linear", integrator = "si", coarsening = "", constraints = kLeftHeld, more = "";
  std::string cells = "[3, 1, 1]";
};

Scene coarse_scene(const Bar& bar) {
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
  const Scene scene = coarse_scene(bar);
  const SceneModel world = build_scene(scene, "bar.json");
  Simulation simulation(scene, world, steps);
  for (int step = 0; step < steps; ++step)
    EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  return state_hash(simulation.state());
}

std::string complaint(const Bar& bar) {
  try {
    const Scene scene = coarse_scene(bar);
    const SceneModel world = build_scene(scene, "bar.json");
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
  const Scene scene = coarse_scene({.coarsening = kRefined});
  const SceneModel world = build_scene(scene, "bar.json");
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

// Conjugate gradients stop at 1e-6 of the right-hand side, 20 steps of it.
TEST(Coarsening, WoodburysFormMovesTheBodyAsTheOtherDoes) {
  const auto position_after = [](const std::string& coarsening, std::int64_t& iterations) {
    const Scene scene = coarse_scene({.law = "neo-hookean", .coarsening = coarsening});
    const SceneModel world = build_scene(scene, "bar.json");
    Simulation simulation(scene, world, 20);
    for (int step = 0; step < 20; ++step)
      EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    iterations = simulation.work().cg_iterations;
    return simulation.state().q;
  };
  const std::string options = R"({ "type": "eigenfit", "modes": 4, "fine": { "refine": 1 })";
  std::int64_t iterative, direct, plain;
  const Vector q = position_after(options + "}", iterative);
  const Vector by_woodbury = position_after(options + R"(, "form": "woodbury" })", direct);
  EXPECT_LE((by_woodbury - q).norm(), 1e-5 * q.norm());
  EXPECT_GT((position_after("", plain) - q).norm(), 1e-3 * q.norm());
  EXPECT_EQ(direct, 0);
  EXPECT_GT(iterative, 0);
}

TEST(Coarsening, DacGivesTheCoarseBodyTheFirstFrequencyOfTheFineOne) {
  const SceneModel fine = build_scene(coarse_scene({.cells = "[6, 2, 2]"}), "bar.json");
  const SceneModel plain = build_scene(coarse_scene({}), "bar.json");
  const SceneModel dac = build_scene(coarse_scene({.coarsening = R"({ "type": "dac", "fine": { "mesh":
      { "generate": "box", "size": [0.3, 0.1, 0.1], "cells": [6, 2, 2] } } })"}),
                                     "bar.json");
  const auto first = [](const SceneModel& world) {
    return rest_modes(*world.make_rest_model(0), 1, 0).modes.lambda[0];
  };
  EXPECT_LT(first(fine), 0.8 * first(plain));
  // Young's modulus enters linearly; the modes are known to 1e-9.
  EXPECT_NEAR(first(dac), first(fine), 1e-7 * first(fine));
  EXPECT_EQ(dac.messages().notes().size(), 1u);
}

// Both ends are held, then one: the first mode is another one, and so is its ratio.
const std::string kReleased =
    R"([ { "body": "bar", "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } },
      { "body": "bar", "type": "fix", "until": 0.005, "where": { "box": [[0.2999, -1, -1], [1, 1, 1]] } } ])";
const std::string kDac = R"({ "type": "dac", "fine": { "refine": 1 } })";

TEST(Coarsening, DacsFactorIsThatOfTheConstraintsOfTheMoment) {
  const Scene scene = coarse_scene(
      {.law = "neo-hookean", .coarsening = kDac, .constraints = kReleased, .cells = "[4, 2, 2]"});
  const SceneModel dac = build_scene(scene, "bar.json");
  Scene bare = scene;
  bare.coarsening.reset();
  const SceneModel plain = build_scene(bare, "bar.json");
  const SceneModel fine = build_scene(bare, "bar.json", BodyChange{"bar", 1, 1});
  const auto first = [](const SceneModel& world, double t) {
    return rest_modes(*world.make_rest_model(t), 1, 0).modes.lambda[0];
  };
  for (const double t : {0., 0.004, 0.005, 0.006})
    EXPECT_NEAR(first(dac, t), first(fine, t), 1e-7 * first(fine, t)) << t;
  const double held = first(fine, 0) / first(plain, 0), released = first(fine, 1) / first(plain, 1);
  EXPECT_GT(std::abs(held - released), 1e-3);
  ASSERT_EQ(dac.messages().notes().size(), 2u);
  EXPECT_NE(dac.messages().notes()[1].find("from t = 0.005 s on"), std::string::npos)
      << dac.messages().notes()[1];

  // The run steps with it; a frame's energy is that of the model, and the ledger knows what the change was worth.
  Simulation simulation(scene, dac, 20);
  for (int step = 0; step < 10; ++step)
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  std::vector<double> densities, of_start;
  dac.strain_energy_densities(simulation.state().t, x, densities);
  dac.strain_energy_densities(0, x, of_start);
  const TetMesh& mesh = dac.bodies()[0].solid()->mesh;
  double energy = 0;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) energy += densities[e] * tet_volume(mesh, e);
  EXPECT_NEAR(energy, simulation.model().potential_energy(simulation.state()), 1e-10 * energy);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    EXPECT_NEAR(densities[e] * held, of_start[e] * released, 1e-6 * of_start[e]) << e;
}

TEST(Coarsening, ADacRunResumedAfterAReleaseGoesOnBitForBit) {
  const Scene scene = coarse_scene(
      {.law = "neo-hookean", .coarsening = kDac, .constraints = kReleased, .cells = "[4, 2, 2]"});
  const SceneModel world = build_scene(scene, "bar.json");
  Simulation whole(scene, world, 12), resumed(scene, world, 12);
  for (int step = 0; step < 7; ++step) ASSERT_EQ(whole.advance(), StepStatus::ok);
  ArchiveWriter out;
  whole.save(out);
  ArchiveReader in(out.bytes());
  resumed.load(in);
  for (int step = 7; step < 12; ++step) {
    ASSERT_EQ(whole.advance(), StepStatus::ok);
    ASSERT_EQ(resumed.advance(), StepStatus::ok);
  }
  EXPECT_EQ(state_hash(whole.state()), state_hash(resumed.state()));
}

TEST(Coarsening, ARefinedBodyKeepsItsRegionsToTheLastTetrahedron) {
  Scene scene = coarse_scene({.cells = "[4, 2, 2]"});
  RegionSpec soft;
  // The border cuts through cells: chosen again, by the centres of the parts, the region would be another one.
  soft.where = BoxWhere{{{-1, -1, -1}, {0.1, 1, 1}}};
  soft.material.emplace().law.numbers["young"] = 100.0;
  scene.bodies[0].regions = {soft};
  const SceneModel coarse = build_scene(scene, "bar.json");
  const SceneModel fine = build_scene(scene, "bar.json", BodyChange{"bar", 2, 1});
  const SolidBody &before = *coarse.bodies()[0].solid(), &after = *fine.bodies()[0].solid();
  const std::vector<int>&region_before = coarse.bodies()[0].region, &region_after = fine.bodies()[0].region;
  ASSERT_EQ(after.mesh.tets.size(), 64 * before.mesh.tets.size());
  double soft_before = 0, soft_after = 0;
  int otherwise = 0;  // tetrahedra that their own centre would have put elsewhere
  for (std::size_t e = 0; e < before.mesh.tets.size(); ++e)
    if (before.materials.elements[e].parameters[0] == 100) soft_before += tet_volume(before.mesh, e);
  for (std::size_t e = 0; e < after.mesh.tets.size(); ++e) {
    EXPECT_EQ(region_after[e], after.materials.elements[e].parameters[0] == 100 ? 1 : 0);
    EXPECT_EQ(region_after[e], region_before[e / 64]);
    double x = 0;
    for (const int v : after.mesh.tets[e]) x += after.mesh.vertices[std::size_t(v)][0] / 4;
    otherwise += (x <= 0.1) != (region_after[e] == 1) ? 1 : 0;
    if (region_after[e] == 1) soft_after += tet_volume(after.mesh, e);
  }
  EXPECT_NEAR(soft_after, soft_before, 1e-12 * soft_before);
  EXPECT_GT(otherwise, 0);
}

TEST(Coarsening, EnergyMomentumStepsTakeNoMoreIterationsWithIt) {
  const auto iterations = [](const std::string& method, const std::string& coarsening) {
    Scene scene = coarse_scene({.integrator = method, .coarsening = coarsening, .cells = "[6, 2, 2]"});
    scene.time = {0.02, 0.4};
    // The modes' part of the step's matrix is stiffness, not mass.
    scene.bodies[0].material->law.numbers["young"] = 1e8;
    scene.bodies[0].damping.stiffness = 0.01;
    const SceneModel world = build_scene(scene, "bar.json");
    Simulation simulation(scene, world, 20);
    for (int step = 0; step < 20; ++step)
      EXPECT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
    return simulation.work().newton_iterations;
  };
  for (const char* method : {"em", "emx"}) {
    const std::string softened = R"({ "type": "eigenfit", "ratios": [0.3, 0.3, 0.3, 0.3, 0.3, 0.3] })";
    EXPECT_LE(iterations(method, softened), iterations(method, "")) << method;
  }
}

TEST(Coarsening, ARunResumedWithEigenFitGoesOnBitForBit) {
  const Scene scene = coarse_scene({.law = "neo-hookean", .integrator = "be", .coarsening = kRefined});
  const SceneModel world = build_scene(scene, "bar.json");
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
  const Scene scene =
      coarse_scene({.law = "arap", .coarsening = kRefined, .constraints = kReleased, .cells = "[4, 2, 2]"});
  const SceneModel world = build_scene(scene, "bar.json");
  Simulation simulation(scene, world, 20);
  const Vector held = simulation.eigenfit()->correction.ratios();
  for (int step = 0; step < 10; ++step)
    ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  const Vector released = simulation.eigenfit()->correction.ratios();
  EXPECT_GT((held - released).norm(), 1e-3);
  EXPECT_TRUE(simulation.messages().empty());
  const SceneModel fresh =
      build_scene(coarse_scene({.law = "arap", .coarsening = kRefined, .cells = "[4, 2, 2]"}), "bar.json");
  EXPECT_LT((compare_modes(fresh, *fresh.fine(), 0, 4).ratios - released).norm(), 1e-6);
}

TEST(Coarsening, AMismatchStopsTheRunWhenTheSceneSaysSo) {
  // Bent into a ring: its modes are not those of the straight bar.
  const std::string stop =
      R"({ "type": "eigenfit", "modes": 6, "on_mismatch": "stop", "fine": { "refine": 1 } })";
  Scene scene = coarse_scene({.law = "neo-hookean", .coarsening = stop, .cells = "[12, 2, 2]"});
  scene.bodies[0].initial.bend->angle = 270;
  const SceneModel world = build_scene(scene, "bar.json");
  Simulation stopped(scene, world, 20);
  EXPECT_EQ(stopped.advance(), StepStatus::refused);
  EXPECT_NE(stopped.failure().find("eigenfit is switched off"), std::string::npos) << stopped.failure();

  scene.coarsening->on_mismatch = OnMismatch::go_on;
  Simulation goes_on(scene, world, 20);
  ASSERT_EQ(goes_on.advance(), StepStatus::ok);
  ASSERT_EQ(goes_on.messages().size(), 1u);
  scene.coarsening.reset();
  Simulation plain(scene, world, 20);
  ASSERT_EQ(plain.advance(), StepStatus::ok);
  EXPECT_EQ(state_hash(goes_on.state()), state_hash(plain.state()));
}

// A soft bar twisted twice around: none of its modes is one at rest. Corrected all the same it is as far from the fine
// one as without any correction; the safeguard sees it at once, and log, run.json and report say so.
TEST(Coarsening, WhereModesHaveCrossedTheCorrectionIsUselessAndTheRunSaysSo) {
  const auto twisted = [](const std::string& cells, const std::string& coarsening) {
    Scene scene = coarse_scene({.law = "neo-hookean", .coarsening = coarsening, .cells = cells});
    scene.time = {0.01, 0.5};
    std::get<GeneratedMesh>(*scene.bodies[0].mesh).arguments["size"] = {1, 0.2, 0.2};
    scene.bodies[0].initial = {};
    scene.bodies[0].initial.twist = TwistSpec{.axis = Axis::x, .angle = 720};
    return scene;
  };
  const std::string all_the_same = R"({ "type": "eigenfit", "on_mismatch": "ignore", "fine": { "mesh":
      { "generate": "box", "size": [1, 0.2, 0.2], "cells": [20, 4, 4] } } })";
  const Scene of_fine = twisted("[20, 4, 4]", ""), of_plain = twisted("[10, 2, 2]", ""),
              corrected = twisted("[10, 2, 2]", all_the_same);
  const SceneModel fine_world = build_scene(of_fine, "bar.json"),
                   plain_world = build_scene(of_plain, "bar.json"),
                   world = build_scene(corrected, "bar.json");
  Simulation fine(of_fine, fine_world, 50), plain(of_plain, plain_world, 50), ignoring(corrected, world, 50);
  // Vertices of the coarse mesh are vertices of the fine one, box by box.
  std::vector<Index> in_fine;
  for (const Point3& x : plain_world.bodies()[0].rest()) {
    const auto& vertices = fine_world.bodies()[0].rest();
    in_fine.push_back(
        std::find_if(vertices.begin(), vertices.end(), [&](const Point3& y) { return norm(x - y) < 1e-9; }) -
        vertices.begin());
    ASSERT_LT(in_fine.back(), Index(vertices.size()));
  }
  const auto error = [&](const Simulation& simulation) {
    Vector x, v, y;
    simulation.model().expand(simulation.state(), x, v);
    fine.model().expand(fine.state(), y, v);
    double largest = 0;
    for (std::size_t i = 0; i < in_fine.size(); ++i)
      largest = std::max(largest, (x.segment<3>(3 * Index(i)) - y.segment<3>(3 * in_fine[i])).norm());
    return largest;
  };
  double of_plain_error = 0, of_ignoring = 0;
  for (int step = 0; step < 50; ++step) {
    ASSERT_EQ(fine.advance(), StepStatus::ok) << fine.failure();
    ASSERT_EQ(plain.advance(), StepStatus::ok) << plain.failure();
    ASSERT_EQ(ignoring.advance(), StepStatus::ok) << ignoring.failure();
    of_plain_error = std::max(of_plain_error, error(plain));
    of_ignoring = std::max(of_ignoring, error(ignoring));
  }
  EXPECT_GT(of_plain_error, 0.1);
  EXPECT_GT(of_ignoring, 0.95 * of_plain_error);

  Scene guarded = corrected;
  guarded.coarsening->on_mismatch = OnMismatch::go_on;
  guarded.time.end = 0.02;
  const testing::ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "out";
  std::vector<std::string> log;
  options.control.said = [&](const Messages& fresh) { log = fresh.warnings(); };
  options.control.finished = [](const RunFolder& folder) { write_report(folder); };
  run_scene(guarded, "bar.json", {}, options);
  const std::string notice = "eigenfit is switched off: only 0 of the 10 modes at rest are found again";
  ASSERT_EQ(log.size(), 1u);
  EXPECT_NE(log[0].find(notice), std::string::npos) << log[0];
  for (const char* file : {"out/run.json", "out/report.html"}) {
    std::ifstream in(scratch.path() / file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NE(text.find(notice), std::string::npos) << file;
  }
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
  const Scene scene = coarse_scene({.coarsening = kRefined, .cells = "[6, 2, 2]"});
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
  const SceneModel world = build_scene(coarse_scene({}), "bar.json");
  const ModeComparison comparison = compare_modes(world, world, 0, 6);
  EXPECT_LT((comparison.ratios - Vector::Ones(6)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(comparison.matched, 6);
}

}  // namespace
}  // namespace phiflex

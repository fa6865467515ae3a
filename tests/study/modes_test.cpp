// Modes of real bodies against exact elasticity, and what the `modes` verb answers.
//
// Units in which the shear wave speed is 1: density 1 and Young's modulus 2 (1 + nu).
#include "phiflex/scene/scene.h"
#include "phiflex/study/modes_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "phiflex/mesh/mesh_io.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/scene_io.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::Finished;
using testing::read_text;
using testing::run_command;
using testing::ScratchFolder;
using Json = nlohmann::json;

std::string free_body(const std::string& mesh, double poisson, const std::string& mass) {
  return fmt::format(
      R"({{ "phiflex": 1, "name": "free", "time": {{ "step": 0.01, "end": 1 }}, "integrator": {{ "type": "si" }},
           "bodies": [ {{ "name": "body", "mesh": {{ {} }}, "mass": "{}",
             "material": {{ "type": "linear", "young": {}, "poisson": {}, "density": 1 }} }} ] }})",
      mesh, mass, 2 * (1 + poisson), poisson);
}

struct BodyModes {
  BodyModes(const std::string& text, Index count, ModesOptions options = {}) {
    std::vector<Problem> remarks;
    const Scene scene = parse_scene(text, "test", {}, remarks);
    world = std::make_unique<SceneModel>(build_scene(scene, "test"));
    model = world->make_model(0);
    const auto tangent = model->assembled_tangent(Definiteness::exact);
    tangent->update({0, Vector::Zero(model->dofs()), Vector::Zero(model->dofs())});
    const AssembledPencil pencil(tangent->K(), model->mass());
    Work work;
    model->positions({0, Vector::Zero(model->dofs()), Vector::Zero(model->dofs())}, options.positions);
    status = compute_modes(pencil, count, options, modes, work);
  }
  double omega(Index i) const { return std::sqrt(std::max(modes.lambda[i], 0.0)); }
  double mean_omega(Index first, Index count) const {
    double sum = 0;
    for (Index i = first; i < first + count; ++i) sum += omega(i) / double(count);
    return sum;
  }
  std::unique_ptr<SceneModel> world;
  std::unique_ptr<DeformableModel> model;
  Modes modes;
  ModesStatus status;
};

std::string cube(int cells) {
  return fmt::format(R"("generate": "box", "size": [1, 1, 1], "cells": [{0}, {0}, {0}])", cells);
}

TEST(ModesOfAFreeCube, AreTheSameByAMultigridAsByAFactorization) {
  const std::string text = free_body(cube(10), 0.3, "lumped");
  const BodyModes factorized(text, 12, {.solver = LinearSolver::factorization}),
      cycled(text, 12, {.solver = LinearSolver::multigrid});
  ASSERT_EQ(factorized.status, ModesStatus::ok);
  ASSERT_EQ(cycled.status, ModesStatus::ok);
  EXPECT_EQ(cycled.modes.solver_reason, "") << "it was asked for, and found them";
  EXPECT_LT(cycled.modes.residual.maxCoeff(), 1e-7);
  for (Index i = 0; i < 6; ++i) EXPECT_LT(std::abs(cycled.modes.lambda[i]), 1e-9 * cycled.modes.lambda[6]);
  for (Index i = 6; i < 12; ++i)
    EXPECT_NEAR(cycled.modes.lambda[i], factorized.modes.lambda[i], 1e-9 * factorized.modes.lambda[i]);
}

TEST(ModesOfAFreeCube, AreFoundByAFactorizationWhereAMultigridDoesNotConverge) {
  // As few sweeps as will do on an exact inverse: on a cycle they do not.
  for (int sweeps = 4; sweeps < 40; sweeps += 2) {
    const BodyModes body(free_body(cube(9), 0.3, "lumped"), 8,
                         {.sweep_limit = sweeps, .solver = LinearSolver::multigrid});
    EXPECT_EQ(body.modes.solver_reason, "the multigrid did not converge");
    if (body.status == ModesStatus::ok) return;
    EXPECT_EQ(body.status, ModesStatus::not_converged);
  }
  FAIL() << "the factorization never found them";
}

TEST(ModesOfAFreeCube, ConvergeFromAboveToTheExactShearMode) {
  // u = (sin pi x cos pi y, -cos pi x sin pi y, 0) about the centre, omega = sqrt(2) pi, for any nu. The
  // discrete modes near it carry nearly all of its interpolant: their mean, weighted by their shares.
  const double exact = 2 * std::numbers::pi * std::numbers::pi;
  for (const double poisson : {0.0, 0.3}) {
    double errors[2];
    for (int level = 0; level < 2; ++level) {
      const BodyModes body(free_body(cube(level == 0 ? 4 : 8), poisson, "consistent"), 40);
      ASSERT_EQ(body.status, ModesStatus::ok);
      const Vector& rest = body.world->rest();
      Vector shape(rest.size()), Mu;
      for (Index v = 0; v < rest.size(); v += 3) {
        const double x = std::numbers::pi * (rest[v] - 0.5), y = std::numbers::pi * (rest[v + 1] - 0.5);
        shape.segment<3>(v) << std::sin(x) * std::cos(y), -std::cos(x) * std::sin(y), 0;
      }
      const State at = body.model->state(0, rest + shape, Vector::Zero(rest.size()));
      body.model->mass().apply(at.q, Mu);
      const Vector share = (body.modes.U.transpose() * Mu).cwiseAbs2() / at.q.dot(Mu);
      EXPECT_GT(share.sum(), 0.95) << "the shear mode is among them";
      errors[level] = share.dot(body.modes.lambda) / share.sum() / exact - 1;
      EXPECT_GT(errors[level], 0) << "a conforming element with a consistent mass is too stiff";
    }
    // Second order in the cell size: a factor of 4 with the next term still felt.
    EXPECT_GT(errors[0] / errors[1], 3) << "nu = " << poisson;
    EXPECT_LT(errors[1], 0.1);
  }
}

TEST(ModesOfAFreeCube, AreSixRigidOnesAndThenElasticOnes) {
  const BodyModes body(free_body(cube(5), 0.3, "lumped"), 12);
  ASSERT_EQ(body.status, ModesStatus::ok);
  for (Index i = 0; i < 6; ++i) EXPECT_LT(std::abs(body.modes.lambda[i]), 1e-9 * body.modes.lambda[6]);
  EXPECT_GT(body.modes.lambda[6], 1);
  // They are rigid: the distance between any two vertices keeps still to first order.
  const Vector& rest = body.world->rest();
  for (Index i = 0; i < 6; ++i) {
    const Vector u = body.modes.U.col(i);
    for (Index v = 3; v < rest.size(); v += 3) {
      const Eigen::Vector3d arm = rest.segment<3>(v) - rest.head<3>();
      const Eigen::Vector3d motion = u.segment<3>(v) - u.head<3>();
      EXPECT_LT(std::abs(arm.dot(motion)), 1e-6 * u.cwiseAbs().maxCoeff());
    }
  }
}

TEST(ModesOfAFreeBall, ConvergeToTheExactTorsionalAndSpheroidalFrequencies) {
  // Five torsional modes (l = 2), then five spheroidal ones (l = 2, nu = 0.3), after six rigid motions. The
  // mesh is an icosahedral refinement inside the ball, so that errors fall with the square of its cells.
  constexpr double torsional = 2.50113262, spheroidal = 2.646217;
  double torsional_error[2], spheroidal_error[2];
  for (int level = 0; level < 2; ++level) {
    const std::string mesh =
        fmt::format(R"("generate": "ball", "radius": 1, "resolution": {})", level == 0 ? 6 : 12);
    const BodyModes body(free_body(mesh, 0.3, "lumped"), 16);
    ASSERT_EQ(body.status, ModesStatus::ok);
    EXPECT_LT(std::abs(body.modes.lambda[5]), 1e-9 * body.modes.lambda[6]);
    torsional_error[level] = body.mean_omega(6, 5) / torsional - 1;
    spheroidal_error[level] = body.mean_omega(11, 5) / spheroidal - 1;
  }
  EXPECT_GT(torsional_error[0] / torsional_error[1], 3);
  EXPECT_GT(spheroidal_error[0] / spheroidal_error[1], 3);
  EXPECT_LT(std::abs(torsional_error[1]), 0.02);
  EXPECT_LT(std::abs(spheroidal_error[1]), 0.02);
}

// A clamped bar and a free cube.
constexpr const char* two_bodies = R"({ "phiflex": 1, "name": "two",
  "time": { "step": 0.01, "end": 1 }, "integrator": { "type": "si" }, "gravity": [0, -9.81, 0],
  "bodies": [
    { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [6, 2, 2] },
      "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000 } },
    { "name": "cube", "mesh": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2] },
      "transform": { "translate": [0, 0.5, 0] },
      "material": { "type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000 } } ],
  "constraints": [ { "body": "bar", "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ] })";

TEST(ModesVerb, WritesTheTableAndAShapePerMode) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", two_bodies).string();
  const std::filesystem::path folder = scratch.path() / "modes";
  const Finished done =
      run_command(scratch, {"modes", scene, "--count", "9", "-o", folder.string(), "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Json summary = Json::parse(done.out);
  EXPECT_EQ(summary["status"], "done");
  ASSERT_EQ(summary["modes"].size(), 9U);
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(summary["modes"][i]["kind"], i < 6 ? "rigid" : "elastic") << "the cube is free, the bar is not";

  const CsvTable table = read_csv(folder / "modes.csv");
  EXPECT_TRUE(read_text(folder / "modes.csv").starts_with("mode,lambda,omega,frequency_hz"));
  ASSERT_EQ(table.rows(), 9U);
  for (std::size_t i = 6; i < 9; ++i) {
    const double lambda = (*table.column("lambda"))[i], omega = (*table.column("omega"))[i];
    EXPECT_NEAR(omega, std::sqrt(lambda), 1e-12 * omega);
    EXPECT_NEAR((*table.column("frequency_hz"))[i], omega / (2 * std::numbers::pi), 1e-12 * omega);
    EXPECT_LT((*table.column("residual"))[i], 1e-8);
  }

  const std::string list = read_text(folder / "modes.pvd");
  for (int i = 1; i <= 9; ++i) {
    const std::string name = fmt::format("mode_{:03}.vtu", i);
    EXPECT_NE(list.find(name), list.npos);
    const TetMesh mesh = read_tet_mesh(folder / name);
    EXPECT_EQ(mesh.vertices.size(), 7U * 9U + 27U) << "both bodies, in their meshes' own numbering";
    EXPECT_EQ(mesh.vertices[1], (Point3{0.4 / 6, 0, 0})) << "at rest";
    EXPECT_NE(read_text(folder / name).find("Name=\"displacement\""), std::string::npos);
  }
}

TEST(ModesVerb, PrintsATableAndRefusesAFolderThatIsNotEmpty) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", two_bodies).string();
  const std::string folder = (scratch.path() / "modes").string();
  const Finished first = run_command(scratch, {"modes", scene, "--count", "8", "-o", folder});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("f [Hz]"), std::string::npos);
  EXPECT_NE(first.out.find("rigid"), std::string::npos);
  EXPECT_EQ(run_command(scratch, {"modes", scene, "--count", "2", "-o", folder}).code, 2);
  EXPECT_EQ(run_command(scratch, {"modes", scene, "--count", "2", "-o", folder, "--force"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "modes/mode_003.vtu")) << "of the earlier call";
}

TEST(ModesVerb, SaysThatAnUnstableRestShapeHasNoFrequency) {
  // A held end that its path moves inwards squeezes the last spring: geometric stiffness k (l - l0)/l < 0.
  ScratchFolder scratch;
  const std::string scene = scratch
                                .write("scene.json", R"({ "phiflex": 1, "name": "squeezed",
    "time": { "step": 0.01, "end": 1 }, "integrator": { "type": "si" },
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0],
        "segments": 8, "stiffness": 100, "linear_density": 0.1 } } ],
    "constraints": [ { "body": "rope", "type": "fix", "where": { "vertices": [0] } },
      { "body": "rope", "type": "move", "where": { "vertices": [8] },
        "path": [ { "time": 0, "offset": [-0.05, 0, 0] }, { "time": 1, "offset": [-0.05, 0, 0] } ] } ] })")
                                .string();
  const Finished done =
      run_command(scratch, {"modes", scene, "--count", "3", "-o", (scratch.path() / "m").string(), "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Json mode = Json::parse(done.out)["modes"][0];
  EXPECT_EQ(mode["kind"], "unstable");
  EXPECT_LT(mode["lambda"], 0);
  EXPECT_EQ(mode["frequency_hz"], 0);
  EXPECT_NE(done.err.find("unstable"), std::string::npos);
}

TEST(ModesVerb, RefusesBadInputWithTheUsualCodes) {
  ScratchFolder scratch;
  const std::string scene = scratch.write("scene.json", two_bodies).string();
  const std::string bad = scratch.write("bad.json", "{").string();
  const std::string folder = (scratch.path() / "modes").string();
  const auto code = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "modes");
    arguments.insert(arguments.end(), {"-o", folder});
    return run_command(scratch, arguments).code;
  };
  EXPECT_EQ(code({bad}), 65);
  EXPECT_EQ(code({scene, "--count", "100000000"}), 65);
  EXPECT_EQ(code({scene, "--set", "bodies.0.material.young=-1"}), 65);
  EXPECT_EQ(code({(scratch.path() / "none.json").string()}), 74);
  EXPECT_EQ(code({scene, "--count", "0"}), 2);
  EXPECT_EQ(code({scene, "--count", "many"}), 2);
  EXPECT_FALSE(std::filesystem::exists(folder)) << "nothing is written";
}

}  // namespace
}  // namespace phiflex

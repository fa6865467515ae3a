// Bodies of triangles in a plane, continuous and discontinuous, as scenes make them.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "phiflex/base/errors.h"
#include "phiflex/record/frame_file.h"
#include "phiflex/record/motion_reader.h"
#include "phiflex/run/run.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/modes_run.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::read_text;
using testing::ScratchFolder;

const char* const kElements[] = {R"("element": "tri3",)", R"("element": "dg-bz", "penalty": 3e4,)",
                                 R"("element": "dg-ip", "penalty": 3e6,)"};

std::string text(
    const std::string& of_body, const std::string& of_scene = "",
    const std::string& integrator = R"({ "type": "midpoint" })",
    const std::string& mesh = R"({ "generate": "rectangle", "size": [0.4, 0.2], "cells": [4, 2] })") {
  return R"({ "phiflex": 1, "name": "sheet", "time": { "step": 0.002, "end": 0.04 }, "integrator": )" +
         integrator + R"(, "bodies": [ { "name": "sheet", )" + of_body + R"( "mesh": )" + mesh +
         R"(, "material": { "type": "neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000 } } ])" +
         of_scene + "}";
}

Scene plane_scene(const std::string& json) {
  std::vector<Problem> warnings;
  return parse_scene(json, "plane_body_test", read_options(), warnings);
}
Scene sheet(const std::string& of_body, const std::string& of_scene = "",
            const std::string& integrator = R"({ "type": "midpoint" })") {
  return plane_scene(text(of_body, of_scene, integrator));
}

const char* const kClamped = R"(, "gravity": [0, -9.81, 0],
  "constraints": [ { "body": "sheet", "type": "fix", "where": { "box": [[-1e-6, -1, -1], [1e-6, 1, 1]] } } ],
  "probes": [ { "name": "tip", "body": "sheet", "at": [0.4, 0.2, 0] } ])";

TEST(PlaneBody, MovesInItsPlaneWithTwoDegreesOfFreedomForEachNode) {
  const SceneModel continuous = build_scene(sheet(kElements[0], kClamped), "scene");
  EXPECT_EQ(continuous.vertices(), 15);
  EXPECT_EQ(continuous.triangles(), 16);
  EXPECT_EQ(continuous.tetrahedra(), 0);
  EXPECT_EQ(continuous.make_model(0)->dofs(), 2 * 12);
  EXPECT_NEAR(continuous.make_model(0)->total_mass(), 80, 1e-10);  // 1 m thick
  const SceneModel apart = build_scene(sheet(kElements[1], kClamped), "scene");
  EXPECT_EQ(apart.vertices(), 48);
  // On the clamped edge lie four edges of triangles, and the corners of two more.
  EXPECT_EQ(apart.make_model(0)->dofs(), 2 * (48 - 2 * 2 - 2));
  EXPECT_NEAR(apart.make_model(0)->total_mass(), 80, 1e-10);
}

TEST(PlaneBody, ItsForceAndStiffnessAreDerivativesOfItsEnergyThroughTheScene) {
  for (const char* element : kElements)
    for (const char* damping : {"", R"("damping": { "mass": 0.3, "stiffness": 0.002 },)",
                                R"("damping": { "stiffness": 0.002, "stiffness_of": "current" },)"}) {
      const SceneModel world =
          build_scene(sheet(std::string(element) + damping +
                                R"("regions": [ { "where": { "box": [[0.2, -1, -1], [1, 1, 1]] },
                                      "material": { "type": "stvk", "young": 3e5 } } ],)",
                            kClamped),
                      "scene");
      const auto model = world.make_model(0);
      State at = world.initial_state(*model);
      for (Index i = 0; i < at.q.size(); ++i) {
        at.q[i] = 0.004 * std::sin(12.9898 * double(i));
        at.v[i] = 0.1 * std::cos(7.23 * double(i));
      }
      const auto tangent = model->assembled_tangent(Definiteness::exact);
      tangent->update(at);
      const Matrix K(tangent->K().to_eigen());
      Vector f;
      State still = at;
      still.v.setZero();
      model->force(still, f);
      const double scale = K.cwiseAbs().maxCoeff();
      constexpr double h =
          1e-5;  // errors of h^2 times third derivatives ~ K / (0.1 m)^2, and of 1e-16 K 0.1 / h
      for (Index i = 0; i < at.q.size(); ++i) {
        const auto moved = [&](double s) {
          State there = still;
          there.q[i] += s;
          return there;
        };
        const double dW = (model->potential_energy(moved(h)) - model->potential_energy(moved(-h))) / (2 * h);
        EXPECT_NEAR(-f[i], dW, 1e-6 * scale * 0.01) << element << damping;
        Vector ahead, behind;
        model->force(moved(h), ahead);
        model->force(moved(-h), behind);
        EXPECT_LE((K.col(i) + (ahead - behind) / (2 * h)).cwiseAbs().maxCoeff(), 1e-6 * scale)
            << element << damping;
      }
      if (!tangent->D()) continue;
      const Matrix D(tangent->D()->to_eigen());
      EXPECT_LE((D - D.transpose()).norm(), 1e-12 * D.norm());
      Vector damped;
      model->force(at, damped);  // linear in v
      EXPECT_LE((f - damped - D * at.v).norm(), 1e-9 * damped.norm()) << element << damping;
    }
}

// An affine motion is free of force inside; free edges feel the stress. (Babuska and Zlamal's flux fails by design.)
TEST(PlaneBody, PassesThePatchTestWithContinuousTrianglesAndTheInteriorPenalty) {
  for (const int which : {0, 2}) {
    const SceneModel world = build_scene(sheet(kElements[which]), "scene");
    const auto model = world.make_model(0);
    State at = world.initial_state(*model);
    const Vector& X = world.rest();
    for (Index v = 0; v < X.size() / 3; ++v)
      at.q.segment<2>(2 * v) << 0.1 * X[3 * v] + 0.05 * X[3 * v + 1], 0.02 * X[3 * v] - 0.04 * X[3 * v + 1];
    Vector f;
    model->force(at, f);
    int inner = 0;
    const PlaneBody& plane = *world.bodies()[0].plane();
    const auto on_edge = [&](int v) {
      return X[3 * v] < 1e-9 || X[3 * v] > 0.4 - 1e-9 || X[3 * v + 1] < 1e-9 || X[3 * v + 1] > 0.2 - 1e-9;
    };
    // Continuous: vertices inside. Discontinuous: triangles all of whose edges are inner ones.
    for (const auto& nodes : plane.nodes) {
      int edges_outside = 0;
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3;
        const Eigen::Vector2d middle = (X.segment<2>(3 * nodes[a]) + X.segment<2>(3 * nodes[b])) / 2;
        edges_outside +=
            middle[0] < 1e-9 || middle[0] > 0.4 - 1e-9 || middle[1] < 1e-9 || middle[1] > 0.2 - 1e-9;
      }
      for (const int v : nodes) {
        if (which == 0 ? on_edge(v) : edges_outside > 0) continue;
        ++inner;
        EXPECT_LE(f.segment<2>(2 * v).norm(), 1e-11 * f.norm());
      }
    }
    EXPECT_GT(inner, 5);
    EXPECT_GT(f.norm(), 100);
  }
}

TEST(PlaneBody, FallsWithoutBeingBentAndItsLedgerCloses) {
  for (const char* element : kElements) {
    ScratchFolder scratch;
    RunOptions options;
    options.folder = scratch.path() / "run";
    const RunSummary run = run_scene(sheet(element, R"(, "gravity": [1, -9.81, 0])"), "scene", {}, options);
    ASSERT_EQ(run.status, RunStatus::done) << run.reason;
    EXPECT_EQ(run.degrees_of_freedom, element == kElements[0] ? 30 : 96);
    const MotionReader motion{RunFolder{options.folder}};
    EXPECT_EQ(motion.shape().triangles.size(), 16u);
    VisibleFrame frame;
    motion.read(motion.frames() - 1, frame);
    const double t = 0.04;
    for (std::size_t v = 0; v < frame.positions.size(); ++v) {
      const Point3& rest = motion.shape().rest[v];
      EXPECT_NEAR(frame.positions[v][0], rest[0] + 0.5 * t * t, 1e-12);
      EXPECT_NEAR(frame.positions[v][1], rest[1] - 0.5 * 9.81 * t * t, 1e-12);
      EXPECT_EQ(frame.positions[v][2], 0);
    }
    EXPECT_LT(std::abs(run.energy_last - run.energy_first), 1e-9);
  }
}

TEST(PlaneBody, ItsFramesShowTheEnergyOfItsTriangles) {
  ScratchFolder scratch;
  RunOptions options;
  options.folder = scratch.path() / "run";
  ASSERT_EQ(run_scene(sheet(kElements[1], kClamped), "scene", {}, options).status, RunStatus::done);
  const MotionReader motion{RunFolder{options.folder}};
  VisibleFrame frame;
  motion.read(motion.frames() - 1, frame);
  double most = 0;
  for (const double energy : frame.strain_energy) most = std::max(most, energy);
  EXPECT_GT(most, 0);
  const FrameFile file = read_frame_file(RunFolder{options.folder}.frame(3));
  EXPECT_EQ(file.points.size(), 48u);  // each triangle's own
  EXPECT_EQ(file.cells.types.size(), 16u);
  const auto json = nlohmann::json::parse(read_text(options.folder / "run.json"));
  EXPECT_EQ(json["sizes"]["triangles"], 16);
  EXPECT_GT(json["discontinuous"]["largest_gap"], 0);
}

class PlaneMethods : public ::testing::TestWithParam<std::string> {};

// Every method of the catalogue steps every plane body, and a stopped run goes on bit for bit.
TEST_P(PlaneMethods, StepAPlaneBodyAndRestartBitForBit) {
  for (const char* element : kElements) {
    const std::string of_body = std::string(element) + R"("damping": { "mass": 0.1 },)";
    std::string json = text(of_body, kClamped, R"({ "type": ")" + GetParam() + R"(" })");
    json.replace(json.find("0.002, \"end\": 0.04"), 18, "1e-4, \"end\": 0.001");  // explicit methods, too
    const Scene scene = plane_scene(json);
    ScratchFolder scratch;
    RunOptions options;
    options.control.threads = 1;
    options.control.deterministic = true;
    options.folder = scratch.path() / "whole";
    const RunSummary whole = run_scene(scene, "test.json", {}, options);
    ASSERT_EQ(whole.status, RunStatus::done) << whole.reason << element;
    // Over 1 ms the tip falls freely: 4.9e-6 m, and nothing else happens there.
    std::atomic<bool> stop{false};
    options.folder = scratch.path() / "parts";
    options.control.stop = &stop;
    options.control.progress = [&](const Progress& progress) { stop = progress.step == 4; };
    ASSERT_EQ(run_scene(scene, "test.json", {}, options).status, RunStatus::interrupted);
    stop = false;
    options.control.progress = nullptr;
    const RunSummary parts = resume_run(options.folder, options.control);
    EXPECT_EQ(parts.hash, whole.hash) << element;
    EXPECT_EQ(read_text(scratch.path() / "parts/energy.csv"), read_text(scratch.path() / "whole/energy.csv"));
    EXPECT_EQ(read_text(scratch.path() / "parts/probes.csv"), read_text(scratch.path() / "whole/probes.csv"));
    const std::string probes = read_text(scratch.path() / "whole/probes.csv");
    const std::string last = probes.substr(probes.rfind('\n', probes.size() - 2) + 1);
    double t = 0, x = 0, y = 0;
    ASSERT_EQ(std::sscanf(last.c_str(), "10,%lf,%lf,%lf", &t, &x, &y), 3) << last;
    EXPECT_NEAR(y - 0.2, -0.5 * 9.81 * 1e-6, 0.15 * 0.5 * 9.81 * 1e-6) << element;
  }
}

std::vector<std::string> every_method() {
  std::vector<std::string> names;
  for (const MethodWords& method : method_words()) names.push_back(method.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, PlaneMethods, ::testing::ValuesIn(every_method()), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(PlaneBody, HasThreeRigidModesAndContinuousOnesAreTheLimitOfAHighPenalty) {
  ScratchFolder scratch;
  const auto modes = [&](const std::string& element) {
    ModesRunOptions options;
    options.count = 6;
    options.folder = scratch.path() / "modes";
    options.existing = ExistingFolder::reuse;
    return run_modes(sheet(element), "scene", options).modes;
  };
  const auto continuous = modes(kElements[0]);
  ASSERT_EQ(continuous.size(), 6u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(continuous[i].kind, ModeKind::rigid);
  for (int i = 3; i < 6; ++i) EXPECT_EQ(continuous[i].kind, ModeKind::elastic);
  for (const char* element :
       {R"("element": "dg-bz", "penalty": 1e10,)", R"("element": "dg-ip", "penalty": 1e10,)"})
    for (int i = 3; i < 6; ++i)
      EXPECT_NEAR(modes(element)[i].frequency / continuous[i].frequency, 1, 1e-3) << element;
  EXPECT_LT(modes(R"("element": "dg-bz", "penalty": 1e3,)")[3].frequency, 0.1 * continuous[3].frequency);
}

TEST(PlaneBody, AFileOfTrianglesInAPlaneIsTheSameBody) {
  ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "square.obj";
  std::ofstream(file) << "v 0 0 2\nv 1 0 2\nv 1 1 2\nv 0 1 2\nf 1 2 3\nf 1 3 4\n";
  const std::string mesh = R"({ "file": ")" + file.string() + R"(" })";
  const SceneModel world =
      build_scene(plane_scene(text(kElements[2], "", R"({ "type": "si" })", mesh)), "scene");
  EXPECT_EQ(world.triangles(), 2);
  EXPECT_EQ(world.vertices(), 6);
  EXPECT_EQ(world.bodies()[0].rest()[5][2], 2);  // any plane z = const
}

// What is wrong, and what the message must say of it.
void expect_refused(const std::string& json, const std::string& words) {
  ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "scene.json";
  std::ofstream(file) << json;
  const testing::Finished check = testing::run_command(scratch, {"check", file.string()});
  EXPECT_EQ(check.code, 65) << json << check.err;
  EXPECT_NE(check.err.find(words), std::string::npos) << words << "\n" << check.err;
}

TEST(PlaneBody, MotionsThatLeadOutOfItsPlaneAreRefused) {
  const auto constrained = [](const std::string& rest) {
    return text(kElements[0], R"(, "constraints": [ { "body": "sheet", )" + rest + " } ]");
  };
  const std::string left = R"("where": { "box": [[0, 0, 0], [0, 1, 0]] }, )";
  expect_refused(constrained(left + R"("type": "move", "sine": [ { "translate": [0.1, 0, 0], "frequency": 1 },
                                       { "translate": [0, 0, 0.1], "frequency": 1 } ])"),
                 "/constraints/0/sine/1");
  expect_refused(
      constrained(left + R"("type": "frame", "sine": [ { "rotate": [[1, 0, 0], 20], "frequency": 1 } ])"),
      "/constraints/0/sine/0");
  ScratchFolder scratch;
  const auto recorded = [&](const std::string& rows) {
    const std::filesystem::path file = scratch.path() / "motion.csv";
    std::ofstream(file) << "time,0_x,0_y,0_z\n" << rows;
    return constrained(R"("type": "motion", "file": ")" + file.string() + "\"");
  };
  expect_refused(recorded("0,0,0,0\n9,0.1,0,0.01\n"), "line 3");
  expect_refused(recorded("0,0,0,0\n9,0.1,0,0.01\n"), "vertex 0 is led to z = 0.01, out of the plane");

  for (const std::string& within :
       {constrained(left + R"("type": "frame", "sine": [ { "rotate": [[0, 0, 1], 20], "frequency": 1 } ])"),
        recorded("0,0,0,0\n9,0.1,0,0\n")}) {
    const std::filesystem::path file = scratch.path() / "scene.json";
    std::ofstream(file) << within;
    const testing::Finished check = testing::run_command(scratch, {"check", file.string()});
    EXPECT_EQ(check.code, 0) << within << check.err;
  }
}

TEST(PlaneBody, WhatItCannotHaveIsRefusedWithTheReason) {
  const std::string flat = R"({ "generate": "rectangle", "size": [0.4, 0.2], "cells": [4, 2] })",
                    box = R"({ "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] })";
  expect_refused(text(""), "the mesh is flat: expected one of \"tri3\"");
  expect_refused(text(kElements[0], "", R"({ "type": "si" })", box), "the mesh has tetrahedra");
  expect_refused(text(R"("element": "tri6",)"), "\"tri3\"");
  expect_refused(text(R"("element": "dg-bz",)"), "/bodies/0/penalty");
  expect_refused(text(R"("element": "tet4", "penalty": 100,)", "", R"({ "type": "si" })", box),
                 "/bodies/0/penalty");
  expect_refused(text(R"("element": "tri3", "mass": "consistent",)"), "lumped");
  std::string arap = text(kElements[0]);
  arap.replace(arap.find("neo-hookean"), 11, "arap");
  expect_refused(arap, "no form for triangles in a plane");
  expect_refused(text(R"("element": "dg-ip", "penalty": 1e6, "regions": [ { "where": { "all": true },
      "material": { "type": "corotated" } } ],)"),
                 "/bodies/0/regions/0/material/type");
  expect_refused(text(kElements[0], R"(, "contacts": [ { "type": "floor" } ])"), "/contacts");
  expect_refused(text(kElements[0], R"(, "gravity": [0, 0, -9.81])"), "/gravity");
  expect_refused(text(kElements[0], R"(, "forces": [ { "type": "wind", "velocity": [0, 0, 1] } ])"),
                 "/forces/0");
  expect_refused(text(R"("element": "tri3", "initial": { "velocity": [0, 0, 1] },)"), "out of its plane");
  expect_refused(text(R"("element": "tri3", "initial": { "twist": { "axis": "x", "angle": 90 } },)"),
                 "out of its plane");
  std::string two = text(kElements[0]);
  two.replace(two.find("\"bodies\": [") + 11, 0, R"({ "name": "rope", "springs": { "generate": "rope",
      "from": [0, 0, 0], "to": [1, 0, 0], "segments": 4, "stiffness": 10, "linear_density": 1 } },)");
  expect_refused(two, "exactly that one body");

  ScratchFolder scratch;
  const auto from_file = [&](const std::string& content, const std::string& words) {
    const std::filesystem::path file = scratch.path() / "mesh.obj";
    std::ofstream(file) << content;
    expect_refused(text(kElements[1], "", R"({ "type": "si" })", R"({ "file": ")" + file.string() + R"(" })"),
                   words);
  };
  from_file("v 0 0 0\nv 1 0 0\nv 0 1 0.1\nf 1 2 3\n", "out of the plane");
  from_file("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n", "clockwise");
  from_file("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no area");
  from_file("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 1 2 4\n", "the same side of the edge");
  from_file("v 0 0 0\nv 1 0 0\nl 1 2\n", "no triangles");
}

}  // namespace
}  // namespace phiflex

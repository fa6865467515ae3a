// A surface that a body carries comes out of an export moved, with everything else of its file untouched; a closed
// surface as a body's mesh is filled.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "phiflex/base/files.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/obj_text.h"
#include "phiflex/run/run.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::Finished;
using testing::read_text;
using testing::run_command;
using testing::ScratchFolder;

// A cube of 2 m about the origin, of quadrilaterals with texture coordinates; a vertex has a colour.
const char* const kTexturedCube = R"(# a cube
mtllib cube.mtl
o skin
v -1 -1 -1 0.5 0.5 0.5
v 1 -1 -1
v 1 1 -1
v -1 1 -1
v -1 -1 1
v 1 -1 1
  v 1 1 1
v -1 1 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl red
f 1/1 4/2 3/3 2/4
f 5/1 6/2 7/3 8/4
f 1/1 2/2 6/3 5/4
f 2/1 3/2 7/3 6/4
f 3/1 4/2 8/3 7/4
f 4/1 1/2 5/3 8/4
)";

TEST(ObjText, ChangesPositionsAndNothingElse) {
  const ObjText text(kTexturedCube);
  ASSERT_EQ(text.vertices(), 8u);
  std::vector<Point3> points(8, Point3{0.25, 0.5, 0.75});
  const std::string moved = text.with(points);
  EXPECT_NE(moved.find("v 0.25 0.5 0.75 0.5 0.5 0.5\nv 0.25 0.5 0.75\n"), std::string::npos) << moved;
  EXPECT_EQ(moved.substr(moved.find("vt 0 0")),
            std::string(kTexturedCube).substr(std::string(kTexturedCube).find("vt 0 0")));
  EXPECT_EQ(moved.substr(0, 30), std::string(kTexturedCube).substr(0, 30));
}

std::string carried(const std::string& element, const std::string& mesh) {
  return R"({ "time": { "step": 0.01, "end": 0.1 }, "gravity": [0, 0, -10], "integrator": "em",
    "bodies": [ { "name": "rope", "springs": { "generate": "rope", "from": [3, 0, 0], "to": [4, 0, 0], "segments": 2,
                                               "stiffness": 10, "linear_density": 0.1 } },
                { "name": "cube", "mesh": )" +
         mesh + R"(, "element": ")" + element + R"(",
                  "transform": { "scale": 0.1, "rotate": [[0, 0, 1], 90], "translate": [0, 0, 5] }, "surface": "skin.obj",
                  "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000 } } ] })";
}

// It falls by g t (t + h)/2 to g t^2/2, and does not deform.
TEST(EmbeddedSurface, FollowsItsBodyInItsOwnOrder) {
  for (const char* element : {"tet4", "tet10"}) {
    ScratchFolder scratch;
    scratch.write("skin.obj", kTexturedCube);
    const std::string scene =
        scratch.write("scene.json", carried(element, R"({ "file": "skin.obj", "cells": 4 })")).string();
    const std::string folder = (scratch.path() / "out").string(),
                      obj = (scratch.path() / "moved.obj").string(),
                      pc2 = (scratch.path() / "moved.pc2").string();
    const Finished ran = run_command(scratch, {"run", scene, "-o", folder, "--threads", "1"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(run_command(scratch, {"export", folder, "-o", obj}).code, 0);
    EXPECT_EQ(run_command(scratch, {"export", folder, "-o", pc2}).code, 0);

    const std::string first = read_text(scratch.path() / "moved_cube_000000.obj");
    EXPECT_NE(first.find("mtllib cube.mtl"), std::string::npos);
    EXPECT_EQ(first.substr(first.find("vt 0 0")),
              std::string(kTexturedCube).substr(std::string(kTexturedCube).find("vt 0 0")));
    const SurfaceMesh cube = read_surface_mesh(scratch.path() / "moved_cube_000000.obj"),
                      fallen = read_surface_mesh(scratch.path() / "moved_cube_000010.obj");
    ASSERT_EQ(cube.vertices.size(), 8u);
    const Point3 expected{0.1, -0.1, 4.9};  // of (-1, -1, -1), turned by 90 degrees about z
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(cube.vertices[0][i], expected[i], 1e-6);
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(fallen.vertices[v][i], cube.vertices[v][i] - (i == 2 ? 0.05 : 0), 1e-5) << element;

    const std::string bytes = read_text(scratch.path() / "moved_cube.pc2");
    ASSERT_EQ(bytes.size(), 32u + 11 * 8 * 12);
    float z = 0;
    std::memcpy(&z, bytes.data() + 32 + 10 * 8 * 12 + 8, 4);
    EXPECT_NEAR(z, fallen.vertices[0][2], 1e-6);
    EXPECT_EQ(read_text(scratch.path() / "moved_cube.obj").size() > 100, true);

    // Again in the same folder: what the run before stored is its own.
    EXPECT_EQ(
        run_command(scratch, {"run", scene, "-o", folder, "--threads", "1", "--force", "--steps", "1"}).code,
        0);
  }
}

TEST(EmbeddedSurface, WhatDoesNotFitIsSaid) {
  ScratchFolder scratch;
  std::string far = kTexturedCube;
  far.replace(far.find("v 1 -1 -1"), 9, "v 9 -1 -1");
  scratch.write("skin.obj", far);
  scratch.write("skin.stl", "solid\nendsolid\n");
  const std::string box = R"({ "generate": "box", "size": [2, 2, 2], "cells": [2, 2, 2] })";
  const std::string scene = scratch.write("scene.json", carried("tet4", box)).string();
  const Finished checked = run_command(scratch, {"check", scene});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.err.find("lie farther than an edge outside of its tetrahedra"), std::string::npos)
      << checked.err;
  const auto refused = [&](const std::string& set, const std::string& words) {
    const Finished refusal = run_command(scratch, {"check", scene, "--set", set});
    EXPECT_EQ(refusal.code, 65) << set;
    EXPECT_NE(refusal.err.find(words), std::string::npos) << refusal.err;
  };
  refused("bodies.cube.surface=skin.stl", "is no OBJ file");
  refused("bodies.rope.surface=skin.obj", "is carried by tetrahedra");
}

TEST(ClosedSurfaceAsMesh, IsFilledAndSaysHowWell) {
  ScratchFolder scratch;
  scratch.write("skin.obj", kTexturedCube);
  const std::string scene =
      scratch.write("scene.json", carried("tet4", R"({ "file": "skin.obj", "cells": 6 })")).string();
  const Finished checked = run_command(scratch, {"check", scene});
  ASSERT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE((checked.out + checked.err).find("filled with"), std::string::npos) << checked.out << checked.err;
  const Finished json = run_command(scratch, {"check", scene, "--json"});
  const nlohmann::json said = nlohmann::json::parse(json.out);
  EXPECT_NEAR(said["bodies"].at(1)["mass"], 8, 0.4);  // 0.2 m cubed, 1000 kg/m^3: edges are cut
  std::string open = kTexturedCube;
  open.erase(open.find("f 4/1"));
  scratch.write("skin.obj", open);
  EXPECT_EQ(run_command(scratch, {"check", scene}).code, 65);
}

}  // namespace
}  // namespace phiflex

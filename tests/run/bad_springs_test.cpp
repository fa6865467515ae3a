// What a user is told about springs, fibres and motions that cannot be simulated.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "tests/run/process.h"

namespace phiflex {
namespace {

using testing::read_text;
using testing::ScratchFolder;
using Lines = std::vector<std::string>;

// Everything that is said about a scene, by its reader or by the world that is built of it.
Lines complaints(const std::string& text) {
  Lines lines;
  try {
    std::vector<Problem> unused;
    const Scene scene = parse_scene(text, "test.json", {{}, method_words()}, unused);
    const SceneModel world = build_scene(scene, "test.json");
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) lines.push_back(problem.place + ": " + problem.message);
  }
  return lines;
}

std::string with_body(const std::string& springs, const std::string& more = "") {
  return R"({ "phiflex": 1, "time": { "step": 0.01, "end": 0.1 }, "integrator": { "type": "be" },
    "bodies": [ { "name": "b", "springs": { )" +
         springs + " }" + more + " } ] }";
}

class SpringFile : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    const auto path = scratch_.path() / "springs.obj";
    std::ofstream(path) << text;
    return "\"file\": \"" + path.string() + "\", \"linear_density\": 1, \"area_density\": 1";
  }
  Lines says(const std::string& text, const std::string& stiffness = R"(, "stiffness": 10)") {
    return complaints(with_body(file(text) + stiffness));
  }
  ScratchFolder scratch_;
};

TEST_F(SpringFile, WithSpringsOfNoLengthIsToldWhichBetweenWhatAndWhere) {
  const char* line = "v 0 0 0\nv 1 2 3\nv 1 2 3\nv 2 2 3\nl 1 2 3 4\n";
  EXPECT_EQ(
      says(line),
      Lines{"/bodies/0/springs: spring 1 between the vertices 1 and 2, at [1, 2, 3], has the length 0 m and "
            "the constant inf N/m; expected springs of some length"});
  EXPECT_EQ(
      says(line, R"(, "spring_constant": 10)"),
      Lines{"/bodies/0/springs: spring 1 between the vertices 1 and 2, at [1, 2, 3], has the length 0 m and "
            "the constant 10 N/m; expected springs of some length"});
  EXPECT_EQ(
      says("v 0 0 0\nv 0 0 0\nv 0 0 0\nv 1 0 0\nl 1 2 3 4\n"),
      (Lines{"/bodies/0/springs: spring 0 between the vertices 0 and 1, at [0, 0, 0], has the length 0 m and "
             "the constant inf N/m, and 1 more like it; expected springs of some length",
             "/bodies/0/springs: 2 of 4 vertices have springs but no mass, vertex 0 first: their elements "
             "have no extent, or no density"}));
}

TEST_F(SpringFile, WithSpringsOfNoLengthEndsTheCommandWithTheCodeOfBadInput) {
  const auto scene = scratch_.path() / "scene.json";
  std::ofstream(scene) << with_body(file("v 0 0 0\nv 1 2 3\nv 1 2 3\nl 1 2 3\n") + R"(, "stiffness": 10)");
  for (const char* verb : {"run", "check"}) {
    const testing::Finished finished = testing::run_command(scratch_, {verb, scene.string()});
    EXPECT_EQ(finished.code, 65) << verb << finished.err;
    EXPECT_NE(finished.err.find("spring 1 between the vertices 1 and 2, at [1, 2, 3]"), std::string::npos)
        << finished.err;
  }
}

TEST_F(SpringFile, WithABadNumberOrPlaceIsRefusedByItsReader) {
  for (const char* vertex : {"v 0 nan 0", "v 0 inf 0", "v 0 x 0", "v 0 1e999 0"}) {
    const Lines said = says(std::string("v 0 0 0\n") + vertex + "\nl 1 2\n");
    ASSERT_EQ(said.size(), 1u) << vertex;
    EXPECT_NE(said[0].find("line 2"), std::string::npos) << said[0];
  }
  EXPECT_EQ(says("v 0 0 0\nv 1 0 0\nl 1 7\n").size(), 1u);
  EXPECT_EQ(says("v 0 0 0\nv 1 0 0\n").size(), 1u) << "no lines, no triangles";
}

TEST_F(SpringFile, WithALineTwiceHasOneSpringThere) {
  std::vector<Problem> unused;
  const Scene scene = parse_scene(
      with_body(file("v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2\nl 2 1\nl 2 3\n") + R"(, "stiffness": 10)"),
      "test.json", {{}, method_words()}, unused);
  EXPECT_EQ(build_scene(scene, "test.json").springs(), 2);
}

TEST(BadSprings, GeneratedTooFineForTheirPlaceAreFoundByTheirLength) {
  // Doubles around 1e6 are 1.2e-10 apart: half of the 20 segments have no length.
  const Lines said = complaints(
      with_body(R"("generate": "rope", "from": [1e6, 0, 0], "to": [1000000.000000001, 0, 0], "segments": 20,
                   "stiffness": 10, "linear_density": 1)"));
  ASSERT_FALSE(said.empty());
  EXPECT_NE(said[0].find("at [1e+06, 0, 0], has the length 0 m"), std::string::npos) << said[0];
  EXPECT_EQ(complaints(with_body(R"("generate": "rope", "from": [1, 0, 0], "to": [1, 0, 0], "segments": 2,
                                    "stiffness": 10, "linear_density": 1)")),
            Lines{"/bodies/0/springs/to: both ends of the rope are at the same place; expected a rope of "
                  "some length"});
  EXPECT_EQ(
      complaints(
          with_body(R"("generate": "fibre", "from": [1, 0, 0], "to": [1, 0, 0], "thickness": [0.1, 0.1],
                                    "young": 1, "shear_modulus": 1, "density": 1)")),
      Lines{"/bodies/0/springs/to: both ends of the fibre are at the same place; expected a fibre of some "
            "length"});
}

TEST(BadSprings, WithoutDensityOrStiffnessOrThicknessAreRefusedForEveryGenerator) {
  struct Case {
    const char *springs, *place;
  };
  const Case cases[] = {
      {R"("generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 2, "stiffness": 10, "linear_density": 0)",
       "linear_density: 0"},
      {R"("generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 0, "stiffness": 10, "linear_density": 1)",
       "segments: 0"},
      {R"("generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 2, "stiffness": -1, "linear_density": 1)",
       "stiffness: -1"},
      {R"("generate": "cloth", "size": [1, 1], "cells": [2, 2], "stiffness": 10, "area_density": 0)",
       "area_density: 0"},
      {R"("generate": "cloth", "size": [0, 1], "cells": [2, 2], "stiffness": 10, "area_density": 1)",
       "size/0: 0"},
      {R"("generate": "flag", "size": [1, 1], "cells": [2, 2], "stiffness": 10, "area_density": 0)",
       "area_density: 0"},
      {R"("generate": "girder", "size": [1, 1, 1], "bays": 2, "stiffness": 10, "linear_density": 0)",
       "linear_density: 0"},
      {R"("generate": "tetrahedra", "mesh": { "generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1] },
          "stiffness": 10, "density": 0)",
       "density: 0"},
      {R"("generate": "fibre", "from": [0, 0, 0], "to": [1, 0, 0], "thickness": [0.1, 0], "young": 1,
          "shear_modulus": 1, "density": 1)",
       "thickness/1: 0"},
      {R"("generate": "fibre", "from": [0, 0, 0], "to": [1, 0, 0], "thickness": [0.1, 0.1], "young": 1,
          "shear_modulus": 1, "density": 0)",
       "density: 0"},
      {R"("generate": "fibres", "on": { "sphere": { "radius": 0 } }, "count": 3, "length": 1,
          "thickness": [0.1, 0.1], "young": 1, "shear_modulus": 1, "density": 1)",
       "on/sphere/radius: 0"},
  };
  for (const Case& c : cases) {
    const Lines said = complaints(with_body(c.springs));
    ASSERT_EQ(said.size(), 1u) << c.springs;
    EXPECT_EQ(said[0].rfind(std::string("/bodies/0/springs/") + c.place, 0), 0u) << said[0];
  }
}

const char* kRope = R"("generate": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 4, "stiffness": 10,
                       "linear_density": 1)";

TEST(BadSprings, OfARegionThatIsNotThereAreNamed) {
  const auto region = [](const std::string& where, const std::string& change = R"("factor": 2)") {
    return complaints(with_body(
        kRope, R"(, "regions": [ { "where": { )" + where + R"( }, "springs": { )" + change + " } } ]"));
  };
  EXPECT_EQ(region(R"("tag": "stiff")"),
            Lines{"/bodies/0/regions/0/where/tag: 'stiff' is not a tag of body 'b'; its tags: none"});
  EXPECT_EQ(
      region(R"("elements": [1, 4])"),
      Lines{"/bodies/0/regions/0/where/elements/1: 4 is not a number of the elements of body 'b': 0 to 3 are "
            "there"});
  EXPECT_EQ(
      region(R"("sphere": { "center": [0, 5, 0], "radius": 1 })"),
      Lines{"/bodies/0/regions/0/where: selects no element of body 'b', whose rest shape spans [0, 0, 0] to "
            "[1, 0, 0]"});
  EXPECT_EQ(region(R"("all": true)"), Lines{});
  EXPECT_EQ(
      region(R"("all": true)", R"("factor": 1e308)"),
      Lines{
          "/bodies/0/springs: spring 0 between the vertices 0 and 1, at [0, 0, 0], has the length 0.25 m and "
          "the constant inf N/m, and 3 more like it; expected springs of some length"});
}

// Hair of a head whose tips lie in a second ball.
std::string hair(const std::string& contacts) {
  return R"({ "phiflex": 1, "time": { "step": 0.001, "end": 0.003 }, "integrator": { "type": "si" },
    "bodies": [ { "name": "hair", "springs": { "generate": "fibres", "on": { "sphere": { "radius": 0.1 } }, "count": 40,
        "length": 0.1, "segments": 4, "thickness": [1e-3, 1e-3], "young": 1e6, "shear_modulus": 4e5, "density": 1000 } } ],
    "constraints": [ { "type": "fix", "body": "hair", "where": { "sphere": { "center": [0, 0, 0], "radius": 0.1001 } } } ],
    "contacts": [ )" +
         contacts + " ] }";
}

// The deepest free place inside a ball.
double deepest_in(const SceneModel& world, const Eigen::Vector3d& centre, double radius) {
  const auto model = world.make_model(0);
  Vector x, v;
  model->expand(world.initial_state(*model), x, v);
  double depth = 0;
  for (const int vertex : model->constraints().free().vertex_of_row)
    depth = std::max(depth, radius - (Eigen::Vector3d(x.segment<3>(3 * Index(vertex))) - centre).norm());
  return depth;
}

TEST(FibresInsideAnObstacle, AreAnErrorThatSaysHowManyAndHowDeepInEveryMode) {
  const std::string ball = R"("type": "sphere", "center": [0, 0.2, 0], "radius": 0.05)";
  const Lines projected = complaints(hair("{ " + ball + R"(, "mode": "project" })"));
  ASSERT_EQ(projected.size(), 1u);
  EXPECT_NE(projected[0].find("/contacts/0: "), std::string::npos);
  EXPECT_NE(projected[0].find("vertices start inside this obstacle, up to 0.0"), std::string::npos)
      << projected[0];
  EXPECT_EQ(complaints(hair("{ " + ball + R"(, "mode": "penalty", "at_start": "error" })")), projected);
  const Lines by_barrier = complaints(hair("{ " + ball + " }"));
  ASSERT_EQ(by_barrier.size(), 1u);
  EXPECT_NE(by_barrier[0].find("of body \"hair\" starts 0.0"), std::string::npos) << by_barrier[0];
  EXPECT_EQ(complaints(hair("{ " + ball + R"(, "mode": "penalty" })")), Lines{})
      << "a penalty pushes by itself";
  EXPECT_EQ(complaints(hair(R"({ "type": "sphere", "center": [0, 0, 0], "radius": 0.1 })")), Lines{})
      << "the roots touch the head they grow on, and are held";
}

TEST(FibresInsideAnObstacle, ArePushedOutOfOverlappingObstaclesAndReported) {
  const std::string text =
      hair(R"({ "type": "sphere", "center": [0, 0.2, 0], "radius": 0.05, "at_start": "push" },
    { "type": "sphere", "center": [0.05, 0.2, 0], "radius": 0.04, "at_start": "push" })");
  std::vector<Problem> unused;
  const Scene scene = parse_scene(text, "test.json", {{}, method_words()}, unused);
  const SceneModel world = build_scene(scene, "test.json");
  ASSERT_FALSE(world.messages().notes().empty());
  EXPECT_NE(world.messages().notes()[0].find(
                "vertices started inside the obstacle /contacts/0 and were pushed out"),
            std::string::npos)
      << world.messages().notes()[0];
  // What counts as touching, contacts.cpp: 1e-9 (1 + |x|).
  EXPECT_LE(deepest_in(world, {0, 0.2, 0}, 0.05), 2e-9);
  EXPECT_LE(deepest_in(world, {0.05, 0.2, 0}, 0.04), 2e-9);
}

TEST(FibresInsideAnObstacle, ThatAreLeftNoRoomAreAnErrorThoughTheyMayBePushed) {
  const Lines said = complaints(hair(R"(
    { "type": "plane", "point": [0, 0.15, 0], "normal": [0, 1, 0], "at_start": "push" },
    { "type": "plane", "point": [0, 0.14, 0], "normal": [0, -1, 0], "at_start": "push" })"));
  ASSERT_FALSE(said.empty());
  EXPECT_NE(said[0].find("expected room beside the obstacles that push them there"), std::string::npos)
      << said[0];
}

std::string rope_with_motion(const std::filesystem::path& file) {
  std::string text = with_body(kRope);
  text.resize(text.rfind('}'));
  return text + R"(, "constraints": [ { "type": "motion", "body": "b", "file": ")" + file.string() +
         "\" } ] }";
}

TEST(BadMotionFile, IsRefusedByLine) {
  ScratchFolder scratch;
  const auto file = scratch.path() / "motion.csv";
  const auto says = [&](const std::string& text) {
    std::ofstream(file) << text;
    return complaints(rope_with_motion(file));
  };
  EXPECT_EQ(says("time,0_x,0_y,0_z\n0,0,0,0\n0.09,0,0,0\n"),
            Lines{"line 3: the motion ends at 0.09 s, before the constraint does, at 0.1 s"});
  EXPECT_EQ(says("time,0_x,0_y,0_z\n0.01,0,0,0\n0.1,0,0,0\n"),
            Lines{"line 2: the motion begins at 0.01 s, after the scene, at 0 s"});
  EXPECT_EQ(says("time,0_x,0_y,0_z,0_x\n0,0,0,0,0\n0.1,0,0,0,0\n"), Lines{"line 1: \"0_x\" is there twice"});
  EXPECT_EQ(says("time,0_x,0_y,0_z,time\n0,0,0,0,0\n0.1,0,0,0,9\n"),
            Lines{"line 1: \"time\" is there twice"});
  EXPECT_EQ(says("time,0_x,0_y,0_z\n0,0,0,0\nnan,0,0,0\n"),
            Lines{"line 3: expected times that ascend from row to row"});
  EXPECT_EQ(says("time,0_x,0_y,0_z\n0,0,0,0\n0.1,0,inf,0\n"),
            Lines{"line 3: vertex 0 is at no finite place"});
  EXPECT_EQ(says("time,0_x,0_y,0_z\n0,0,0,0\n0.1,0,0\n"),
            Lines{"line 3: \"0\" where a number for 0_y is expected"});
  EXPECT_EQ(says("time,0_x,0_y,0_z\n0,0,up,0\n"),
            Lines{"line 2: \"up,0\" where a number for 0_y is expected"});
  EXPECT_EQ(says("time,0_x,0_y,0_z\n"),
            Lines{"line 1: has no row; expected positions for at least one time"});
  EXPECT_EQ(says("time,-1_x\n0,0\n"),
            Lines{"line 1: \"-1_x\" is no column of a motion; expected <vertex>_x, _y or _z"});
  EXPECT_EQ(says(""),
            Lines{"line 1: has no column \"time\"; expected time,<vertex>_x,<vertex>_y,<vertex>_z,..."});
  std::filesystem::remove(file);
  EXPECT_THROW(complaints(rope_with_motion(file)), FileError) << "not there";
}

TEST(BadMotionFile, CountsALastRowThatHasNoLineEnd) {
  ScratchFolder scratch;
  const auto file = scratch.path() / "motion.csv";
  std::ofstream(file) << "time,0_x,0_y,0_z\n0,0,0,0\n0.1,0,1,0";
  EXPECT_EQ(complaints(rope_with_motion(file)), Lines{});
  std::ofstream(file) << "time,0_x,0_y,0_z\n0,0,0,0\n0.1,0,1";  // cut short
  EXPECT_EQ(complaints(rope_with_motion(file)).size(), 1u);
}

TEST(BadMotionFile, OrAnyOtherHasTheExitCodeOfBadInput) {
  ScratchFolder scratch;
  const auto file = scratch.path() / "motion.csv", scene = scratch.path() / "scene.json";
  std::ofstream(file) << "time,0_x,0_y,0_z\n0,0,0,0\n0.05,0,0,0\n";
  std::ofstream(scene) << rope_with_motion(file);
  const testing::Finished finished = testing::run_command(scratch, {"run", scene.string()});
  EXPECT_EQ(finished.code, 65);
  EXPECT_NE(finished.err.find("motion.csv: line 3: the motion ends at 0.05 s"), std::string::npos)
      << finished.err;
}

}  // namespace
}  // namespace phiflex

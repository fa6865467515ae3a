// What selections of a scene select.
#include "phiflex/run/selection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/run/scene_body.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

// The body of a scene whose first region is selected by `where`; a sheet of 10 x 6 x 1 cells, from the origin.
struct Selected {
  Body body;
  std::vector<int> vertices, elements;
};

Selected select(const std::string& where, const std::string& mesh = R"("generate": "box", "size": [10, 6, 1],
    "cells": [10, 6, 1])") {
  std::vector<Problem> unused;
  const Scene scene = parse_scene(R"({ "time": { "step": 0.01, "end": 1 },
      "bodies": [ { "name": "body", "mesh": { )" +
                                      mesh + R"( },
                    "material": { "type": "linear", "young": 1e5, "density": 1000 },
                    "regions": [ { "where": )" +
                                      where + R"(, "material": { "young": 1 } } ] } ] })",
                                  "test.json", {}, unused);
  ProblemList problems("test.json");
  Selected out{build_body(scene.bodies[0], "/bodies/0", problems), {}, {}};
  out.vertices = select_vertices(scene.bodies[0].regions[0].where, out.body, "/where", problems);
  out.elements = select_elements(scene.bodies[0].regions[0].where, out.body, "/where", problems);
  problems.throw_if_any();
  return out;
}

// Expects exactly the vertices that pass the test.
template <class Test>
void expect_vertices(const Selected& selected, Test test) {
  std::vector<int> expected;
  for (int v = 0; v < selected.body.vertex_count(); ++v)
    if (test(selected.body.rest()[v])) expected.push_back(v);
  EXPECT_FALSE(expected.empty());
  EXPECT_LT(static_cast<int>(expected.size()), selected.body.vertex_count());
  EXPECT_EQ(selected.vertices, expected);
}

TEST(Selection, ByDistanceFromALine) {
  expect_vertices(select(R"({ "axis": { "point": [4, 3, 0.3], "direction": [0, 0, 2], "radius": 1.5 } })"),
                  [](const Point3& x) { return std::hypot(x[0] - 4, x[1] - 3) <= 1.5; });
}

TEST(Selection, ACapsuleHasRoundEndsAndACylinderPlaneOnes) {
  const auto from_axis = [](const Point3& x) { return std::hypot(x[1] - 3, x[2]); };
  expect_vertices(select(R"({ "cylinder": { "from": [3, 3, 0], "to": [6, 3, 0], "radius": 2.1 } })"),
                  [&](const Point3& x) { return x[0] >= 3 && x[0] <= 6 && from_axis(x) <= 2.1; });
  expect_vertices(select(R"({ "capsule": { "from": [3, 3, 0], "to": [6, 3, 0], "radius": 2.1 } })"),
                  [&](const Point3& x) {
                    const double beyond = std::max({0.0, 3 - x[0], x[0] - 6});
                    return std::hypot(beyond, from_axis(x)) <= 2.1;
                  });
}

TEST(Selection, TheOutlineOfASheetIsItsRim) {
  expect_vertices(select(R"({ "outline": { "along": "z", "distance": 1.2 } })"), [](const Point3& x) {
    return std::min({x[0], 10 - x[0], x[1], 6 - x[1]}) <= 1.2;
  });
  // Elements by their centroids: fewer than those that touch the rim's vertices.
  const Selected rim = select(R"({ "outline": { "along": "z", "distance": 1 } })");
  EXPECT_EQ(rim.elements.size(), 6u * (10 * 6 - 8 * 4));
}

TEST(Selection, TheOutlineOfAHoneycombIsItsOuterWallsNotItsHoles) {
  const Selected rim =
      select(R"({ "outline": { "along": "z", "distance": 6 } })", R"("generate": "honeycomb")");
  EXPECT_GT(rim.vertices.size(), 100u);
  EXPECT_LT(rim.vertices.size(), rim.body.rest().size() / 2);
  for (const int v : rim.vertices) {
    const Point3& x = rim.body.rest()[v];
    // The middle of the sheet, of 149 x 109, is far from its rim.
    EXPECT_FALSE(std::abs(x[0] - 75) < 40 && std::abs(x[1] - 54) < 25);
  }
}

TEST(Selection, NotAnyAndEveryAreTheComplementTheUnionAndTheIntersection) {
  const std::string low = R"({ "half_space": { "point": [4, 0, 0], "normal": [1, 0, 0] } })";
  const std::string left = R"({ "half_space": { "point": [0, 2, 0], "normal": [0, 1, 0] } })";
  expect_vertices(select(R"({ "not": )" + low + " }"), [](const Point3& x) { return x[0] > 4; });
  expect_vertices(select(R"({ "any": [ )" + low + ", " + left + " ] }"),
                  [](const Point3& x) { return x[0] <= 4 || x[1] <= 2; });
  expect_vertices(select(R"({ "every": [ )" + low + R"(, { "not": )" + left + " } ] }"),
                  [](const Point3& x) { return x[0] <= 4 && x[1] > 2; });
}

TEST(Selection, OfNothingIsReported) {
  try {
    select(
        R"({ "every": [ { "sphere": { "center": [0, 0, 0], "radius": 1 } }, { "sphere": { "center": [9, 0, 0],
           "radius": 1 } } ] })");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.problems()[0].message.find("selects no"), std::string::npos);
  }
}

}  // namespace
}  // namespace phiflex

// The generated meshes have the shape, the counts and the quality they promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_info.h"
#include "phiflex/mesh/vec3.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

const double kPi = std::acos(-1.0);

// What every generator promises: accepted without a warning, one piece, a closed surface of genus 0.
void expect_sound(const TetMesh& mesh) {
  const MeshInfo info = mesh_info(mesh);
  EXPECT_TRUE(check_for_simulation(mesh, "generated").empty());
  EXPECT_EQ(info.components, 1u);
  EXPECT_EQ(info.crowded_faces, 0u);
  EXPECT_TRUE(info.surface.closed());
  EXPECT_EQ(info.surface.nonmanifold_vertices, 0u);
  EXPECT_EQ(info.surface.inconsistent_edges, 0u);
  // V - E + F = 2 over the surface, where 3 F = 2 E.
  std::vector<char> on_surface(mesh.vertices.size(), 0);
  for (const auto& triangle : boundary_triangles(mesh))
    for (const int v : triangle) on_surface[v] = 1;
  EXPECT_EQ(2 * std::count(on_surface.begin(), on_surface.end(), 1) - static_cast<long>(info.triangles), 4);
}

TEST(Generators, ABoxFillsItsSizeFromTheOriginWithSixTetrahedraPerCell) {
  const TetMesh mesh = generate_box({{0.4, 0.1, 0.2}, {5, 2, 3}});
  expect_sound(mesh);
  const MeshInfo info = mesh_info(mesh);
  EXPECT_EQ(info.tets, 6u * 5 * 2 * 3);
  EXPECT_EQ(info.vertices, 6u * 3 * 4);
  EXPECT_EQ(info.low, (Point3{0, 0, 0}));
  EXPECT_EQ(info.high, (Point3{0.4, 0.1, 0.2}));  // exactly: scenes select by x = size
  EXPECT_NEAR(info.volume, 0.4 * 0.1 * 0.2, 1e-16);
}

TEST(Generators, ABoxOfEvenCellsIsItsOwnMirrorImageInEveryDirection) {
  const std::array<int, 3> cells = {4, 2, 6};
  const TetMesh mesh = generate_box({{4, 2, 6}, cells});
  const auto mirrored_tets = [&](int axis) {  // axis -1: as they are
    std::set<std::set<int>> tets;
    for (const auto& tet : mesh.tets) {
      std::set<int> corners;
      for (const int v : tet) {
        std::array<int, 3> at = {};
        for (int a = 0; a < 3; ++a) at[a] = static_cast<int>(std::lround(mesh.vertices[v][a]));
        if (axis >= 0) at[axis] = cells[axis] - at[axis];
        corners.insert((at[2] * (cells[1] + 1) + at[1]) * (cells[0] + 1) + at[0]);
      }
      tets.insert(corners);
    }
    return tets;
  };
  for (const int axis : {0, 1, 2}) EXPECT_EQ(mirrored_tets(axis), mirrored_tets(-1));
}

TEST(Generators, TheBenchmarkBoxHas98304Tetrahedra) {
  EXPECT_EQ(generate_box({{4, 1, 1}, {64, 16, 16}}).tets.size(), 98304u);
}

TEST(Generators, ABallHasTwentyTimesTheCubeOfItsResolutionTetrahedraOfGoodShape) {
  for (const int n : {1, 2, 5, 9}) {
    const TetMesh mesh = generate_ball({0.5, n, 0});
    expect_sound(mesh);
    const MeshInfo info = mesh_info(mesh);
    EXPECT_EQ(info.tets, 20u * n * n * n);
    EXPECT_GT(info.min_quality, 0.5);
    EXPECT_TRUE(mesh.tags.empty());
    for (const auto& triangle : boundary_triangles(mesh))
      for (const int v : triangle) EXPECT_NEAR(norm(mesh.vertices[v]), 0.5, 1e-15);
  }
  // The polyhedron's volume misses the ball's by a term of second order in 1 / resolution.
  const double miss = 4 * kPi / 3 - mesh_info(generate_ball({1, 8, 0})).volume;
  const double miss_finer = 4 * kPi / 3 - mesh_info(generate_ball({1, 16, 0})).volume;
  EXPECT_NEAR(std::log2(miss / miss_finer), 2, 0.05);
}

TEST(Generators, ABallsShellIsExactlyWhatLiesOutsideTheCore) {
  const TetMesh mesh = generate_ball({1, 6, 0.2});
  expect_sound(mesh);
  ASSERT_EQ(mesh.tags.size(), mesh.tets.size());
  EXPECT_EQ(tets_with_tag(mesh, "shell"), tets_with_tag(mesh, "1"));
  EXPECT_EQ(tets_with_tag(mesh, "shell").size() + tets_with_tag(mesh, "core").size(), mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    for (const int v : mesh.tets[t]) {
      const double r = norm(mesh.vertices[v]);
      if (mesh.tags[t] == 1) {
        EXPECT_GE(r, 0.8 - 1e-12);
      } else {
        EXPECT_LE(r, 0.8 + 1e-12);
      }
    }
  }
  EXPECT_GT(mesh_info(mesh).min_quality, 0.4);
}

TEST(Generators, ACylinderLiesAlongXFromTheOrigin) {
  const TetMesh mesh = generate_cylinder({0.5, 2, 3, 0});
  expect_sound(mesh);
  const MeshInfo info = mesh_info(mesh);
  EXPECT_EQ(info.tets, 18u * 9 * 12);
  EXPECT_EQ(info.low[0], 0);
  EXPECT_EQ(info.high[0], 2);
  EXPECT_NEAR(info.high[1], 0.5, 1e-15);
  EXPECT_GT(info.min_quality, 0.4);
  // An 18-sided prism: its area is 9 r^2 sin(2 pi / 18).
  EXPECT_NEAR(info.volume, 2 * 9 * 0.25 * std::sin(kPi / 9), 1e-12);
  expect_sound(generate_cylinder({1, 1, 1, 1}));
}

TEST(Generators, TheSameParametersGiveTheSameMesh) {
  const TetMesh a = generate_ball({1, 4, 0.3}), b = generate_ball({1, 4, 0.3});
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.tets, b.tets);
}

TEST(Generators, EveryEntryOfTheCatalogueIsDescribedAndWorksWithItsDefaults) {
  ASSERT_EQ(generator_catalogue().size(), 3u);
  for (const GeneratorInfo& info : generator_catalogue()) {
    EXPECT_FALSE(info.description.empty());
    for (const GeneratorParameter& parameter : info.parameters) EXPECT_FALSE(parameter.description.empty());
    expect_sound(generate_mesh(info.name, {}));
  }
}

TEST(Generators, ArgumentsByNameGiveTheSameMeshAsTheShape) {
  EXPECT_EQ(generate_mesh("box", {{"size", {1, 2, 3}}, {"cells", {1, 2, 3}}}).vertices,
            generate_box({{1, 2, 3}, {1, 2, 3}}).vertices);
  EXPECT_EQ(generate_mesh("ball", {{"radius", {2}}, {"resolution", {3}}, {"shell", {0.5}}}).tags,
            generate_ball({2, 3, 0.5}).tags);
  EXPECT_EQ(generate_mesh("cylinder", {{"cells_along", {2}}}).vertices,
            generate_cylinder({0.5, 2, 3, 2}).vertices);
}

TEST(Generators, AllProblemsAreReportedAtOnceWithValueAndWhatIsAllowed) {
  const std::string text = refusal([] {
    generate_mesh("box", {{"size", {1, -2, NAN}}, {"cells", {1, 2}}, {"sells", {1}}}, "scene.json");
  });
  EXPECT_NE(text.find("scene.json: size: is -2; allowed: a positive number"), std::string::npos) << text;
  EXPECT_NE(text.find("size: is nan"), std::string::npos) << text;
  EXPECT_NE(text.find("cells: 2 numbers given; 3 needed"), std::string::npos) << text;
  EXPECT_NE(text.find("sells: box has no such parameter; allowed: size, cells"), std::string::npos) << text;
  EXPECT_REFUSAL(generate_mesh("boks", {}), "'boks' is no generator; allowed: box, ball, cylinder");
  EXPECT_REFUSAL(generate_mesh("box", {{"cells", {1.5, 1, 1}}}),
                 "is 1.5; allowed: a whole number of at least 1");
  EXPECT_REFUSAL(generate_mesh("box", {{"cells", {1e6, 1e6, 1}}}), "would make 6e+12 tetrahedra");
  EXPECT_REFUSAL(generate_mesh("ball", {{"shell", {1}}}), "thinner than the radius");
}

}  // namespace
}  // namespace phiflex

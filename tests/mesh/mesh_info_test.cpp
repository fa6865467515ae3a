#include "phiflex/mesh/mesh_info.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_check.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

TetMesh one_tet() {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  return mesh;
}

TEST(MeshInfo, QualityIsOneForARegularTetrahedronAndZeroForAFlatOne) {
  TetMesh mesh;
  mesh.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, 1, 1}};
  mesh.tets = {{0, 2, 1, 3}};
  EXPECT_NEAR(mesh_info(mesh).min_quality, 1, 1e-15);
  EXPECT_NEAR(mesh_info(mesh).volume, 8.0 / 3, 1e-14);  // a cube of side 2 less four corners of 4/3
  mesh.tets = {{0, 1, 2, 4}};
  EXPECT_EQ(mesh_info(mesh).min_quality, 0);
  EXPECT_EQ(mesh_info(mesh).zero_volume, 1u);
  // A corner of a cube: V = 1/6, edges 1 1 1 2 2 2 squared, q = 12 (1/2)^(2/3) / 9.
  EXPECT_NEAR(mesh_info(one_tet()).min_quality, 12 * std::pow(0.5, 2.0 / 3) / 9, 1e-15);
}

TEST(MeshInfo, VolumesAndAreasOfABoxAreItsOwn) {
  const MeshInfo info = mesh_info(generate_box({{2, 3, 4}, {2, 2, 2}}));
  EXPECT_NEAR(info.volume, 24, 1e-13);
  EXPECT_NEAR(info.area, 2 * (6 + 8 + 12), 1e-13);
  EXPECT_NEAR(info.min_volume, 24.0 / 48, 1e-14);
}

TEST(MeshInfo, TheSurfaceOfATetrahedralMeshPointsOutwardAndKeepsItsNumbering) {
  const TetMesh box = generate_box({{2, 3, 4}, {2, 2, 2}});
  const SurfaceMesh surface = extract_surface(box);
  EXPECT_EQ(surface.vertices, box.vertices);
  const MeshInfo info = mesh_info(surface);
  EXPECT_NEAR(info.volume, 24, 1e-13);  // positive: outward
  EXPECT_EQ(info.surface.inconsistent_edges, 0u);
  EXPECT_EQ(info.euler_number, 2);
  EXPECT_EQ(info.unused_vertices, 1u);  // the one inside
}

TEST(MeshInfo, OrientationIsJudgedRelativeToTheSizeOfTheTetrahedron) {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    TetMesh mesh = one_tet();
    for (Point3& p : mesh.vertices)
      for (double& x : p) x *= scale;
    EXPECT_EQ(mesh_info(mesh).zero_volume, 0u) << scale;
    std::swap(mesh.tets[0][0], mesh.tets[0][1]);
    EXPECT_EQ(mesh_info(mesh).inverted, 1u) << scale;
  }
}

TEST(MeshInfo, TinyEdgesBesideFarVerticesAreCountedWithoutWalkingTheSpaceBetween) {
  TetMesh mesh = one_tet();
  for (Point3& p : mesh.vertices)
    for (double& x : p) x *= 1e-170;  // squares underflow
  mesh.vertices.push_back({1e150, 0, 0});
  mesh.tets.push_back({0, 1, 2, 4});
  EXPECT_EQ(mesh_info(mesh).hanging_vertices, 0u);
}

TEST(MeshInfo, AVertexInsideAnEdgeOfTheSurfaceHangs) {
  SurfaceMesh surface;
  surface.vertices = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 0, 0}, {1, -1, 0}, {3, -1, 0}};
  surface.triangles = {{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(mesh_info(surface).hanging_vertices, 1u);
  surface.triangles[0] = {1, 0, 2};  // a border edge counts whichever way it runs
  EXPECT_EQ(mesh_info(surface).hanging_vertices, 1u);
  surface.vertices[3][1] = -1e-6;
  EXPECT_EQ(mesh_info(surface).hanging_vertices, 0u);
}

TEST(MeshInfo, TheTextHasALineForEveryEntry) {
  TetMesh mesh = one_tet();
  mesh.notes = {"something to know"};
  const std::string text = describe(mesh_info(mesh));
  for (const auto& [name, value] : info_entries(mesh_info(mesh)))
    EXPECT_NE(text.find(name == "notes" ? "note: something to know" : name), std::string::npos) << name;
}

TEST(MeshCheck, EveryReasonToRefuseIsListedAtOnce) {
  TetMesh mesh = one_tet();
  mesh.vertices.push_back({0, std::nan(""), 0});
  mesh.vertices.push_back({std::numeric_limits<double>::infinity(), 0, 0});
  mesh.tets.push_back({0, 1, 2, 99});
  mesh.tags = {1};
  const std::string text = refusal([&] { check_for_simulation(mesh, "bad.mesh"); });
  EXPECT_NE(text.find("bad.mesh: vertices: 2 of 6 (the first: 4 at [0, nan, 0], 5 at [inf, 0, 0])"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("1 of 2 (it is: 1 with vertices 0 1 2 99)"), std::string::npos) << text;
  EXPECT_NE(text.find("tags: there are 1 for 2 tetrahedra"), std::string::npos) << text;
}

TEST(MeshCheck, OrientationIsFixedOnlyOnRequest) {
  TetMesh mesh = generate_box({});
  std::swap(mesh.tets[7][0], mesh.tets[7][1]);
  EXPECT_REFUSAL(check_for_simulation(mesh, "m"), "1 of 384 (it is: 7 with -0.0026) have negative volume");
  EXPECT_EQ(fix_orientation(mesh), 1);
  EXPECT_TRUE(check_for_simulation(mesh, "m").empty());
}

TEST(TetMesh, TagsAreSelectedByNameOrNumberAndListedForMessages) {
  TetMesh mesh = generate_box({{1, 1, 1}, {1, 1, 1}});
  mesh.tags = {0, 0, 3, 3, 3, 8};
  mesh.tag_names = {{3, "rubber"}};
  mesh.vertex_sets = {{"grip", {1, 4}}};
  EXPECT_EQ(tets_with_tag(mesh, "rubber"), (std::vector{2, 3, 4}));
  EXPECT_EQ(tets_with_tag(mesh, "8"), (std::vector{5}));
  EXPECT_TRUE(tets_with_tag(mesh, "steel").empty());
  EXPECT_EQ(vertices_with_tag(mesh, "grip"), (std::vector{1, 4}));
  EXPECT_EQ(vertices_with_tag(mesh, "8").size(), 4u);
  EXPECT_EQ(selectable_tags(mesh), (std::vector<std::string>{"0", "rubber", "8", "grip"}));
}

}  // namespace
}  // namespace phiflex

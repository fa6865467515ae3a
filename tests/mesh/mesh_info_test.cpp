#include "phiflex/mesh/mesh_info.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/hanging_vertices.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/vec3.h"
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

TEST(HangingVertices, AreThoseThatComparingAllOfThemFinds) {
  // Corners on a coarse lattice, so that many lie inside edges, and some at one place.
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    std::vector<Point3> points(30);
    for (Point3& p : points)
      for (double& x : p) x = 0.1 * double(random() % 5);
    std::vector<std::array<int, 3>> triangles(12);
    for (auto& triangle : triangles)
      for (int& v : triangle) v = int(random() % points.size());
    std::vector<char> used(points.size(), 0), hangs(points.size(), 0);
    for (const auto& triangle : triangles)
      for (const int v : triangle) used[v] = 1;
    for (const auto& triangle : triangles)
      for (int k = 0; k < 3; ++k)
        for (std::size_t v = 0; v < points.size(); ++v) {
          const Point3 edge = points[triangle[(k + 1) % 3]] - points[triangle[k]],
                       to = points[v] - points[triangle[k]];
          const double s = dot(to, edge) / dot(edge, edge);
          if (used[v] && s > 1e-9 && s < 1 - 1e-9 && norm(to - s * edge) <= 1e-9 * norm(edge)) hangs[v] = 1;
        }
    EXPECT_EQ(find_hanging_vertices(points, triangles).count,
              std::size_t(std::count(hangs.begin(), hangs.end(), 1)));
  }
}

// A fan of n long edges on a circle, n tetrahedra on four common points, n edges within one another.
TEST(HangingVertices, AreFoundAtLittleMoreThanTheCostOfTheTriangles) {
  struct Surface {
    std::vector<Point3> points;
    std::vector<std::array<int, 3>> triangles;
  };
  const auto fan = [](int n) {
    Surface made;
    for (int i = 0; i < n; ++i) made.points.push_back({std::cos(6.0 * i / n), std::sin(6.0 * i / n), 0});
    for (int i = 1; i + 1 < n; ++i) made.triangles.push_back({0, i, i + 1});
    return made;
  };
  const auto heap = [](int n) {
    Surface made;
    for (int i = 0; i < n; ++i) {
      made.points.insert(made.points.end(), {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
      const int a = 4 * i;
      made.triangles.insert(made.triangles.end(),
                            {{a, a + 2, a + 1}, {a, a + 1, a + 3}, {a + 1, a + 2, a + 3}});
    }
    return made;
  };
  const auto line = [](int n) {
    Surface made;
    for (int i = 0; i < n; ++i) made.points.push_back({double(i), 0, 0});
    for (int i = 1; i + 1 < n; ++i) made.triangles.push_back({0, i, i + 1});
    return made;
  };
  const auto cost = [](const Surface& of) {
    return find_hanging_vertices(of.points, of.triangles).looked_at;
  };
  EXPECT_LE(cost(fan(8000)), 3 * cost(fan(4000)));
  EXPECT_LE(cost(heap(8000)), 3 * cost(heap(4000)));
  EXPECT_LE(cost(line(8000)), 3 * cost(line(4000)));
  for (const std::size_t each : {cost(fan(8000)), cost(heap(8000)), cost(line(8000))})
    EXPECT_LE(each, 8000u * 200);
  const Surface of_line = line(1000);
  EXPECT_EQ(find_hanging_vertices(of_line.points, of_line.triangles).count, 998u);
}

TEST(MeshInfo, TheTextHasALineForEveryEntry) {
  TetMesh mesh = one_tet();
  mesh.notes = {"something to know"};
  const std::string text = describe(mesh_info(mesh));
  for (const auto& [name, value] : info_entries(mesh_info(mesh)))
    EXPECT_NE(text.find(name == "notes" ? "note: something to know" : name), std::string::npos) << name;
}

TEST(MeshInfo, NamesGroupsAndFieldsAndAsksForTheUnitOfALongMesh) {
  TetMesh mesh = one_tet();
  mesh.tags = {7};
  mesh.tag_names[7] = "skin";
  mesh.vertex_sets["top"] = {0};
  mesh.element_fields["stiffness"] = {1.0};
  MeshInfo info = mesh_info(mesh);
  EXPECT_NE(std::find(info.groups.begin(), info.groups.end(), "skin"), info.groups.end());
  EXPECT_NE(std::find(info.groups.begin(), info.groups.end(), "top"), info.groups.end());
  EXPECT_EQ(info.fields, std::vector<std::string>{"stiffness"});
  EXPECT_EQ(unit_question(info), "");
  for (Point3& vertex : mesh.vertices)
    for (double& x : vertex) x *= 100;
  EXPECT_NE(unit_question(mesh_info(mesh)).find("is it in millimetres?"), std::string::npos);
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

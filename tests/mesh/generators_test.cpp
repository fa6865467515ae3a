// The generated meshes have the shape, the counts and the quality they promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_info.h"
#include "phiflex/mesh/vec3.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

const double kPi = std::acos(-1.0);

// What every generator promises: accepted without a warning, one piece, a closed surface (of genus 0 unless said).
void expect_sound(const TetMesh& mesh, long genus = 0) {
  const MeshInfo info = mesh_info(mesh);
  EXPECT_TRUE(check_for_simulation(mesh, "generated").empty());
  EXPECT_EQ(info.components, 1u);
  EXPECT_EQ(info.crowded_faces, 0u);
  EXPECT_TRUE(info.surface.closed());
  EXPECT_EQ(info.surface.nonmanifold_vertices, 0u);
  EXPECT_EQ(info.surface.inconsistent_edges, 0u);
  if (genus < 0) return;
  // V - E + F = 2 - 2 genus over the surface, where 3 F = 2 E.
  std::vector<char> on_surface(mesh.vertices.size(), 0);
  for (const auto& triangle : boundary_triangles(mesh))
    for (const int v : triangle) on_surface[v] = 1;
  EXPECT_EQ(2 * std::count(on_surface.begin(), on_surface.end(), 1) - static_cast<long>(info.triangles),
            4 - 4 * genus);
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
  ASSERT_GE(generator_catalogue().size(), 16u);
  for (const Generator& generator : generator_catalogue()) {
    SCOPED_TRACE(generator.name);
    EXPECT_FALSE(generator.summary.empty());
    EXPECT_EQ(find_generator(generator.name), &generator);
    for (const GeneratorParameter& parameter : generator.parameters) {
      EXPECT_FALSE(std::string(parameter.doc).empty());
      for (const double value : parameter.fallback) EXPECT_EQ(value_fault(parameter, value), "");
    }
    const AnyMesh made = generate_any_mesh(generator.name, {});
    const auto* flat = std::get_if<SurfaceMesh>(&made);
    ASSERT_EQ(flat != nullptr, generator.flat);
    // A lattice makes about as many as it says.
    const double elements =
        double(flat ? flat->triangles.size() : std::get<TetMesh>(made).tets.size()) / generator.count({});
    EXPECT_GT(elements, 0.5);
    EXPECT_LT(elements, 1.3);
    if (flat) continue;
    expect_sound(std::get<TetMesh>(made), generator.handles ? -1 : 0);
  }
}

TEST(Generators, EveryParameterOfEveryEntryIsRefusedOutOfItsRange) {
  for (const Generator& generator : generator_catalogue())
    for (const GeneratorParameter& parameter : generator.parameters) {
      SCOPED_TRACE(generator.name + " " + parameter.key);
      const auto refused = [&](double value) {
        const GeneratorArguments arguments = {
            {parameter.key, std::vector<double>(parameter.fallback.size(), value)}};
        EXPECT_REFUSAL(generate_any_mesh(generator.name, arguments), parameter.key);
      };
      refused(-1);
      refused(NAN);
      refused(INFINITY);
      if (parameter.whole) refused(2.5);
      if (!parameter.range.contains(0)) refused(0);
      const std::size_t more = parameter.fallback.size() + 1;
      EXPECT_REFUSAL(generate_any_mesh(generator.name,
                                       {{parameter.key, std::vector<double>(more, parameter.fallback[0])}}),
                     "numbers given");
    }
}

TEST(Generators, TheOtherKindOfMeshIsRefused) {
  EXPECT_REFUSAL(generate_mesh("rectangle", {}), "the mesh is flat; expected tetrahedra");
  EXPECT_REFUSAL(generate_triangles("box", {}), "the mesh has tetrahedra");
  EXPECT_EQ(generate_triangles("rectangle", {{"cells", {3, 2}}}).triangles.size(), 12u);
}

// The smallest angle between two faces of a tetrahedron, in degrees.
double smallest_dihedral_angle(const TetMesh& mesh) {
  double least = 180;
  for (const auto& tet : mesh.tets) {
    std::array<Point3, 4> outward{};  // unit normals of the face opposite to each corner
    for (int i = 0; i < 4; ++i) {
      const Point3 &a = mesh.vertices[tet[(i + 1) % 4]], &b = mesh.vertices[tet[(i + 2) % 4]],
                   &c = mesh.vertices[tet[(i + 3) % 4]];
      const Point3 n = cross(b - a, c - a);
      outward[i] = ((dot(n, mesh.vertices[tet[i]] - a) > 0 ? -1 : 1) / norm(n)) * n;
    }
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j)
        least =
            std::min(least, 180 - std::acos(std::clamp(dot(outward[i], outward[j]), -1.0, 1.0)) * 180 / kPi);
  }
  return least;
}

// Counts of Table 1 of SIERE (Chen and others 2020), of Table 3.1 of EigenFit (Chen 2019), and the elements of Table 1
// of Zheng and others (2017).
struct PrintedSize {
  const char* name;
  double tets;
};
class StandIns : public testing::TestWithParam<PrintedSize> {};
TEST_P(StandIns, HaveThePapersNumberOfTetrahedraWithinAFifthAndGoodShape) {
  const TetMesh mesh = generate_mesh(GetParam().name, {});
  EXPECT_NEAR(static_cast<double>(mesh.tets.size()) / GetParam().tets, 1, 0.2) << mesh.tets.size();
  EXPECT_GT(smallest_dihedral_angle(mesh), 10);
  EXPECT_GT(mesh_info(mesh).min_quality, 0.3);
}
INSTANTIATE_TEST_SUITE_P(Generators, StandIns,
                         testing::Values(PrintedSize{"helix", 47279}, PrintedSize{"honeycomb", 9850},
                                         PrintedSize{"moebius", 16857}, PrintedSize{"tower", 69271},
                                         PrintedSize{"tree", 79217}, PrintedSize{"bridge", 99455},
                                         PrintedSize{"body", 189021}, PrintedSize{"arm", 19378},
                                         PrintedSize{"kidney", 433}, PrintedSize{"spheroid", 5607}),
                         [](const auto& size) { return std::string(size.param.name); });

class Figures : public testing::TestWithParam<const char*> {};
TEST_P(Figures, StaySoundAndOfGoodShapeOnCoarserAndFinerLattices) {
  const Generator* figure = find_generator(GetParam());
  ASSERT_NE(figure, nullptr);
  const double size = 2 * figure->parameters[0].fallback[0], usual_cells = figure->parameters[1].fallback[0];
  for (const double factor : {0.3, 0.6, 1.05}) {
    const int cells = std::max(3, static_cast<int>(factor * usual_cells));
    SCOPED_TRACE(cells);
    const TetMesh mesh = generate_mesh(GetParam(), {{"size", {size}}, {"cells", {double(cells)}}});
    expect_sound(mesh, -1);
    EXPECT_GT(smallest_dihedral_angle(mesh), 8);
    // Nothing has fallen off: what is thin is thickened, so the body is as long as it should be.
    const MeshInfo info = mesh_info(mesh);
    double greatest = 0;
    for (int i = 0; i < 3; ++i) greatest = std::max(greatest, info.high[i] - info.low[i]);
    EXPECT_NEAR(greatest / size, 1, 0.12);
  }
}
INSTANTIATE_TEST_SUITE_P(Generators, Figures,
                         testing::Values("tree", "tower", "bridge", "moebius", "body", "arm", "kidney",
                                         "cow"));

TEST(Generators, ALatticeFillsABallToSecondOrder) {
  const auto miss = [](int cells) {
    const TetMesh mesh = generate_spheroid({{1, 1, 1}, cells});
    return std::abs(4 * kPi / 3 - mesh_info(mesh).volume);
  };
  EXPECT_LT(miss(32), 0.3 * miss(16));  // 1/4, but for where the lattice happens to lie
  EXPECT_LT(miss(32) / (4 * kPi / 3), 0.01);
}

TEST(Generators, TheFootOfATowerIsPlane) {
  int on_ground = 0;
  const TetMesh mesh = generate_mesh("tower", {{"size", {45}}, {"cells", {40}}});
  for (const Point3& x : mesh.vertices) {
    EXPECT_GE(x[2], 0);
    on_ground += x[2] == 0;
  }
  EXPECT_GE(on_ground, 16);  // of four feet
}

TEST(Generators, ABodysInnerVerticesAreAPartOfItAndNotOnTheSkin) {
  const TetMesh mesh = generate_mesh("body", {{"size", {1.8}}, {"cells", {60}}});
  const std::vector<int> inner = vertices_with_tag(mesh, "inner");
  EXPECT_GT(inner.size(), mesh.vertices.size() / 12);
  EXPECT_LT(inner.size(), mesh.vertices.size() / 3);
  std::set<int> skin;
  for (const auto& triangle : boundary_triangles(mesh)) skin.insert(triangle.begin(), triangle.end());
  std::size_t both = 0;
  for (const int v : inner) both += skin.contains(v);
  EXPECT_LT(static_cast<double>(both), 0.02 * static_cast<double>(inner.size()));  // under the soles
}

TEST(Generators, AHelixHasTheLengthAndVolumeOfItsRope) {
  const HelixShape shape;
  const TetMesh mesh = generate_helix(shape);
  expect_sound(mesh);
  const double angle = 2 * kPi * shape.turns;
  const double length = std::hypot(shape.coil_radius * angle, shape.height);
  // A 12-sided rope: area 6 r^2 sin(2 pi / 12); the volume is area times the axis's length (Pappus).
  EXPECT_NEAR(
      mesh_info(mesh).volume / (length * 6 * shape.rope_radius * shape.rope_radius * std::sin(kPi / 6)), 1,
      1e-3);
  EXPECT_NEAR(mesh.vertices[0][0], shape.coil_radius, 1e-12);
  EXPECT_REFUSAL(generate_mesh("helix", {{"height", {50}}}), "further apart");
}

TEST(Generators, AHoneycombHasOneHolePerCellAndItsWallsVolume) {
  const HoneycombShape shape{{4, 3}, 2, 0.5, 1, 3, 2};
  const TetMesh mesh = generate_honeycomb(shape);
  expect_sound(mesh, 12);
  EXPECT_EQ(mesh.tets.size(), 36u * 12 * 3 * 2);
  // A cell's outline less its hole: hexagons whose inner radii differ by half a wall.
  const double inner_radius = std::sqrt(3.0) / 2 * shape.side;
  const auto hexagon = [](double r) { return 2 * std::sqrt(3.0) * r * r; };
  EXPECT_NEAR(mesh_info(mesh).volume, 12 * (hexagon(inner_radius) - hexagon(inner_radius - 0.25)), 1e-12);
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
  EXPECT_NE(text.find("scene.json: size: is -2; expected a number > 0 in m"), std::string::npos) << text;
  EXPECT_NE(text.find("size: is nan"), std::string::npos) << text;
  EXPECT_NE(text.find("cells: 2 numbers given; 3 needed"), std::string::npos) << text;
  EXPECT_NE(text.find("sells: box has no such parameter; allowed: size, cells"), std::string::npos) << text;
  EXPECT_REFUSAL(generate_mesh("boks", {}), "'boks' is no generator; allowed: box, ball, cylinder, helix");
  EXPECT_REFUSAL(generate_mesh("box", {{"cells", {1.5, 1, 1}}}), "is 1.5; expected a whole number >= 1");
  EXPECT_REFUSAL(generate_mesh("box", {{"cells", {1e6, 1e6, 1}}}), "would make 6e+12 tetrahedra");
  EXPECT_REFUSAL(generate_mesh("ball", {{"shell", {1}}}),
                 "shell: 1 m is not thinner than the ball; expected less than its radius, 1 m");
}

}  // namespace
}  // namespace phiflex

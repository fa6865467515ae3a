// Every file of the collection is read with the counts its README states.
#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_info.h"
#include "phiflex/mesh/mesh_io.h"
#include "tests/mesh/mesh_collection.h"

namespace phiflex {
namespace {

// As the README prints them: 0 where it gives no number. (It calls tree_tet_79k closed; two of its boundary
// edges have four faces.)
struct TetFacts {
  const char* file;
  std::size_t vertices, tets;
  double min_volume, min_quality, mean_quality;
  std::size_t boundary_faces;
  std::size_t nonmanifold_edges;
};
constexpr TetFacts kTetMeshes[] = {
    {"bunny_tet.msh", 4670, 19379, 9.24e-07, 0.0259, 0.69, 6266, 0},
    {"armadillo_tet_54k.mesh", 13513, 54233, 1.12e-08, 0.376, 0.82, 15654, 0},
    {"armadillo_tet_13k.mesh", 3725, 13371, 5.35e-09, 0.377, 0.8, 5202, 0},
    {"armadillo_tet_5k.mesh", 1475, 4902, 5.23e-09, 0.379, 0.81, 2206, 0},
    {"armadillo_tet_2k.mesh", 664, 2315, 9.23e-06, 0.432, 0.8, 892, 0},
    {"armadillo_tet_121k.vtk", 27951, 121190, 0.00158, 0.0274, 0.71, 34592, 0},
    {"armadillo_tet_9k.vtk", 2542, 9199, 0.592, 0.0795, 0.68, 4000, 0},
    {"skater_tet_29k.mesh", 7463, 29471, 2.11e-08, 0.377, 0.83, 8930, 0},
    {"skater_tet_10k.mesh", 2798, 9584, 1.99e-07, 0.376, 0.8, 4172, 0},
    {"skater_tet_2k.mesh", 669, 2003, 2.35e-06, 0.363, 0.81, 1082, 0},
    {"eiffel_tet_69k.mesh", 16027, 69271, 0.00107, 0.324, 0.86, 16248, 0},
    {"eiffel_tet_14k.ele", 3924, 13541, 0.00179, 0.344, 0.8, 6092, 0},
    {"tree_tet_59k.mesh", 16901, 59159, 0.0015, 0.33, 0.81, 24302, 0},
    {"archbridge_tet.mesh", 6457, 31164, 0.00126, 0.501, 0.86, 4312, 0},
    {"honeycomb_tet.mesh", 3642, 9850, 0.148, 0.343, 0.69, 7364, 0},
    {"moebius_tet.mesh", 5829, 16857, 0.00821, 0.392, 0.78, 10742, 0},
    {"ball_tet_5k.mesh", 1018, 4637, 0, 0, 0, 0, 0},
    {"cuboid_tet_5k.ele", 1245, 4624, 2.91e-08, 0, 0, 0, 0},
    {"rope_coil_tet_47k.ele", 12791, 47279, 0.242, 0, 0, 0, 0},
    {"tree_tet_79k.ele", 24533, 79217, 5.83e-05, 0, 0, 0, 2},
    {"bar_tet_73k.mesh", 14023, 72989, 3.2e-07, 0, 0, 0, 0},
    {"bar_tet_5k.mesh", 1282, 5020, 2.21e-08, 0, 0, 0, 0},
    {"arm_tet_19k.ele", 5124, 19378, 1.05e-08, 0, 0, 0, 0},
    {"arm_tet_9k.ele", 2600, 8948, 3.87e-08, 0, 0, 0, 0},
    {"skater_tet_42k.ele", 10723, 42161, 3.83e-09, 0, 0, 0, 0},
    {"asian_dragon_tet.veg", 959, 2591, 0.000941, 0.168, 0.65, 1854, 0},
    {"turtle_heterogeneous_tet.veg", 347, 1185, 0.00563, 0.269, 0.8, 530, 0},
    {"beam_tet.veg", 208, 450, 1.07e-05, 0.687, 0.76, 412, 0},
    {"torus_tet.vtk", 1036, 4436, 2.79e-05, 0.359, 0.84, 1002, 0},
    {"shark_tet_ascii.msh", 425, 1070, 3.08e-11, 0.301, 0.58, 786, 1},
    {"shark_tet_binary.msh", 429, 1073, 4.75e-11, 0.3, 0.58, 792, 1},
    {"sphere_quadratic_tet_binary41.msh", 1256, 683, 0.000247, 0.428, 0.79, 320, 0},
};

struct SurfaceFacts {
  const char* file;
  std::size_t vertices, triangles, border_edges, nonmanifold_edges, components;
  long euler_number;
};
constexpr SurfaceFacts kSurfaces[] = {
    {"bunny_surface.obj", 3301, 6598, 0, 0, 1, 2},
    {"armadillo_surface.obj", 14587, 29170, 0, 0, 1, 2},
    {"asian_dragon_surface.ply", 25002, 50000, 0, 1, 1, 3},
    {"human_body_surface.obj", 6890, 13776, 0, 0, 1, 2},
    {"hand_surface.obj", 7993, 15982, 0, 0, 1, 2},
    {"spot_cow_surface.obj", 829, 1654, 0, 0, 1, 2},
    {"kidney_surface.stl", 6199, 12394, 0, 0, 1, 2},
    {"lung_lobe_surface.ply", 22132, 44288, 0, 0, 1, -12},
    {"brain_cortex_surface.off", 5124, 10240, 0, 0, 2, 4},
    {"skirt_cloth.obj", 8121, 15858, 384, 0, 1, 0},
    {"tshirt_cloth.obj", 2180, 4265, 101, 0, 1, -3},
};

std::string test_name(const std::string& file) {
  std::string name = file;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

class TetCollection : public testing::TestWithParam<TetFacts> {};

TEST_P(TetCollection, IsReadWithTheCountsOfItsReadmeAndAcceptedForSimulation) {
  REQUIRE_MESH_COLLECTION();
  const TetFacts& facts = GetParam();
  const TetMesh mesh = read_tet_mesh(mesh_collection() / facts.file);
  const MeshInfo info = mesh_info(mesh);
  EXPECT_EQ(info.vertices, facts.vertices);
  EXPECT_EQ(info.tets, facts.tets);
  EXPECT_EQ(info.inverted, 0u);
  EXPECT_EQ(info.zero_volume, 0u);
  EXPECT_EQ(info.components, 1u);
  EXPECT_EQ(info.duplicate_vertices, 0u);
  EXPECT_EQ(info.duplicate_elements, 0u);
  EXPECT_GT(info.volume, 0);
  // The README rounds to three digits (two for the mean): half a unit of the last one.
  if (facts.min_volume > 0) {
    EXPECT_NEAR(info.min_volume / facts.min_volume, 1, 0.005);
  }
  if (facts.min_quality > 0) {
    EXPECT_NEAR(info.min_quality / facts.min_quality, 1, 0.005);
  }
  if (facts.mean_quality > 0) {
    EXPECT_NEAR(info.mean_quality, facts.mean_quality, 0.00501);
  }
  if (facts.boundary_faces > 0) {
    EXPECT_EQ(info.triangles, facts.boundary_faces);
  }
  EXPECT_EQ(info.surface.border_edges, 0u);
  EXPECT_EQ(info.surface.nonmanifold_edges, facts.nonmanifold_edges);
  EXPECT_NO_THROW(check_for_simulation(mesh, facts.file));
}

INSTANTIATE_TEST_SUITE_P(Mesh, TetCollection, testing::ValuesIn(kTetMeshes),
                         [](const auto& test) { return test_name(test.param.file); });

class SurfaceCollection : public testing::TestWithParam<SurfaceFacts> {};

TEST_P(SurfaceCollection, IsReadWithTheCountsOfItsReadme) {
  REQUIRE_MESH_COLLECTION();
  const SurfaceFacts& facts = GetParam();
  const SurfaceMesh mesh = read_surface_mesh(mesh_collection() / facts.file);
  const MeshInfo info = mesh_info(mesh);
  EXPECT_EQ(info.vertices, facts.vertices);
  EXPECT_EQ(info.triangles, facts.triangles);
  EXPECT_EQ(info.surface.border_edges, facts.border_edges);
  EXPECT_EQ(info.surface.nonmanifold_edges, facts.nonmanifold_edges);
  EXPECT_EQ(info.components, facts.components);
  EXPECT_EQ(info.euler_number, facts.euler_number);
  EXPECT_EQ(info.unused_vertices, 0u);
  EXPECT_EQ(info.duplicate_vertices, 0u);
  EXPECT_EQ(info.zero_area, 0u);
}

INSTANTIATE_TEST_SUITE_P(Mesh, SurfaceCollection, testing::ValuesIn(kSurfaces),
                         [](const auto& test) { return test_name(test.param.file); });

TEST(MeshCollection, HairStrandsOfTfxAndObjAreTheSameSegments) {
  REQUIRE_MESH_COLLECTION();
  const SurfaceMesh tfx = read_surface_mesh(mesh_collection() / "hair_sintel.tfx");
  const SurfaceMesh obj = read_surface_mesh(mesh_collection() / "hair_sintel_strands.obj");
  ASSERT_EQ(tfx.vertices.size(), 228u * 32);
  ASSERT_EQ(obj.vertices.size(), tfx.vertices.size());
  EXPECT_EQ(tfx.edges.size(), 228u * 31);
  EXPECT_EQ(tfx.edges, obj.edges);
  for (std::size_t v = 0; v < tfx.vertices.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k)
      // The OBJ has seven significant digits of numbers below 100.
      EXPECT_NEAR(tfx.vertices[v][k], obj.vertices[v][k], 1e-5);
  const SurfaceMesh mohawk = read_surface_mesh(mesh_collection() / "hair_mohawk.tfx");
  EXPECT_EQ(mohawk.vertices.size(), 2228u * 32);
  EXPECT_EQ(mohawk.edges.size(), 2228u * 31);
}

TEST(MeshCollection, QuadraticTetrahedraAreReadByTheirCornersAndSaySo) {
  REQUIRE_MESH_COLLECTION();
  const TetMesh mesh = read_tet_mesh(mesh_collection() / "sphere_quadratic_tet_binary41.msh");
  const MeshInfo info = mesh_info(mesh);
  EXPECT_GT(info.unused_vertices, 0u);
  ASSERT_EQ(mesh.notes.size(), 1u);
  EXPECT_NE(mesh.notes[0].find("683 quadratic tetrahedra"), std::string::npos) << mesh.notes[0];
  EXPECT_NE(mesh.notes[0].find("uses their corners"), std::string::npos) << mesh.notes[0];
  const std::vector<std::string> warnings = check_for_simulation(mesh, "ball");
  EXPECT_EQ(warnings[0], mesh.notes[0]);
}

TEST(MeshCollection, ElementDataOfAGmshFileBecomesAnElementField) {
  REQUIRE_MESH_COLLECTION();
  for (const char* file : {"shark_tet_ascii.msh", "shark_tet_binary.msh"}) {
    const TetMesh mesh = read_tet_mesh(mesh_collection() / file);
    ASSERT_EQ(mesh.element_fields.count("color"), 1u) << file;
    EXPECT_EQ(mesh.element_fields.at("color").size(), mesh.tets.size());
  }
  EXPECT_EQ(read_tet_mesh(mesh_collection() / "shark_tet_ascii.msh").element_fields.at("color")[0], 3.91738);
}

TEST(MeshCollection, AVegaRegionBecomesATagAndItsMaterialElementFields) {
  REQUIRE_MESH_COLLECTION();
  const TetMesh beam = read_tet_mesh(mesh_collection() / "beam_tet.veg");
  EXPECT_EQ(tets_with_tag(beam, "allElements").size(), 450u);
  EXPECT_EQ(beam.element_fields.at("young")[7], 1e7);
  EXPECT_EQ(beam.element_fields.at("poisson")[7], 0.45);
  EXPECT_EQ(beam.element_fields.at("density")[7], 1000);
}

TEST(MeshCollection, AVegaMeshWhoseIncludedSetsAreMissingIsReadAndSaysWhichAreEmpty) {
  REQUIRE_MESH_COLLECTION();
  const TetMesh turtle = read_tet_mesh(mesh_collection() / "turtle_heterogeneous_tet.veg");
  std::string notes;
  for (const std::string& note : turtle.notes) notes += note + "\n";
  EXPECT_NE(notes.find("'shellElementList.txt' is missing"), std::string::npos) << notes;
  EXPECT_NE(notes.find("region 'backshell' is empty"), std::string::npos) << notes;
  EXPECT_TRUE(turtle.tags.empty());
}

}  // namespace
}  // namespace phiflex

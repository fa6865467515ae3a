// Bad input from the collection's nasty/ folder: refused with the right reason, or
// accepted with the right warning.
#include <gtest/gtest.h>

#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_info.h"
#include "phiflex/mesh/mesh_io.h"
#include "tests/mesh/mesh_collection.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

std::filesystem::path nasty(const std::string& file) {
  return mesh_collection() / "nasty" / file;
}

struct Expected {
  const char* file;
  const char* words;  // in the error or the warnings
};

void expect_words(const Expected& expected, const std::string& text) {
  EXPECT_NE(text.find(expected.words), std::string::npos)
      << expected.file << ": expected '" << expected.words << "' in '" << text << "'";
}

TEST(NastyMesh, FilesThatCannotBeReadAreRefusedWithPlaceAndReason) {
  REQUIRE_MESH_COLLECTION();
  constexpr Expected kRefused[] = {
      {"empty_file.mesh", "line 1: the file is empty"},
      {"count_huge.mesh", "line 15: number of tetrahedra is 4000000000"},
      {"count_negative.mesh", "line 15: number of tetrahedra is -6; it must not be negative"},
      {"count_too_large.mesh", "line 15: number of tetrahedra is 9, but only"},
      {"count_too_small.mesh", "line 20: '1' found where a keyword"},
      {"truncated.mesh", "line 5: number of vertices is 8, but only 58 bytes follow"},
      {"index_zero.mesh", "line 21: a vertex index is 0; allowed: 1 to 8"},
      {"index_negative.mesh", "line 21: a vertex index is -4; allowed: 1 to 8"},
      {"index_too_large.mesh", "line 21: a vertex index is 99; allowed: 1 to 8"},
      {"nan_inf.mesh", "line 6: a coordinate is nan; it must be finite"},
      {"nan_inf.mesh", "line 13: a coordinate is inf; it must be finite"},
      {"not_a_number.mesh", "line 6: 'zero' is not a number"},
      {"surface_index_out_of_range.obj", "line 9: a vertex index is 7; allowed: 1 to 4"},
      {"strand_single_point.obj", "line 3: a polyline has 1 point; it needs at least 2"},
      {"real_malformed_cube_22_ascii_missing_element.msh", "line 46: '$EndElements' is not a whole number"},
      {"real_malformed_cube_22_ascii_missing_node.msh", "line 19: '$EndNodes' is not a whole number"},
      {"real_malformed_cube_22_ascii_missing_num_nodes.msh", "line 5: '-0.5' is not a whole number"},
      {"real_malformed_cube_41_ascii_mismatch_between_max_nodes_and_nodes_in_block.msh",
       "node tags are promised from 1 to 100, but they go from 1 to 14"},
      {"real_malformed_cube_41_ascii_missing_element_header.msh",
       "an entity's dimension is 11; allowed: 0 to 3"},
      {"real_malformed_cube_41_ascii_missing_node_index.msh",
       "'-0.5' is not a whole number; a node tag is expected"},
      {"real_armadillo_broken.vtu", "NumberOfCells is 4407"},
  };
  for (const Expected& expected : kRefused) {
    const std::string reason = refusal([&] { read_mesh(nasty(expected.file)); });
    expect_words(expected, reason);
    EXPECT_NE(reason.find(expected.file), std::string::npos) << reason;  // names the file
  }
}

TEST(NastyMesh, BodiesThatCannotBeSimulatedAreRefusedWithCountAndFirstFew) {
  REQUIRE_MESH_COLLECTION();
  constexpr Expected kRefused[] = {
      {"empty_counts.mesh", "there are no tetrahedra"},
      {"no_tets.mesh", "there are no tetrahedra"},
      {"inverted_one_tet.mesh", "1 of 6 (it is: 0 with -0.167) have negative volume"},
      {"inverted_all_tets.mesh", "6 of 6 (the first: 0 with -0.167, 1 with"},
      {"flat_tet.mesh", "1 of 7 (it is: 6 with 0) have zero volume"},
      {"coincident_vertices_tet.mesh", "1 of 1 (it is: 0 with 0) have zero volume"},
      {"repeated_index.mesh", "1 of 6 (it is: 5 with 0) have zero volume"},
      {"real_microstructure_8_inverted.msh", "8 of 6414"},
      {"real_6_tetra_bad.msh", "1 of 6"},
      {"real_one_negative_tetrahedron.vtk", "1 of 1"},
  };
  for (const Expected& expected : kRefused) {
    const TetMesh mesh = read_tet_mesh(nasty(expected.file));
    expect_words(expected, refusal([&] { check_for_simulation(mesh, expected.file); }));
  }
}

TEST(NastyMesh, OddButUsableBodiesAreAcceptedWithAWarningThatCounts) {
  REQUIRE_MESH_COLLECTION();
  constexpr Expected kAccepted[] = {
      {"disconnected.mesh", "falls into 2 separate pieces"},
      {"needle_tet.mesh", "1 tetrahedra have a quality below 0.05"},
      {"sliver_tet.mesh", "1 tetrahedra have a quality below 0.05"},
      {"nonmanifold_edge.mesh", "1 edges of the surface have more than two triangles"},
      {"nonmanifold_vertex.mesh", "1 vertices join parts of the surface"},
      {"face_shared_by_three.mesh", "1 faces belong to three or more tetrahedra"},
      {"hanging_node.mesh", "1 vertices lie inside an edge"},
      {"duplicate_vertices.mesh", "4 vertices lie exactly on an earlier one"},
      {"duplicate_tets.mesh", "2 tetrahedra have the same corners"},
      {"isolated_vertices.mesh", "3 vertices are used by no tetrahedron"},
      {"real_screw_slivers.msh", "343 tetrahedra have a quality below 0.05"},
      {"real_ball_mixed_index_base.node",
       "counts from 1, the indices in the .ele file only fit a count from 0"},
      {"real_ball_mixed_index_base.ele",
       "counts from 1, the indices in the .ele file only fit a count from 0"},
  };
  for (const Expected& expected : kAccepted) {
    std::string warnings;
    for (const std::string& warning :
         check_for_simulation(read_tet_mesh(nasty(expected.file)), expected.file))
      warnings += warning + "\n";
    expect_words(expected, warnings);
  }
}

TEST(NastyMesh, ValidControlsAreAcceptedWithoutAWarning) {
  REQUIRE_MESH_COLLECTION();
  for (const char* file : {"cube_good.mesh", "crlf_cube.mesh", "tiny_scale.mesh", "huge_offset.mesh"}) {
    const TetMesh mesh = read_tet_mesh(nasty(file));
    EXPECT_EQ(mesh.tets.size(), 6u) << file;
    EXPECT_TRUE(check_for_simulation(mesh, file).empty()) << file;
  }
  EXPECT_NEAR(mesh_info(read_tet_mesh(nasty("crlf_cube.mesh"))).volume, 1, 1e-15);
}

TEST(NastyMesh, TheMixedIndexBaseIsMendedSoThatNoTetrahedronIsInverted) {
  REQUIRE_MESH_COLLECTION();
  const MeshInfo info = mesh_info(read_tet_mesh(nasty("real_ball_mixed_index_base.node")));
  EXPECT_EQ(info.tets, 4637u);
  EXPECT_EQ(info.inverted, 0u);
}

MeshInfo surface_info(const char* file) {
  return mesh_info(read_surface_mesh(nasty(file)));
}

TEST(NastyMesh, ValidObjControlsAreOneClosedTetrahedron) {
  REQUIRE_MESH_COLLECTION();
  for (const char* file :
       {"surface_good_tetra.obj", "surface_relative_indices.obj", "surface_vt_vn_slashes.obj"}) {
    const MeshInfo info = surface_info(file);
    EXPECT_EQ(info.triangles, 4u) << file;
    EXPECT_TRUE(info.surface.closed()) << file;
    EXPECT_NEAR(info.volume, 1.0 / 6, 1e-15) << file;
  }
  // A unit square and a triangle of height 1/2 on it.
  EXPECT_EQ(surface_info("surface_quads_ngon.obj").triangles, 3u);
  EXPECT_NEAR(surface_info("surface_quads_ngon.obj").area, 1.25, 1e-15);
}

TEST(NastyMesh, DefectsOfSurfacesAreCounted) {
  REQUIRE_MESH_COLLECTION();
  EXPECT_EQ(surface_info("surface_flipped_face.obj").surface.inconsistent_edges, 3u);
  EXPECT_EQ(surface_info("real_malformed_face.obj").surface.inconsistent_edges, 3u);
  EXPECT_NEAR(surface_info("surface_inward.obj").volume, -1.0 / 6, 1e-15);
  EXPECT_EQ(surface_info("surface_zero_area.obj").zero_area, 1u);
  EXPECT_EQ(surface_info("surface_repeated_index.obj").zero_area, 1u);
  EXPECT_EQ(surface_info("surface_open.obj").surface.border_edges, 3u);
  EXPECT_EQ(surface_info("surface_nonmanifold_edge.obj").surface.nonmanifold_edges, 1u);
  EXPECT_EQ(surface_info("surface_bowtie_vertex.obj").surface.nonmanifold_vertices, 1u);
  EXPECT_EQ(surface_info("surface_duplicate_face.obj").duplicate_elements, 1u);
  EXPECT_EQ(surface_info("surface_isolated_vertex.obj").unused_vertices, 1u);
  EXPECT_EQ(surface_info("surface_self_intersecting.obj").components, 2u);
  EXPECT_EQ(surface_info("strand_zero_length_segment.obj").zero_length, 1u);
  EXPECT_EQ(surface_info("strand_fold_back.obj").duplicate_vertices, 2u);
  const MeshInfo dragon = surface_info("real_dragon_nonmanifold.ply");
  EXPECT_EQ(dragon.vertices, 5205u);
  EXPECT_EQ(dragon.triangles, 11102u);
  EXPECT_EQ(dragon.surface.nonmanifold_edges, 803u);
  EXPECT_EQ(dragon.unused_vertices, 2u);
  const MeshInfo turtle = surface_info("real_turtle_open_duplicates.obj");
  EXPECT_EQ(turtle.components, 9u);
  EXPECT_EQ(turtle.surface.border_edges, 256u);
  EXPECT_EQ(turtle.duplicate_vertices, 81u);
}

TEST(NastyMesh, EveryFileIsEitherReadOrRefused) {
  REQUIRE_MESH_COLLECTION();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(mesh_collection() / "nasty")) {
    try {
      mesh_info(read_mesh(entry.path()));
    } catch (const InputError& error) {
      EXPECT_STRNE(error.what(), "");
    }
    ++files;
  }
  EXPECT_GT(files, 60);
}

}  // namespace
}  // namespace phiflex

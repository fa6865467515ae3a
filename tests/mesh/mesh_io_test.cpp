// Files: what is written comes back, and what cannot be opened is said.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "phiflex/base/files.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_io.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

class MeshIo : public testing::Test {
 protected:
  MeshIo() : folder_(fs::path(testing::TempDir()) / ("mesh_io_" + std::to_string(::getpid()))) {
    fs::create_directory(folder_);
  }
  ~MeshIo() override { fs::remove_all(folder_); }
  fs::path file(const std::string& name) const { return folder_ / name; }

  fs::path folder_;
};

// Everything a mesh can carry, with numbers that need all their digits.
TetMesh rich_mesh() {
  TetMesh mesh = generate_ball({1.0 / 3, 2, 0.1});
  mesh.element_fields["young"] = std::vector<double>(mesh.tets.size(), 1e6 / 7);
  mesh.vertex_sets["left end"] = {0, 3, 5};
  mesh.vertex_sets["12"] = {1, 2};
  return mesh;
}

TEST_F(MeshIo, GmshFilesOfBothVersionsAndEncodingsKeepEverything) {
  const TetMesh mesh = rich_mesh();
  for (const auto version : {MshVersion::v2_2, MshVersion::v4_1}) {
    for (const auto encoding : {Encoding::text, Encoding::binary}) {
      write_mesh(file("a.msh"), mesh, {version, encoding});
      const TetMesh back = read_tet_mesh(file("a.msh"));
      EXPECT_EQ(back.vertices, mesh.vertices);
      EXPECT_EQ(back.tets, mesh.tets);
      EXPECT_EQ(back.tags, mesh.tags);
      EXPECT_EQ(back.tag_names, mesh.tag_names);
      EXPECT_EQ(back.element_fields, mesh.element_fields);
      EXPECT_EQ(back.vertex_sets, mesh.vertex_sets);
      EXPECT_TRUE(back.notes.empty());
    }
  }
}

TEST_F(MeshIo, VtuAndMeditFilesKeepNumbersTetrahedraAndRegions) {
  const TetMesh mesh = rich_mesh();
  for (const char* name : {"a.vtu", "a.mesh"}) {
    write_mesh(file(name), mesh);
    const TetMesh back = read_tet_mesh(file(name));
    EXPECT_EQ(back.vertices, mesh.vertices);
    EXPECT_EQ(back.tets, mesh.tets);
    EXPECT_EQ(back.tags, mesh.tags);
  }
  EXPECT_EQ(read_tet_mesh(file("a.vtu")).element_fields, mesh.element_fields);
}

TEST_F(MeshIo, EveryWrittenFormatKeepsASurfaceAndItsSegments) {
  SurfaceMesh surface = extract_surface(generate_ball({1.0 / 3, 2, 0}));
  surface.edges = {{0, 1}, {1, 2}, {4, 5}};
  for (const char* name : {"a.obj", "a.vtu", "a.mesh", "a.msh"}) {
    write_mesh(file(name), surface);
    const SurfaceMesh back = read_surface_mesh(file(name));
    EXPECT_EQ(back.vertices, surface.vertices) << name;
    EXPECT_EQ(back.triangles, surface.triangles) << name;
    EXPECT_EQ(back.edges, surface.edges) << name;
  }
}

TEST_F(MeshIo, AFormatThatCannotHoldTheMeshIsRefused) {
  EXPECT_REFUSAL(write_mesh(file("a.obj"), rich_mesh()), "cannot hold tetrahedra");
  EXPECT_REFUSAL(write_mesh(file("a.stl"), rich_mesh()), "allowed: .msh, .vtu, .mesh, .obj");
  EXPECT_FALSE(fs::exists(file("a.obj")));
}

TEST_F(MeshIo, AskingForTheOtherKindOfMeshSaysWhatTheFileHolds) {
  write_mesh(file("tets.mesh"), rich_mesh());
  write_mesh(file("surface.mesh"), extract_surface(rich_mesh()));
  EXPECT_REFUSAL(read_surface_mesh(file("tets.mesh")), "holds 160 tetrahedra");
  EXPECT_REFUSAL(read_tet_mesh(file("surface.mesh")), "holds a surface (80 triangles");
}

TEST_F(MeshIo, WhatCannotBeOpenedIsAFileError) {
  EXPECT_THROW(read_mesh(file("missing.msh")), FileError);
  EXPECT_THROW(read_mesh(file("missing.xyz")), FileError);
  EXPECT_THROW(read_mesh(folder_), FileError);
  fs::create_directory(file("folder.mesh"));
  EXPECT_THROW(read_mesh(file("folder.mesh")), FileError);
  write_file_atomically(file("alone.node"), "0 3 0 0\n");
  EXPECT_THROW(read_mesh(file("alone.node")), FileError);
  EXPECT_THROW(write_mesh(file("no/such/folder.mesh"), rich_mesh()), FileError);
}

TEST_F(MeshIo, AFileWithoutPermissionIsAFileError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
  write_mesh(file("secret.mesh"), rich_mesh());
  fs::permissions(file("secret.mesh"), fs::perms::none);
  EXPECT_THROW(read_mesh(file("secret.mesh")), FileError);
}

TEST_F(MeshIo, AnUnknownExtensionNamesTheKnownOnes) {
  write_file_atomically(file("a.xyz"), "1 2 3\n");
  EXPECT_REFUSAL(read_mesh(file("a.xyz")), "allowed: .msh, .vtk, .vtu, .mesh, .node, .ele, .veg, .obj, .ply");
}

TEST_F(MeshIo, AnExtensionMayBeInCapitals) {
  write_mesh(file("A.MESH"), rich_mesh());
  EXPECT_EQ(read_tet_mesh(file("A.MESH")).tets, rich_mesh().tets);
}

TEST_F(MeshIo, AVegaFileIncludesAFileBesideIt) {
  write_file_atomically(
      file("a.veg"), "*VERTICES\n4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n*ELEMENTS\n*INCLUDE b.txt\n");
  write_file_atomically(file("b.txt"), "TET\n1 4 0\n0 0 1 2 3\n");
  EXPECT_EQ(read_tet_mesh(file("a.veg")).tets.size(), 1u);
}

}  // namespace
}  // namespace phiflex

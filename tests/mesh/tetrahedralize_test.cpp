#include "phiflex/mesh/tetrahedralize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "phiflex/base/files.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_info.h"
#include "tests/mesh/refusal.h"

namespace phiflex {
namespace {

// Debian's package installs it; without it these tests have nothing to run.
#define REQUIRE_TETGEN() \
  if (std::system("command -v tetgen > /dev/null 2>&1") != 0) GTEST_SKIP() << "tetgen is not installed"

// The surface of a ball without the vertices inside it.
SurfaceMesh sphere(double radius, int resolution) {
  const SurfaceMesh all = extract_surface(generate_ball({radius, resolution, 0}));
  SurfaceMesh out;
  std::vector<int> number(all.vertices.size(), -1);
  for (auto triangle : all.triangles) {
    for (int& v : triangle) {
      if (number[v] < 0) {
        number[v] = static_cast<int>(out.vertices.size());
        out.vertices.push_back(all.vertices[v]);
      }
      v = number[v];
    }
    out.triangles.push_back(triangle);
  }
  return out;
}

TEST(Tetrahedralize, FillsAClosedSurfaceAndKeepsItsVertices) {
  REQUIRE_TETGEN();
  const SurfaceMesh surface = sphere(1, 4);
  const TetMesh mesh = tetrahedralize(surface, "sphere.obj");
  EXPECT_TRUE(check_for_simulation(mesh, "filled").empty());
  ASSERT_GE(mesh.vertices.size(), surface.vertices.size());
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) EXPECT_EQ(mesh.vertices[v], surface.vertices[v]);
  EXPECT_NEAR(mesh_info(mesh).volume, mesh_info(surface).volume, 1e-12);
  EXPECT_EQ(boundary_triangles(mesh).size(), surface.triangles.size());
}

TEST(Tetrahedralize, ASmallerVolumeBoundGivesMoreTetrahedra) {
  REQUIRE_TETGEN();
  const SurfaceMesh surface = sphere(1e-3, 2);  // a bound of 1e-11 must reach the program with its exponent
  TetrahedralizeOptions fine;
  fine.max_volume = 1e-11;
  fine.keep_surface = false;  // else tetrahedra at the surface stay larger
  const TetMesh mesh = tetrahedralize(surface, "sphere.obj", fine);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) EXPECT_LE(tet_volume(mesh, t), 1.001e-11);
  EXPECT_GT(mesh.tets.size(), 4e-9 / 1e-11 / 2);
}

TEST(Tetrahedralize, AnOpenSurfaceIsRefusedWithTheCountOfItsEdges) {
  SurfaceMesh surface = sphere(1, 2);
  surface.triangles.pop_back();
  EXPECT_REFUSAL(tetrahedralize(surface, "open.obj"), "open.obj: 3 edges have only one triangle");
  surface.triangles.clear();
  EXPECT_REFUSAL(tetrahedralize(surface, "open.obj"), "there are no triangles");
}

TEST(Tetrahedralize, ASurfaceThatCutsItselfIsRefusedInTheProgramsOwnWords) {
  REQUIRE_TETGEN();
  SurfaceMesh surface = sphere(1, 2);
  const SurfaceMesh other = surface;
  const int shift = static_cast<int>(surface.vertices.size());
  for (Point3 p : other.vertices) surface.vertices.push_back({p[0] + 0.5, p[1] + 0.1, p[2]});
  for (auto [a, b, c] : other.triangles) surface.triangles.push_back({a + shift, b + shift, c + shift});
  const std::string text = refusal([&] { tetrahedralize(surface, "cut.obj"); });
  EXPECT_NE(text.find("tetgen refused the surface"), std::string::npos) << text;
  EXPECT_NE(text.find("intersect"), std::string::npos) << text;
}

TEST(Tetrahedralize, AMissingProgramIsAFileErrorThatNamesThePackage) {
  TetrahedralizeOptions options;
  options.program = "/no/such/tetgen";
  try {
    tetrahedralize(sphere(1, 2), "sphere.obj", options);
    FAIL() << "nothing thrown";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("Debian's package tetgen"), std::string::npos) << error.what();
  }
}

TEST(Tetrahedralize, AProgramThatDoesNotEndIsStopped) {
  const std::filesystem::path script = std::filesystem::path(testing::TempDir()) / "endless_tetgen";
  write_file_atomically(script, "#!/bin/sh\nexec sleep 100\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  TetrahedralizeOptions options;
  options.program = script.string();
  options.max_seconds = 1;
  EXPECT_REFUSAL(tetrahedralize(sphere(1, 2), "sphere.obj", options), "was stopped after 1 seconds");
}

}  // namespace
}  // namespace phiflex

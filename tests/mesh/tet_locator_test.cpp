#include "phiflex/mesh/tet_locator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/refine.h"

namespace phiflex {
namespace {

Point3 point_at(const TetMesh& mesh, const TetLocator::Place& place) {
  Point3 x{};
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i) x[i] += place.weights[a] * mesh.vertices[mesh.tets[place.tet][a]][i];
  return x;
}

TEST(TetLocator, EveryVertexAndCentroidOfAMeshIsFoundWhereItIs) {
  const TetMesh mesh = generate_mesh("ball", {{"radius", {1}}, {"resolution", {4}}});
  const TetLocator locator(mesh.vertices, mesh.tets);
  for (const auto& tet : mesh.tets) {
    Point3 centroid{};
    for (int v : tet)
      for (int i = 0; i < 3; ++i) centroid[i] += mesh.vertices[v][i] / 4;
    const auto place = locator.locate(centroid);
    EXPECT_EQ(mesh.tets[place.tet], tet);
    for (double w : place.weights) EXPECT_NEAR(w, 0.25, 1e-12);
  }
  for (const Point3& x : mesh.vertices) {
    const auto place = locator.locate(x);
    EXPECT_EQ(place.distance, 0);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(point_at(mesh, place)[i], x[i], 1e-9);
  }
}

TEST(TetLocator, APointOutsideIsPutOntoTheNearestFaceNearby) {
  const TetMesh mesh = generate_box({{1, 1, 1}, {4, 4, 4}});
  const TetLocator locator(mesh.vertices, mesh.tets);
  // Above the middle of a boundary triangle the clamped weights are those of the foot of the perpendicular to
  // within the size of an element.
  const auto place = locator.locate({0.4, 1.5, 0.3});
  EXPECT_GE(place.distance, 0.5 - 1e-12);
  EXPECT_LT(place.distance, 0.6);
  EXPECT_NEAR(point_at(mesh, place)[1], 1, 1e-12);
}

TEST(Refine, EightChildrenOfEqualVolumeFillATetrahedron) {
  TetMesh mesh = generate_mesh("ball", {{"radius", {1}}, {"resolution", {2}}, {"shell", {0.3}}});
  mesh.element_fields["number"].resize(mesh.tets.size(), 7.5);
  const TetMesh fine = refined(mesh);
  ASSERT_EQ(fine.tets.size(), 8 * mesh.tets.size());
  ASSERT_EQ(fine.tags.size(), mesh.tags.empty() ? 0 : fine.tets.size());
  EXPECT_EQ(fine.element_fields.at("number").size(), fine.tets.size());
  for (std::size_t t = 0; t < fine.tets.size(); ++t) {
    const double parent = tet_volume(mesh, t / 8);
    EXPECT_NEAR(tet_volume(fine, t), parent / 8, 1e-12 * parent);
    if (!mesh.tags.empty()) {
      EXPECT_EQ(fine.tags[t], mesh.tags[t / 8]);
    }
  }
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) EXPECT_EQ(fine.vertices[v], mesh.vertices[v]);
  EXPECT_EQ(boundary_triangles(fine).size(), 4 * boundary_triangles(mesh).size()) << "no gap inside";
}

}  // namespace
}  // namespace phiflex

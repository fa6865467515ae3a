#include "phiflex/mesh/mid_edges.h"

#include <gtest/gtest.h>

#include <set>

#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

TEST(MidEdges, EveryEdgeGetsOneNodeInItsMiddle) {
  TetMesh mesh = generate_box({.size = {1, 2, 3}, .cells = {2, 3, 2}});
  const std::size_t corners = mesh.vertices.size();
  std::set<std::set<int>> edges;
  for (const auto& tet : mesh.tets)
    for (const auto& [a, b] : kTetEdges) edges.insert({tet[a], tet[b]});
  const std::vector<QuadraticTet> tets = add_mid_edge_nodes(mesh);
  EXPECT_EQ(mesh.vertices.size(), corners + edges.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (int a = 0; a < 4; ++a) EXPECT_EQ(tets[t][a], mesh.tets[t][a]);
    for (int e = 0; e < 6; ++e)
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(
            mesh.vertices[tets[t][4 + e]][i],
            (mesh.vertices[tets[t][kTetEdges[e][0]]][i] + mesh.vertices[tets[t][kTetEdges[e][1]]][i]) / 2);
  }
}

TEST(MidEdges, AVertexSetTakesTheMiddlesBetweenItsOwn) {
  TetMesh mesh = generate_box({.size = {1, 1, 1}, .cells = {1, 1, 1}});
  for (int v = 0; v < 8; ++v)
    if (mesh.vertices[v][0] == 0) mesh.vertex_sets["low"].push_back(v);
  add_mid_edge_nodes(mesh);
  EXPECT_EQ(mesh.vertex_sets["low"].size(), 4u + 5u);  // a square with one diagonal
  for (const int v : mesh.vertex_sets["low"]) EXPECT_EQ(mesh.vertices[v][0], 0);
}

TEST(MidEdges, TheBoundaryHasFourTimesTheTrianglesAndTheSameVolumeInside) {
  TetMesh mesh = generate_box({.size = {1, 2, 3}, .cells = {2, 1, 2}});
  const std::size_t faces = boundary_triangles(mesh).size();
  const QuadraticBoundary boundary = quadratic_boundary(add_mid_edge_nodes(mesh));
  ASSERT_EQ(boundary.triangles.size(), 4 * faces);
  ASSERT_EQ(boundary.owners.size(), 4 * faces);
  double volume = 0;  // of the cones over the triangles, outward ones positive
  for (const auto& [a, b, c] : boundary.triangles)
    volume += dot(mesh.vertices[a], cross(mesh.vertices[b], mesh.vertices[c])) / 6;
  EXPECT_NEAR(volume, 6, 1e-13);
}

}  // namespace
}  // namespace phiflex

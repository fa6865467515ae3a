// Quadratic tetrahedra: the corners of a linear one and a node in the middle of each edge. Edges are straight
// at rest, so that the quadratic mesh is the linear one with more freedom.
#pragma once

#include <array>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// Corners 0 to 3, then the middles of these edges (VTK's order of a quadratic tetrahedron).
inline constexpr std::array<std::array<int, 2>, 6> kTetEdges = {
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

using QuadraticTet = std::array<int, 10>;

// Appends a vertex in the middle of each edge, in the order in which the tetrahedra meet them, and gives the
// nodes of each tetrahedron. A vertex set that holds both ends of an edge holds its middle, too.
std::vector<QuadraticTet> add_mid_edge_nodes(TetMesh& mesh);

// The boundary of quadratic tetrahedra, outward, ordered by tetrahedron: each face as four triangles, three
// at its corners and one between the middles of its edges.
struct QuadraticBoundary {
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> owners;  // the tetrahedron of each triangle
};
QuadraticBoundary quadratic_boundary(const std::vector<QuadraticTet>& tets);

}  // namespace phiflex

#include "phiflex/mesh/mid_edges.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "phiflex/mesh/tet_faces.h"

namespace phiflex {
namespace {

bool holds(const std::vector<int>& ascending, int vertex) {
  return std::binary_search(ascending.begin(), ascending.end(), vertex);
}

}  // namespace

std::vector<QuadraticTet> add_mid_edge_nodes(TetMesh& mesh) {
  std::unordered_map<std::uint64_t, int> middle_of;
  middle_of.reserve(2 * mesh.tets.size());
  std::vector<std::array<int, 3>> edges;  // its ends and its middle
  const auto middle = [&](int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    const auto [found, is_new] =
        middle_of.try_emplace(std::uint64_t(low) << 32 | std::uint64_t(high), int(mesh.vertices.size()));
    if (is_new) {
      const Point3 &p = mesh.vertices[low], &q = mesh.vertices[high];
      edges.push_back({low, high, found->second});
      mesh.vertices.push_back({(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2});
    }
    return found->second;
  };

  std::vector<QuadraticTet> quadratic;
  quadratic.reserve(mesh.tets.size());
  for (const auto& tet : mesh.tets) {
    QuadraticTet nodes;
    std::copy(tet.begin(), tet.end(), nodes.begin());
    for (int e = 0; e < 6; ++e) nodes[4 + e] = middle(tet[kTetEdges[e][0]], tet[kTetEdges[e][1]]);
    quadratic.push_back(nodes);
  }
  for (auto& [name, set] : mesh.vertex_sets) {
    const std::vector<int> corners = set;
    for (const auto& [a, b, mid] : edges)
      if (holds(corners, a) && holds(corners, b)) set.push_back(mid);  // middles come in ascending order
  }
  return quadratic;
}

QuadraticBoundary quadratic_boundary(const std::vector<QuadraticTet>& tets) {
  TetMesh corners;
  for (const QuadraticTet& tet : tets) corners.tets.push_back({tet[0], tet[1], tet[2], tet[3]});
  const TetFaces faces = find_tet_faces(corners);

  QuadraticBoundary boundary;
  for (std::size_t f = 0; f < faces.boundary.size(); ++f) {
    const QuadraticTet& tet = tets[faces.owners[f]];
    const auto middle = [&](int a, int b) {
      for (int e = 0; e < 6; ++e) {
        const int p = tet[kTetEdges[e][0]], q = tet[kTetEdges[e][1]];
        if ((p == a && q == b) || (p == b && q == a)) return tet[4 + e];
      }
      return -1;  // a face's corners are its owner's
    };
    const auto& [a, b, c] = faces.boundary[f];
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const std::array<int, 3>& triangle :
         {std::array{a, ab, ca}, std::array{ab, b, bc}, std::array{ca, bc, c}, std::array{ab, bc, ca}}) {
      boundary.triangles.push_back(triangle);
      boundary.owners.push_back(faces.owners[f]);
    }
  }
  return boundary;
}

}  // namespace phiflex

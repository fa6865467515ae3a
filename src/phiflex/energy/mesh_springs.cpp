// Springs on the edges of meshes.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "phiflex/energy/spring_network.h"

namespace phiflex {
namespace {

using Edge = std::array<int, 2>;

Edge edge(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

void sort_unique(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

void add_springs(const std::vector<Edge>& edges, SpringKind kind, const SpringStrength& strength,
                 SpringNetwork& network) {
  for (const auto& [a, b] : edges) add_spring(a, b, kind, strength, network);
}

Vec3<double> from_to(const Point3& a, const Point3& b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

SpringNetwork empty_network(const std::vector<Point3>& vertices) {
  SpringNetwork network;
  network.vertices = vertices;
  network.masses.assign(vertices.size(), 0.0);
  return network;
}

// From corner to corner across every edge that two triangles share, where no edge is already.
std::vector<Edge> across_edges(const SurfaceMesh& mesh, const std::vector<Edge>& edges) {
  std::vector<std::pair<Edge, int>> corners;  // an edge and the corner opposite to it
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) corners.push_back({edge(t[i], t[(i + 1) % 3]), t[(i + 2) % 3]});
  std::sort(corners.begin(), corners.end());
  std::vector<Edge> across;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i)
    if (corners[i].first == corners[i + 1].first && corners[i].second != corners[i + 1].second) {
      const Edge found = edge(corners[i].second, corners[i + 1].second);
      if (!std::binary_search(edges.begin(), edges.end(), found)) across.push_back(found);
    }
  sort_unique(across);
  return across;
}

// Between the two neighbours of every vertex inside a line.
std::vector<Edge> along_lines(const SurfaceMesh& mesh, const std::vector<Edge>& edges) {
  std::vector<std::array<int, 3>> neighbours(mesh.vertices.size(), {0, -1, -1});  // count, first, second
  for (const auto& [a, b] : mesh.edges) {
    if (a == b) continue;
    for (const auto& [v, other] : {std::pair{a, b}, {b, a}}) {
      auto& n = neighbours[v];
      if (++n[0] <= 2) n[n[0]] = other;
    }
  }
  std::vector<Edge> along;
  for (const auto& [count, first, second] : neighbours)
    if (count == 2 && first != second && !std::binary_search(edges.begin(), edges.end(), edge(first, second)))
      along.push_back(edge(first, second));
  sort_unique(along);
  return along;
}

}  // namespace

SpringNetwork tet_springs(const TetMesh& mesh, const TetSprings& springs) {
  SpringNetwork network = empty_network(mesh.vertices);
  std::vector<Edge> edges;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& tet = mesh.tets[e];
    add_mass(springs.density * tet_volume(mesh, e), tet, network);
    for (int i = 0; i < 4; ++i)
      for (int k = i + 1; k < 4; ++k) edges.push_back(edge(tet[i], tet[k]));
    if (springs.diagonal == 0) continue;
    for (int i = 0; i < 4; ++i) {
      const std::array face = {tet[(i + 1) % 4], tet[(i + 2) % 4], tet[(i + 3) % 4]};
      Vec3<double> height{0, 0, 0};
      for (const int corner : face)
        height += (1.0 / 3) * from_to(mesh.vertices[corner], mesh.vertices[tet[i]]);
      const double rest_length = norm(height);
      network.centre_springs.push_back(
          {tet[i], face, springs.diagonal * springs.strength.constant(rest_length), rest_length});
    }
  }
  sort_unique(edges);
  add_springs(edges, SpringKind::structural, springs.strength, network);
  network.triangles = boundary_triangles(mesh);
  return network;
}

SpringNetwork mesh_springs(const SurfaceMesh& mesh, const MeshSprings& springs) {
  SpringNetwork network = empty_network(mesh.vertices);
  network.strength_of_kind = {1, 0, springs.bending};
  network.triangles = mesh.triangles;
  std::vector<Edge> edges;
  for (const auto& t : mesh.triangles) {
    const Vec3<double> twice_area = cross(from_to(mesh.vertices[t[0]], mesh.vertices[t[1]]),
                                          from_to(mesh.vertices[t[0]], mesh.vertices[t[2]]));
    add_mass(springs.area_density * 0.5 * norm(twice_area), t, network);
    for (int i = 0; i < 3; ++i) edges.push_back(edge(t[i], t[(i + 1) % 3]));
  }
  for (const auto& [a, b] : mesh.edges) {
    add_mass(springs.linear_density * norm(from_to(mesh.vertices[a], mesh.vertices[b])), std::array{a, b},
             network);
    edges.push_back(edge(a, b));
  }
  sort_unique(edges);
  add_springs(edges, SpringKind::structural, springs.strength, network);
  if (springs.bending > 0) {
    add_springs(across_edges(mesh, edges), SpringKind::bending, springs.strength, network);
    add_springs(along_lines(mesh, edges), SpringKind::bending, springs.strength, network);
  }
  return network;
}

}  // namespace phiflex

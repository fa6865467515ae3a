#include "phiflex/mesh/mesh_info.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "phiflex/mesh/hanging_vertices.h"
#include "phiflex/mesh/same_place.h"
#include "phiflex/mesh/surface_topology.h"
#include "phiflex/mesh/tet_faces.h"
#include "phiflex/mesh/tet_quality.h"
#include "phiflex/mesh/union_find.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

// Counts, bounding box and duplicates of the vertices.
void add_vertex_facts(const std::vector<Point3>& vertices, MeshInfo& info) {
  info.vertices = vertices.size();
  bool first_point = true;
  for (const Point3& p : vertices) {
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) {
      ++info.not_finite;
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      info.low[k] = first_point ? p[k] : std::min(info.low[k], p[k]);
      info.high[k] = first_point ? p[k] : std::max(info.high[k], p[k]);
    }
    first_point = false;
  }
  const std::vector<int> first = first_at_same_place(vertices);
  for (std::size_t i = 0; i < first.size(); ++i) info.duplicate_vertices += first[i] != static_cast<int>(i);
}

// Connected pieces and vertices that no element uses.
class Pieces {
 public:
  explicit Pieces(std::size_t vertices) : sets_(vertices), used_(vertices, 0) {}
  template <std::size_t N>
  void add(const std::vector<std::array<int, N>>& elements) {
    for (const auto& element : elements) {
      for (const int v : element) {
        used_[v] = 1;
        sets_.join(v, element[0]);
      }
    }
  }
  void finish(MeshInfo& info) {
    for (std::size_t v = 0; v < used_.size(); ++v) {
      info.unused_vertices += !used_[v];
      info.components += used_[v] && sets_.find(static_cast<int>(v)) == static_cast<int>(v);
    }
  }

 private:
  UnionFind sets_;
  std::vector<char> used_;
};

template <std::size_t N>
std::size_t count_duplicates(std::vector<std::array<int, N>> elements) {
  for (auto& element : elements) std::sort(element.begin(), element.end());
  std::sort(elements.begin(), elements.end());
  return static_cast<std::size_t>(elements.end() - std::unique(elements.begin(), elements.end()));
}

double area_of(const std::vector<Point3>& vertices, const std::array<int, 3>& triangle) {
  const Point3& a = vertices[triangle[0]];
  return norm(cross(vertices[triangle[1]] - a, vertices[triangle[2]] - a)) / 2;
}

double longest_edge(const std::vector<Point3>& vertices, const std::array<int, 3>& triangle) {
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k)
    longest = std::max(longest, norm(vertices[triangle[k]] - vertices[triangle[(k + 1) % 3]]));
  return longest;
}

}  // namespace

MeshInfo mesh_info(const TetMesh& mesh) {
  MeshInfo info;
  info.kind = MeshInfo::Kind::tetrahedra;
  info.notes = mesh.notes;
  info.tets = mesh.tets.size();
  add_vertex_facts(mesh.vertices, info);
  Pieces pieces(mesh.vertices.size());
  pieces.add(mesh.tets);
  pieces.finish(info);
  info.duplicate_elements = count_duplicates(mesh.tets);

  double quality_sum = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const double volume = tet_volume(mesh, t), quality = tet_quality(mesh, t);
    info.volume += volume;
    info.min_volume = t == 0 ? volume : std::min(info.min_volume, volume);
    info.min_quality = t == 0 ? quality : std::min(info.min_quality, quality);
    quality_sum += quality;
    info.poor += quality < kPoorQuality;
    if (has_zero_volume(mesh, t))
      ++info.zero_volume;
    else
      info.inverted += volume < 0;
  }
  if (info.tets > 0) info.mean_quality = quality_sum / static_cast<double>(info.tets);
  const std::set<int> tags(mesh.tags.begin(), mesh.tags.end());
  info.tags.assign(tags.begin(), tags.end());
  info.groups = selectable_tags(mesh);
  for (const auto& [name, values] : mesh.element_fields) info.fields.push_back(name);

  const TetFaces faces = find_tet_faces(mesh);
  info.crowded_faces = faces.crowded;
  info.triangles = faces.boundary.size();
  for (const auto& triangle : faces.boundary) info.area += area_of(mesh.vertices, triangle);
  info.surface = find_surface_topology(faces.boundary, mesh.vertices.size()).defects;
  info.hanging_vertices = find_hanging_vertices(mesh.vertices, faces.boundary).count;
  return info;
}

MeshInfo mesh_info(const SurfaceMesh& mesh) {
  MeshInfo info;
  info.kind = MeshInfo::Kind::surface;
  info.notes = mesh.notes;
  info.triangles = mesh.triangles.size();
  info.edges = mesh.edges.size();
  add_vertex_facts(mesh.vertices, info);
  Pieces pieces(mesh.vertices.size());
  pieces.add(mesh.triangles);
  pieces.add(mesh.edges);
  pieces.finish(info);
  info.duplicate_elements = count_duplicates(mesh.triangles);

  const Point3 centre = 0.5 * (info.low + info.high);  // a near origin keeps the sum of volumes accurate
  for (const auto& triangle : mesh.triangles) {
    const auto& [a, b, c] = triangle;
    info.volume += tet_volume(centre, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
    const double area = area_of(mesh.vertices, triangle), length = longest_edge(mesh.vertices, triangle);
    info.area += area;
    info.zero_area += area <= 1e-15 * length * length;  // the rounding error of the cross product
  }
  for (const auto& [a, b] : mesh.edges) info.zero_length += mesh.vertices[a] == mesh.vertices[b];
  const SurfaceTopology topology = find_surface_topology(mesh.triangles, mesh.vertices.size());
  info.surface = topology.defects;
  info.hanging_vertices = find_hanging_vertices(mesh.vertices, mesh.triangles).count;
  std::set<int> used;
  for (const auto& triangle : mesh.triangles) used.insert(triangle.begin(), triangle.end());
  info.euler_number = static_cast<long>(used.size()) - static_cast<long>(topology.edges) +
                      static_cast<long>(mesh.triangles.size());
  return info;
}

MeshInfo mesh_info(const AnyMesh& mesh) {
  return std::visit([](const auto& kind) { return mesh_info(kind); }, mesh);
}

}  // namespace phiflex

#include "phiflex/mesh/tet_mesh.h"

#include <algorithm>

#include "phiflex/mesh/tet_faces.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {

double tet_volume(const Point3& a, const Point3& b, const Point3& c, const Point3& d) {
  return dot(cross(b - a, c - a), d - a) / 6;
}

double tet_volume(const TetMesh& mesh, std::size_t tet) {
  const auto& [a, b, c, d] = mesh.tets[tet];
  return tet_volume(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], mesh.vertices[d]);
}

std::vector<int> tets_with_tag(const TetMesh& mesh, const std::string& tag) {
  const auto carries = [&](int number) {
    const auto name = mesh.tag_names.find(number);
    return std::to_string(number) == tag || (name != mesh.tag_names.end() && name->second == tag);
  };
  std::map<int, bool> selected;
  std::vector<int> out;
  for (std::size_t t = 0; t < mesh.tags.size(); ++t) {
    const auto [at, is_new] = selected.try_emplace(mesh.tags[t], false);
    if (is_new) at->second = carries(mesh.tags[t]);
    if (at->second) out.push_back(static_cast<int>(t));
  }
  return out;
}

std::vector<int> vertices_with_tag(const TetMesh& mesh, const std::string& tag) {
  if (const auto set = mesh.vertex_sets.find(tag); set != mesh.vertex_sets.end()) return set->second;
  std::vector<int> out;
  for (const int tet : tets_with_tag(mesh, tag))
    out.insert(out.end(), mesh.tets[tet].begin(), mesh.tets[tet].end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> selectable_tags(const TetMesh& mesh) {
  std::vector<std::string> out;
  std::vector<int> numbers = mesh.tags;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const int number : numbers) {
    const auto name = mesh.tag_names.find(number);
    out.push_back(name == mesh.tag_names.end() ? std::to_string(number) : name->second);
  }
  for (const auto& [name, vertices] : mesh.vertex_sets) out.push_back(name);
  return out;
}

std::vector<std::array<int, 3>> boundary_triangles(const TetMesh& mesh) {
  return find_tet_faces(mesh).boundary;
}

SurfaceMesh extract_surface(const TetMesh& mesh) {
  SurfaceMesh surface;
  surface.vertices = mesh.vertices;
  surface.triangles = boundary_triangles(mesh);
  return surface;
}

}  // namespace phiflex

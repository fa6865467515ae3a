// MEDIT .mesh and Wavefront .obj.
#include <fmt/format.h>

#include <iterator>

#include "phiflex/mesh/mesh_writers.h"

namespace phiflex {
namespace {

using Out = std::back_insert_iterator<std::string>;

void put_medit_vertices(const std::vector<Point3>& vertices, Out out) {
  fmt::format_to(out, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", vertices.size());
  for (const auto& [x, y, z] : vertices) fmt::format_to(out, "{} {} {} 0\n", x, y, z);
}

}  // namespace

std::string format_medit(const TetMesh& mesh) {
  std::string text;
  const Out out(text);
  put_medit_vertices(mesh.vertices, out);
  fmt::format_to(out, "Tetrahedra\n{}\n", mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    fmt::format_to(out, "{} {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1, mesh.tags.empty() ? 0 : mesh.tags[t]);
  }
  return text + "End\n";
}

std::string format_medit(const SurfaceMesh& mesh) {
  std::string text;
  const Out out(text);
  put_medit_vertices(mesh.vertices, out);
  fmt::format_to(out, "Triangles\n{}\n", mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) fmt::format_to(out, "{} {} {} 0\n", a + 1, b + 1, c + 1);
  if (!mesh.edges.empty()) fmt::format_to(out, "Edges\n{}\n", mesh.edges.size());
  for (const auto& [a, b] : mesh.edges) fmt::format_to(out, "{} {} 0\n", a + 1, b + 1);
  return text + "End\n";
}

std::string format_obj(const SurfaceMesh& mesh) {
  std::string text;
  const Out out(text);
  for (const auto& [x, y, z] : mesh.vertices) fmt::format_to(out, "v {} {} {}\n", x, y, z);
  for (const auto& [a, b, c] : mesh.triangles) fmt::format_to(out, "f {} {} {}\n", a + 1, b + 1, c + 1);
  // Segments that follow each other are one polyline.
  for (std::size_t i = 0; i < mesh.edges.size(); ++i) {
    const auto& [a, b] = mesh.edges[i];
    if (i > 0 && mesh.edges[i - 1][1] == a)
      fmt::format_to(out, " {}", b + 1);
    else
      fmt::format_to(out, "{}l {} {}", i > 0 ? "\n" : "", a + 1, b + 1);
  }
  if (!mesh.edges.empty()) text += '\n';
  return text;
}

}  // namespace phiflex

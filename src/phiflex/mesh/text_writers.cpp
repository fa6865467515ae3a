// MEDIT .mesh and Wavefront .obj.
#include "phiflex/base/text.h"
#include "phiflex/mesh/mesh_writers.h"

namespace phiflex {
namespace {

void put_medit_vertices(const std::vector<Point3>& vertices, std::string& text) {
  append(text, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", vertices.size());
  for (const auto& [x, y, z] : vertices) append(text, "{} {} {} 0\n", x, y, z);
}

}  // namespace

std::string format_medit(const TetMesh& mesh) {
  std::string text;
  put_medit_vertices(mesh.vertices, text);
  append(text, "Tetrahedra\n{}\n", mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    append(text, "{} {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1, mesh.tags.empty() ? 0 : mesh.tags[t]);
  }
  return text + "End\n";
}

std::string format_medit(const SurfaceMesh& mesh) {
  std::string text;
  put_medit_vertices(mesh.vertices, text);
  append(text, "Triangles\n{}\n", mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) append(text, "{} {} {} 0\n", a + 1, b + 1, c + 1);
  if (!mesh.edges.empty()) append(text, "Edges\n{}\n", mesh.edges.size());
  for (const auto& [a, b] : mesh.edges) append(text, "{} {} 0\n", a + 1, b + 1);
  return text + "End\n";
}

std::string format_obj(const SurfaceMesh& mesh) {
  std::string text;
  for (const auto& [x, y, z] : mesh.vertices) append(text, "v {} {} {}\n", x, y, z);
  for (const auto& [a, b, c] : mesh.triangles) append(text, "f {} {} {}\n", a + 1, b + 1, c + 1);
  // Segments that follow each other are one polyline.
  for (std::size_t i = 0; i < mesh.edges.size(); ++i) {
    const auto& [a, b] = mesh.edges[i];
    if (i > 0 && mesh.edges[i - 1][1] == a)
      append(text, " {}", b + 1);
    else
      append(text, "{}l {} {}", i > 0 ? "\n" : "", a + 1, b + 1);
  }
  if (!mesh.edges.empty()) text += '\n';
  return text;
}

}  // namespace phiflex

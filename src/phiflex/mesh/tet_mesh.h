// The two kinds of mesh the engine knows, as plain data in the numbering of the file they came from.
//
// A tetrahedron (a, b, c, d) is good when ((b - a) x (c - a)) . (d - a) / 6 > 0. Meshes are what a file says,
// bad elements included: check_for_simulation (mesh_check.h) decides what the engine accepts.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace phiflex {

using Point3 = std::array<double, 3>;

struct TetMesh {
  std::vector<Point3> vertices;          // [m]
  std::vector<std::array<int, 4>> tets;  // vertex indices from 0
  std::vector<int> tags;                 // region of each tetrahedron; empty when the mesh has no regions
  std::map<int, std::string> tag_names;  // names of some regions
  // One number per tetrahedron, by name; a field of vectors is three, NAME.x, NAME.y and NAME.z.
  std::map<std::string, std::vector<double>> element_fields;
  std::map<std::string, std::vector<int>> vertex_sets;  // ascending indices; unnamed groups by their number
  std::vector<std::string> notes;  // what a reader wants its user to know: mid-edge nodes are not used, ...
};

struct SurfaceMesh {
  std::vector<Point3> vertices;               // [m]
  std::vector<std::array<int, 3>> triangles;  // polygons are triangulated
  std::vector<std::array<int, 2>> edges;      // segments of polylines, e.g. hair strands, in the file's order
  std::vector<std::string> notes;
};

// Signed volume of a tetrahedron [m^3].
double tet_volume(const Point3& a, const Point3& b, const Point3& c, const Point3& d);
double tet_volume(const TetMesh& mesh, std::size_t tet);

// Selections by mesh tag. `tag` is a region's name or number. Empty when nothing carries it.
std::vector<int> tets_with_tag(const TetMesh& mesh, const std::string& tag);
// The vertex set of that name, or else the vertices of the tetrahedra of that region; ascending.
std::vector<int> vertices_with_tag(const TetMesh& mesh, const std::string& tag);
// Every tag a selection may name, for messages: region names and numbers, then vertex sets.
std::vector<std::string> selectable_tags(const TetMesh& mesh);

// The boundary triangles of a tetrahedral mesh, outward for good tetrahedra, ordered by tetrahedron. Vertex
// indices stay those of the tetrahedral mesh.
std::vector<std::array<int, 3>> boundary_triangles(const TetMesh& mesh);
// The same as a mesh: all vertices are kept, so numbering is that of `mesh`.
SurfaceMesh extract_surface(const TetMesh& mesh);

}  // namespace phiflex

// What a mesh is made of and what is wrong with it.
//
//   (1)  V = ((b - a) x (c - a)) . (d - a) / 6                 volume, positive = good
//   (2)  q = 12 (3 |V|)^(2/3) / (sum of squared edge lengths)  quality: 1 regular, 0 flat
//   (3)  |V| <= 1e-15 (longest edge)^3                         zero volume: the rounding error of (1)
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// How the triangles of a surface (a surface mesh, or the boundary of a tetrahedral one) fit together.
struct SurfaceDefects {
  std::size_t border_edges = 0;          // edges of one triangle: the surface is open
  std::size_t nonmanifold_edges = 0;     // edges of more than two triangles
  std::size_t nonmanifold_vertices = 0;  // vertices whose triangles do not form one fan
  std::size_t inconsistent_edges = 0;    // edges whose two triangles are oriented against each other
  bool closed() const { return border_edges == 0 && nonmanifold_edges == 0; }
};

struct MeshInfo {
  enum class Kind { tetrahedra, surface };
  Kind kind = Kind::tetrahedra;
  std::size_t vertices = 0, tets = 0, triangles = 0, edges = 0;  // triangles: of the boundary for tetrahedra
  std::size_t components = 0;                                    // connected through shared vertices
  std::array<double, 3> low{}, high{};                           // bounding box of the finite vertices [m]
  double volume = 0;  // [m^3]; of a surface: the enclosed one, negative when it points inward
  double area = 0;    // [m^2] of the surface

  // Tetrahedra only.
  double min_volume = 0;                      // [m^3]
  double min_quality = 0, mean_quality = 0;   // (2)
  std::size_t poor = 0;                       // quality below kPoorQuality (tet_quality.h)
  std::size_t inverted = 0, zero_volume = 0;  // V < 0, and (3)
  std::vector<int> tags;                      // the different region tags, ascending
  std::vector<std::string> groups;  // every name that `where` may select by: regions, sets of vertices
  std::vector<std::string> fields;  // of numbers for each element; of vectors NAME.x, NAME.y, NAME.z

  // Surfaces only.
  long euler_number = 0;        // V - E + F over used vertices
  std::size_t zero_length = 0;  // segments without length
  std::size_t zero_area = 0;    // triangles without area

  // Defects of either kind.
  std::size_t not_finite = 0;          // vertices with a NaN or infinite coordinate
  std::size_t duplicate_vertices = 0;  // vertices at exactly the place of an earlier one
  std::size_t unused_vertices = 0;
  std::size_t duplicate_elements = 0;  // tetrahedra (triangles) with the corners of an earlier one
  std::size_t crowded_faces = 0;       // faces of three or more tetrahedra
  std::size_t hanging_vertices = 0;    // vertices of the surface inside an edge they are no end of
  SurfaceDefects surface;

  std::vector<std::string> notes;  // the reader's
};

MeshInfo mesh_info(const TetMesh& mesh);
MeshInfo mesh_info(const SurfaceMesh& mesh);
MeshInfo mesh_info(const AnyMesh& mesh);

// A question about the unit of a mesh that would be longer than a house; empty for others.
std::string unit_question(const MeshInfo& info);

// One "name value" line each, for people.
std::string describe(const MeshInfo& info);

// The same as named values, for JSON. Numbers are doubles or counts; a list is a vector.
using InfoValue = std::variant<bool, std::size_t, long, double, std::string, std::vector<double>,
                               std::vector<int>, std::vector<std::string>>;
std::vector<std::pair<std::string, InfoValue>> info_entries(const MeshInfo& info);

}  // namespace phiflex

// Shape of a tetrahedron; formulas (1) to (3) are those of mesh_info.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {

inline constexpr double kPoorQuality = 0.05;

// The six squared edge lengths.
inline std::array<double, 6> squared_edges(const TetMesh& mesh, std::size_t tet) {
  const auto& corners = mesh.tets[tet];
  std::array<double, 6> out{};
  std::size_t e = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i + 1; j < 4; ++j) {
      const Point3 edge = mesh.vertices[corners[i]] - mesh.vertices[corners[j]];
      out[e++] = dot(edge, edge);
    }
  }
  return out;
}

// (2)
inline double tet_quality(const TetMesh& mesh, std::size_t tet) {
  double sum = 0;
  for (const double edge : squared_edges(mesh, tet)) sum += edge;
  const double root = std::cbrt(3 * std::abs(tet_volume(mesh, tet)));
  return sum > 0 ? 12 * root * root / sum : 0;
}

// (3)
inline bool has_zero_volume(const TetMesh& mesh, std::size_t tet) {
  const auto edges = squared_edges(mesh, tet);
  const double longest = std::sqrt(*std::max_element(edges.begin(), edges.end()));
  return !(std::abs(tet_volume(mesh, tet)) > 1e-15 * longest * longest * longest);
}

}  // namespace phiflex

// How the triangles of a surface meet along edges and around vertices.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "phiflex/mesh/mesh_info.h"

namespace phiflex {

struct SurfaceTopology {
  SurfaceDefects defects;
  std::size_t edges = 0;
  std::vector<int>
      pinched;  // ascending: vertices without one fan, and the ends of edges of more than two triangles
};

// Triangles with a repeated corner are left out. Indices must be below `vertices`.
SurfaceTopology find_surface_topology(std::span<const std::array<int, 3>> triangles, std::size_t vertices);

}  // namespace phiflex

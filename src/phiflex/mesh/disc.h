// Discs, and cylinders of prisms over them.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// A triangulated disc: the cross-section of cylinders and ropes.
struct Disc {
  std::vector<Point3> vertices;  // x = 0
  std::vector<std::array<int, 3>> triangles;
};
// n rings around the centre, 6 n^2 triangles.
Disc make_disc(double radius, int n);

// Layers of prisms over a triangulated disc, cut into tetrahedra.
// Vertices of the mesh are (layers + 1) copies of the disc's `per_layer`, one after the other; a prism stands on each
// triangle of each layer. It is cut along paths that step up at one of the ascending corners, so neighbours agree on
// every diagonal. Orientation is left to fix_orientation.
inline void add_prisms(const std::vector<std::array<int, 3>>& triangles, int per_layer, int layers,
                       TetMesh& mesh) {
  for (int k = 0; k < layers; ++k) {
    for (auto triangle : triangles) {
      std::sort(triangle.begin(), triangle.end());
      const int low = k * per_layer, high = low + per_layer;
      const auto& [a, b, c] = triangle;
      mesh.tets.push_back({low + a, low + b, low + c, high + c});
      mesh.tets.push_back({low + a, low + b, high + b, high + c});
      mesh.tets.push_back({low + a, high + a, high + b, high + c});
    }
  }
}

}  // namespace phiflex

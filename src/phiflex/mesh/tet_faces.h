// The faces of a tetrahedral mesh, by how many tetrahedra share them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

struct TetFaces {
  std::vector<std::array<int, 3>> boundary;  // of one tetrahedron, outward, ordered by tetrahedron
  std::vector<int> owners;                   // the tetrahedron of each boundary face
  std::size_t crowded = 0;                   // of three or more
};

TetFaces find_tet_faces(const TetMesh& mesh);

}  // namespace phiflex

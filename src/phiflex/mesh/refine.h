// Uniform refinement: every tetrahedron becomes eight of an eighth of its volume, four at its corners and four in
// the octahedron between them. The vertices of the mesh keep their numbers, those in the middle of edges follow;
// tags, fields and vertex sets are carried over.
// Bey: Tetrahedral grid refinement, 1995.
#pragma once

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

TetMesh refined(TetMesh mesh);

}  // namespace phiflex

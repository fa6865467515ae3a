// What the engine accepts as a body.
#pragma once

#include <string>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// Throws an InputError that lists every reason to refuse: no tetrahedra, coordinates that are not finite,
// indices out of range, tetrahedra of negative or zero volume (how many, and the first few). Returns
// warnings: duplicate vertices, vertices no tetrahedron uses, duplicate tetrahedra, faces shared by three,
// and the mesh's own notes. `file` is how the user named the mesh.
std::vector<std::string> check_for_simulation(const TetMesh& mesh, const std::string& file);

// Swaps two corners of every tetrahedron of negative volume; returns how many were turned. Only on request.
int fix_orientation(TetMesh& mesh);

}  // namespace phiflex

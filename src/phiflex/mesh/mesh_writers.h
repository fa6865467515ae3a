// One function per written format: the file's bytes. write_mesh (mesh_io.h) picks; VTU is in vtu_writer.h.
#pragma once

#include <string>

#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// Regions are physical groups of volumes, vertex sets physical groups of points, element fields $ElementData.
std::string format_msh(const TetMesh& mesh, const WriteOptions& options);
std::string format_msh(const SurfaceMesh& mesh, const WriteOptions& options);
// Regions are references; names, vertex sets and element fields have no place in this format.
std::string format_medit(const TetMesh& mesh);
std::string format_medit(const SurfaceMesh& mesh);
std::string format_obj(const SurfaceMesh& mesh);

}  // namespace phiflex

// Reading and writing mesh files; the format follows from the extension (and, for .msh, .vtk, .ply, .stl,
// from the content).
//
//   reads    .msh (Gmsh 2.2, 4.1)  .vtk (legacy)  .vtu  .mesh (MEDIT)  .node/.ele (TetGen)  .veg (Vega)
//            .obj  .ply  .stl  .off  .tfx (hair strands)
//   writes   .msh  .vtu  .mesh  .obj
//
// FileError when a file cannot be opened, InputError when what it holds is wrong: the file, the line or byte,
// the value and what is allowed. No reader allocates by a number in a file: what is reserved is bounded by
// the bytes that are there.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

using AnyMesh = std::variant<TetMesh, SurfaceMesh>;

// A file with tetrahedra gives a TetMesh, one with only triangles or segments a SurfaceMesh.
AnyMesh read_mesh(const std::filesystem::path& path);
// As above; the other kind of mesh is an InputError that says what the file holds.
TetMesh read_tet_mesh(const std::filesystem::path& path);
SurfaceMesh read_surface_mesh(const std::filesystem::path& path);

enum class MshVersion { v2_2, v4_1 };
enum class Encoding { text, binary };
struct WriteOptions {
  MshVersion msh_version = MshVersion::v4_1;
  Encoding encoding = Encoding::text;  // of .msh
};

// The file appears whole or not at all. Numbers round-trip. A format that cannot hold the mesh is an
// InputError (tetrahedra in .obj: extract the surface first).
void write_mesh(const std::filesystem::path& path, const TetMesh& mesh, const WriteOptions& options = {});
void write_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh, const WriteOptions& options = {});
void write_mesh(const std::filesystem::path& path, const AnyMesh& mesh, const WriteOptions& options = {});

// The extensions above, for messages and help: ".msh, .vtk, ...".
std::string readable_mesh_extensions();
std::string writable_mesh_extensions();

}  // namespace phiflex

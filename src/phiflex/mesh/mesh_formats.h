// One parser per format, from bytes in memory; `file` names them in messages. mesh_io.h opens files and picks, by the
// entry that each parser's file makes: `MeshFormat NAME_format()`, which format_names.h lists.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/base/files.h"
#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// What a file may hold: vertices with tetrahedra (and what belongs to them), triangles and segments.
struct ParsedMesh {
  TetMesh tet;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;
};

struct MeshFormat {
  std::vector<std::string> extensions;  // in lower case, ".off"
  ParsedMesh (*read)(const std::filesystem::path& path);
};
// A format whose meshes are in one file.
template <ParsedMesh (*parse)(std::string_view bytes, const std::string& file)>
MeshFormat one_file_format(std::vector<std::string> extensions) {
  return {std::move(extensions),
          [](const std::filesystem::path& path) { return parse(read_file(path), path.string()); }};
}

// The note on tetrahedra of higher order, "3 quadratic tetrahedra (10 nodes)": only their corners are used.
std::string corners_only_note(std::size_t count, std::string_view kind);
inline constexpr const char* kQuadraticTetrahedra = "quadratic tetrahedra (10 nodes)";

// For tests, which parse text that is in no file.
ParsedMesh parse_msh(std::string_view bytes, const std::string& file);
ParsedMesh parse_vtk(std::string_view bytes, const std::string& file);
ParsedMesh parse_vtu(std::string_view bytes, const std::string& file);
ParsedMesh parse_medit(std::string_view bytes, const std::string& file);
ParsedMesh parse_tetgen(std::string_view node_bytes, const std::string& node_file, std::string_view ele_bytes,
                        const std::string& ele_file);
// The bytes of an included file, or nothing when it is not there.
using IncludedFile = std::function<std::optional<std::string>(const std::string& name)>;
ParsedMesh parse_vega(std::string_view bytes, const std::string& file, const IncludedFile& include);
ParsedMesh parse_obj(std::string_view bytes, const std::string& file);
ParsedMesh parse_ply(std::string_view bytes, const std::string& file);
ParsedMesh parse_stl(std::string_view bytes, const std::string& file);
ParsedMesh parse_off(std::string_view bytes, const std::string& file);
ParsedMesh parse_tfx(std::string_view bytes, const std::string& file);

}  // namespace phiflex

#include "phiflex/mesh/mesh_io.h"

#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/format_names.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/mesh_writers.h"
#include "phiflex/mesh/vtu_writer.h"

namespace phiflex {

// Defined in the readers' own files.
#define PHIFLEX_DECLARE_FORMAT(name) MeshFormat name##_format();
PHIFLEX_MESH_FORMATS(PHIFLEX_DECLARE_FORMAT)
#undef PHIFLEX_DECLARE_FORMAT

namespace {

namespace fs = std::filesystem;

const std::vector<MeshFormat>& mesh_formats() {
#define PHIFLEX_FORMAT(name) name##_format(),
  static const std::vector<MeshFormat> all = {PHIFLEX_MESH_FORMATS(PHIFLEX_FORMAT)};
#undef PHIFLEX_FORMAT
  return all;
}

std::string extension_of(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

[[noreturn]] void refuse_extension(const fs::path& path, const std::string& allowed) {
  throw InputError(
      path.string(), "",
      fmt::format("the extension '{}' is no known mesh format; allowed: {}", extension_of(path), allowed));
}

}  // namespace

std::string corners_only_note(std::size_t count, std::string_view kind) {
  return fmt::format(
      "{} {}: the engine uses their corners, curved edges are straightened; the other nodes stay as unused "
      "vertices (element tet10 makes its own in the middle of edges)",
      count, kind);
}

std::string readable_mesh_extensions() {
  std::string out;
  for (const MeshFormat& format : mesh_formats())
    for (const std::string& extension : format.extensions) out += (out.empty() ? "" : ", ") + extension;
  return out;
}

std::string writable_mesh_extensions() {
  return ".msh, .vtu, .mesh, .obj";
}

AnyMesh read_mesh(const fs::path& path) {
  const std::string extension = extension_of(path);
  const auto has_extension = [&](const MeshFormat& format) {
    const std::vector<std::string>& known = format.extensions;
    return std::find(known.begin(), known.end(), extension) != known.end();
  };
  const std::vector<MeshFormat>& formats = mesh_formats();
  const auto format = std::find_if(formats.begin(), formats.end(), has_extension);
  if (format == formats.end()) {
    read_file(path);  // a missing file or a folder is the first thing to say
    refuse_extension(path, readable_mesh_extensions());
  }
  ParsedMesh parsed = format->read(path);
  if (!parsed.tet.tets.empty() || (parsed.triangles.empty() && parsed.edges.empty()))
    return std::move(parsed.tet);
  SurfaceMesh surface;
  surface.vertices = std::move(parsed.tet.vertices);
  surface.triangles = std::move(parsed.triangles);
  surface.edges = std::move(parsed.edges);
  surface.notes = std::move(parsed.tet.notes);
  return surface;
}

TetMesh read_tet_mesh(const fs::path& path) {
  AnyMesh mesh = read_mesh(path);
  if (auto* tets = std::get_if<TetMesh>(&mesh)) return std::move(*tets);
  const auto& surface = std::get<SurfaceMesh>(mesh);
  throw InputError(path.string(), "",
                   fmt::format("holds a surface ({} triangles, {} segments) and no tetrahedra (mesh "
                               "tetrahedralize fills a closed surface)",
                               surface.triangles.size(), surface.edges.size()));
}

SurfaceMesh read_surface_mesh(const fs::path& path) {
  AnyMesh mesh = read_mesh(path);
  if (auto* surface = std::get_if<SurfaceMesh>(&mesh)) return std::move(*surface);
  throw InputError(path.string(), "",
                   fmt::format("holds {} tetrahedra and {} vertices; a surface is needed",
                               std::get<TetMesh>(mesh).tets.size(), std::get<TetMesh>(mesh).vertices.size()));
}

void write_mesh(const fs::path& path, const TetMesh& mesh, const WriteOptions& options) {
  const std::string extension = extension_of(path);
  if (extension == ".msh") return write_file_atomically(path, format_msh(mesh, options));
  if (extension == ".mesh") return write_file_atomically(path, format_medit(mesh));
  if (extension == ".vtu") {
    const VtuCells cells = make_vtu_cells(mesh);
    VtuGrid grid{flat(mesh.vertices), &cells, {}, {}};
    if (!mesh.tags.empty()) grid.cell_data.push_back({"region", 1, {}, mesh.tags});
    for (const auto& [name, values] : mesh.element_fields) grid.cell_data.push_back({name, 1, values, {}});
    return write_vtu_file(path, grid);
  }
  if (extension == ".obj")
    throw InputError(path.string(), "",
                     ".obj cannot hold tetrahedra; write their surface, or .msh, .vtu, .mesh");
  refuse_extension(path, writable_mesh_extensions());
}

void write_mesh(const fs::path& path, const SurfaceMesh& mesh, const WriteOptions& options) {
  const std::string extension = extension_of(path);
  if (extension == ".msh") return write_file_atomically(path, format_msh(mesh, options));
  if (extension == ".mesh") return write_file_atomically(path, format_medit(mesh));
  if (extension == ".obj") return write_file_atomically(path, format_obj(mesh));
  if (extension == ".vtu") {
    const VtuCells cells = make_vtu_cells(mesh);
    return write_vtu_file(path, VtuGrid{flat(mesh.vertices), &cells, {}, {}});
  }
  refuse_extension(path, writable_mesh_extensions());
}

void write_mesh(const fs::path& path, const AnyMesh& mesh, const WriteOptions& options) {
  std::visit([&](const auto& kind) { write_mesh(path, kind, options); }, mesh);
}

}  // namespace phiflex

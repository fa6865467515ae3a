#include "phiflex/mesh/mesh_io.h"

#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/mesh_writers.h"
#include "phiflex/mesh/vtu_writer.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

struct Format {
  const char* extension;
  ParsedMesh (*read)(const fs::path& path);
};

template <ParsedMesh (*parse)(std::string_view, const std::string&)>
ParsedMesh read_one(const fs::path& path) {
  return parse(read_file(path), path.string());
}

// Either of the pair names both.
ParsedMesh read_tetgen(const fs::path& path) {
  fs::path node = path, ele = path;
  node.replace_extension(".node");
  ele.replace_extension(".ele");
  const std::string node_bytes = read_file(node);
  return parse_tetgen(node_bytes, node.string(), read_file(ele), ele.string());
}

ParsedMesh read_vega(const fs::path& path) {
  return parse_vega(read_file(path), path.string(),
                    [&](const std::string& name) -> std::optional<std::string> {
                      const fs::path included = path.parent_path() / name;
                      if (!fs::exists(included)) return std::nullopt;
                      return read_file(included);
                    });
}

constexpr Format kFormats[] = {{".msh", read_one<parse_msh>}, {".vtk", read_one<parse_vtk>},
                               {".vtu", read_one<parse_vtu>}, {".mesh", read_one<parse_medit>},
                               {".node", read_tetgen},        {".ele", read_tetgen},
                               {".veg", read_vega},           {".obj", read_one<parse_obj>},
                               {".ply", read_one<parse_ply>}, {".stl", read_one<parse_stl>},
                               {".off", read_one<parse_off>}, {".tfx", read_one<parse_tfx>}};

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
      "{} {}: the engine uses their corners, curved edges are straightened; the other nodes stay as "
      "unused vertices (element tet10 makes its own in the middle of edges)",
      count, kind);
}

std::string readable_mesh_extensions() {
  std::string out;
  for (const Format& format : kFormats) out += (out.empty() ? "" : ", ") + std::string(format.extension);
  return out;
}

std::string writable_mesh_extensions() {
  return ".msh, .vtu, .mesh, .obj";
}

AnyMesh read_mesh(const fs::path& path) {
  const std::string extension = extension_of(path);
  const auto format = std::find_if(std::begin(kFormats), std::end(kFormats),
                                   [&](const Format& candidate) { return extension == candidate.extension; });
  if (format == std::end(kFormats)) {
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
  throw InputError(
      path.string(), "",
      fmt::format("holds a surface ({} triangles, {} segments) and no tetrahedra (mesh tetrahedralize "
                  "fills a closed surface)",
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

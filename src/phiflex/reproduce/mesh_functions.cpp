#include "phiflex/reproduce/mesh_functions.h"

#include <fmt/format.h>

#include "phiflex/mesh/mesh_io.h"

namespace phiflex {
namespace {

const std::string& file_of(std::span<const Value> arguments, const char* name) {
  if (arguments.size() != 1) throw ExpressionError(fmt::format("{} takes one argument: a mesh file", name));
  return arguments[0].text();
}

}  // namespace

Functions mesh_functions(std::filesystem::path folder) {
  const auto read = [folder = std::move(folder)](const std::string& file) {
    if (folder.empty() || !std::filesystem::is_regular_file(folder / file))
      throw Undecided(fmt::format("the mesh file '{}' is not at hand", file));
    return read_tet_mesh(folder / file);
  };
  Functions table;
  table["mesh_vertices"] = [read](std::span<const Value> a) -> Value {
    return static_cast<double>(read(file_of(a, "mesh_vertices")).vertices.size());
  };
  table["mesh_elements"] = [read](std::span<const Value> a) -> Value {
    return static_cast<double>(read(file_of(a, "mesh_elements")).tets.size());
  };
  table["mesh_there"] = [folder_read = read](std::span<const Value> a) -> Value {
    try {
      folder_read(file_of(a, "mesh_there"));
    } catch (const Undecided&) {
      return false;
    }
    return true;
  };
  return table;
}

}  // namespace phiflex

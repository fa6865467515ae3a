// What the fuzzer and the short mutation test feed to the mesh parsers: a letter that picks
// the parser, then the file.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/mesh_info.h"
#include "phiflex/mesh/mesh_writers.h"

namespace phiflex {

inline ParsedMesh parse_selected(char letter, std::string_view bytes) {
  const std::string file = "input";
  switch (letter) {
    case 'm':
      return parse_msh(bytes, file);
    case 'v':
      return parse_vtk(bytes, file);
    case 'u':
      return parse_vtu(bytes, file);
    case 'e':
      return parse_medit(bytes, file);
    case 't': {  // the two files, with a zero byte between them
      const std::size_t cut = bytes.find('\0');
      const bool both = cut != std::string_view::npos;
      return parse_tetgen(bytes.substr(0, cut), "nodes", both ? bytes.substr(cut + 1) : "", "elements");
    }
    case 'g':
      return parse_vega(bytes, file, [](const std::string& name) {
        return name == "set.txt" ? std::optional<std::string>("1, 2\n") : std::nullopt;
      });
    case 'o':
      return parse_obj(bytes, file);
    case 'p':
      return parse_ply(bytes, file);
    case 's':
      return parse_stl(bytes, file);
    case 'f':
      return parse_off(bytes, file);
    case 'x':
      return parse_tfx(bytes, file);
    default:
      throw InputError(file, "", "no parser has this letter");
  }
}

inline void require(bool holds) {
  if (!holds) std::abort();
}

template <std::size_t N>
void require_indices(const std::vector<std::array<int, N>>& elements, std::size_t vertices) {
  for (const auto& element : elements)
    for (const int v : element) require(v >= 0 && static_cast<std::size_t>(v) < vertices);
}

// Parses; whatever is accepted must be consistent, bear inspection, and come back from our own files the
// same. Refusal by InputError is a fine answer, anything else a bug.
inline void exercise_mesh_parser(std::string_view input) {
  if (input.empty()) return;
  try {
    const ParsedMesh parsed = parse_selected(input[0], input.substr(1));
    const TetMesh& mesh = parsed.tet;
    require_indices(mesh.tets, mesh.vertices.size());
    require_indices(parsed.triangles, mesh.vertices.size());
    require_indices(parsed.edges, mesh.vertices.size());
    require(mesh.tags.empty() || mesh.tags.size() == mesh.tets.size());
    for (const auto& [name, values] : mesh.element_fields) require(values.size() == mesh.tets.size());
    for (const auto& [name, vertices] : mesh.vertex_sets)
      for (const int v : vertices) require(v >= 0 && static_cast<std::size_t>(v) < mesh.vertices.size());

    describe(mesh_info(mesh));
    describe(mesh_info(SurfaceMesh{mesh.vertices, parsed.triangles, parsed.edges, {}}));
    for (const auto encoding : {Encoding::text, Encoding::binary}) {
      for (const auto version : {MshVersion::v2_2, MshVersion::v4_1}) {
        const TetMesh back = parse_msh(format_msh(mesh, {version, encoding}), "back").tet;
        require(back.vertices == mesh.vertices && back.tets == mesh.tets);
      }
    }
    check_for_simulation(mesh, "input");
  } catch (const InputError&) {
  }
}

}  // namespace phiflex

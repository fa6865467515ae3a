// Meshes of solid and plane bodies: from a file or a generator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/scene/values.h"

namespace phiflex {

struct FileMesh {
  static constexpr Signature signature{"file"};
  std::filesystem::path file;  // absolute once read
  std::int64_t cells = 24;     // of a closed surface: cubes along its longest side
  bool operator==(const FileMesh&) const = default;
};

struct GeneratedMesh {
  static constexpr Signature signature{"generate"};
  std::string kind;              // the generator's name
  GeneratorArguments arguments;  // all of them once read
  static std::vector<std::string> kinds();
  bool operator==(const GeneratedMesh&) const = default;
};

using MeshSpec = std::variant<FileMesh, GeneratedMesh>;

// Triangles in the plane z = 0, by a generator.
bool is_flat(const MeshSpec& mesh);

}  // namespace phiflex

#include "phiflex/scene/mesh_spec.h"

#include <stdexcept>

#include "phiflex/scene/mesh_fields.h"

namespace phiflex {

std::vector<std::string> GeneratedMesh::kinds() {
  std::vector<std::string> names;
  for (const Generator& generator : generator_catalogue()) names.push_back(generator.name);
  return names;
}

bool is_flat(const MeshSpec& mesh) {
  const auto* generated = std::get_if<GeneratedMesh>(&mesh);
  const Generator* generator = generated ? find_generator(generated->kind) : nullptr;
  return generator && generator->flat;
}

const std::vector<GeneratorParameter>& parameters_of(const GeneratedMesh& mesh) {
  const Generator* generator = find_generator(mesh.kind);
  if (!generator) throw std::invalid_argument("\"" + mesh.kind + "\" is no generator of meshes");
  for (const GeneratorParameter& parameter : generator->parameters) {
    const auto given = mesh.arguments.find(parameter.key);
    if (given != mesh.arguments.end() && given->second.size() != parameter.fallback.size())
      throw std::invalid_argument(std::string(parameter.key) + ": expected " +
                                  std::to_string(parameter.fallback.size()) + " numbers");
  }
  return generator->parameters;
}

}  // namespace phiflex

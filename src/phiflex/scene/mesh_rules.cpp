#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include "phiflex/mesh/generator_catalogue.h"

namespace phiflex {
namespace {

constexpr double most_elements = 2e7;  // of a generator

}  // namespace

void check_mesh(RuleContext& rules, const MeshSpec& mesh, const std::string& pointer) {
  const auto* generated = std::get_if<GeneratedMesh>(&mesh);
  const Generator* generator = generated ? find_generator(generated->kind) : nullptr;
  if (!generator) return;
  check_size(rules, generator->count(generated->arguments), generator->flat ? "triangles" : "tetrahedra",
             pointer);
  if (const auto fault = generator->fault(generated->arguments))
    rules.add(pointer + "/" + fault->key, fault->message, {pointer});
}

void check_solid_mesh(RuleContext& rules, const MeshSpec& mesh, const std::string& pointer) {
  check_mesh(rules, mesh, pointer);
  if (is_flat(mesh)) rules.add(pointer, "is flat; expected a mesh of tetrahedra");
}

void check_size(RuleContext& rules, double elements, const char* noun, const std::string& pointer) {
  if (elements > most_elements) {
    rules.add(pointer,
              fmt::format("asks for {:.3g} {}; at most {:g} are generated", elements, noun, most_elements));
  }
}

}  // namespace phiflex

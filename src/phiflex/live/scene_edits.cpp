#include "phiflex/live/scene_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "phiflex/material/catalogue.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/method_variant.h"

namespace phiflex {
namespace {

constexpr const char* kPinPrefix = "pin-";

template <class Function>
void for_bodies(Scene& scene, const std::string& file, const std::string& name, Function function) {
  bool found = false;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    if (name.empty() || scene.bodies[b].name == name) {
      found = true;
      function(scene.bodies[b], fmt::format("/bodies/{}", b));
    }
  if (!found) throw InputError(file, "/bodies", fmt::format("there is no body \"{}\"", name));
}

void scale_numbers(LawSettings& law, const std::string& file, const std::string& place, double factor) {
  for (auto& [key, value] : law.numbers) {
    const auto parameters = material_parameters();
    const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                        [&name = key](const ParameterInfo& p) { return p.key == name; });
    if (parameter == parameters.end() || std::string_view(parameter->unit) != "Pa") continue;
    if (double* number = std::get_if<double>(&value))
      *number *= factor;
    else
      throw InputError(file, place + "/" + key,
                       "comes from a field of the mesh; expected a number to change");
  }
}

void scale_optional(std::optional<double>& value, double factor) {
  if (value) *value *= factor;
}

void scale_springs(SpringsSpec& springs, double factor) {
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.spring; }) {
          scale_optional(kind.spring.stiffness, factor);
          scale_optional(kind.spring.spring_constant, factor);
        } else {
          kind.fibre.young *= factor;
          kind.fibre.shear_modulus *= factor;
        }
      },
      springs);
}

}  // namespace

Scene with_overrides(const Scene& scene, const std::string& file, const std::vector<std::string>& overrides) {
  std::vector<Problem> remarks;
  return parse_scene(to_json(scene).dump(), file, read_options(overrides), remarks);
}

std::vector<std::string> overrides_of_view(const std::string& text) {
  const MethodVariant variant = parse_method_variant(text, "integrator");
  if (variant.step)
    throw InputError("integrator", "", "all views make the same steps; expected NAME[:key=value...]");
  return overrides_of(variant);
}

Scene with_stiffness(Scene scene, const std::string& file, const std::string& body, double factor) {
  for_bodies(scene, file, body, [&](BodySpec& spec, const std::string& place) {
    if (spec.material) scale_numbers(spec.material->law, file, place + "/material", factor);
    if (spec.springs) scale_springs(*spec.springs, factor);
    for (std::size_t r = 0; r < spec.regions.size(); ++r) {
      RegionSpec& region = spec.regions[r];
      if (region.material)
        scale_numbers(region.material->law, file, fmt::format("{}/regions/{}/material", place, r), factor);
      if (region.springs) {
        scale_optional(region.springs->stiffness, factor);
        scale_optional(region.springs->spring_constant, factor);
      }
    }
  });
  return scene;
}

Scene with_damping(Scene scene, const std::string& file, const std::string& body,
                   const DampingSpec& damping) {
  for_bodies(scene, file, body, [&](BodySpec& spec, const std::string&) {
    spec.damping.mass = damping.mass;
    spec.damping.stiffness = damping.stiffness;
  });
  return scene;
}

Scene with_pin_toggled(Scene scene, const std::string& body, int vertex) {
  const std::size_t before = scene.constraints.size();
  std::erase_if(scene.constraints, [&](const ConstraintSpec& constraint) {
    const auto* fix = std::get_if<FixConstraint>(&constraint);
    return fix && fix->name && fix->name->starts_with(kPinPrefix) && fix->body == body &&
           fix->where == Where{VerticesWhere{{vertex}}};
  });
  if (scene.constraints.size() != before) return scene;
  FixConstraint pin;
  pin.body = body;
  pin.where = VerticesWhere{{vertex}};
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(scene.constraints.begin(), scene.constraints.end(),
                       [&](const ConstraintSpec& constraint) {
                         return std::visit([](const auto& kind) { return kind.name; }, constraint) == name;
                       });
  };
  for (int n = 1; !pin.name || is_taken(*pin.name); ++n) pin.name = fmt::format("{}{}", kPinPrefix, n);
  scene.constraints.emplace_back(std::move(pin));
  return scene;
}

std::vector<std::pair<std::string, int>> pins_of(const Scene& scene) {
  std::vector<std::pair<std::string, int>> pins;
  for (const ConstraintSpec& constraint : scene.constraints) {
    const auto* fix = std::get_if<FixConstraint>(&constraint);
    if (!fix || !fix->name || !fix->name->starts_with(kPinPrefix)) continue;
    if (const auto* where = std::get_if<VerticesWhere>(&fix->where); where && where->vertices.size() == 1)
      pins.emplace_back(fix->body, static_cast<int>(where->vertices.front()));
  }
  return pins;
}

std::string scene_file_text(const Scene& scene) {
  nlohmann::ordered_json json = to_json(scene);
  const std::vector<MethodWords> methods = read_options().integrators;
  const auto method = std::find_if(methods.begin(), methods.end(),
                                   [&](const MethodWords& m) { return m.name == scene.integrator.type; });
  if (method != methods.end()) {
    nlohmann::ordered_json used = nlohmann::ordered_json::object();
    for (const auto& [key, value] : json["integrator"].items())
      if (key == "type" || std::find(method->keys.begin(), method->keys.end(), key) != method->keys.end())
        used[key] = value;
    json["integrator"] = std::move(used);
  }
  return json.dump(2) + "\n";
}

BodyStiffness stiffness_of(const BodySpec& body) {
  if (body.material) {
    const MaterialInfo* law = find_material(law_name(*body.material));
    for (const auto& [key, value] : body.material->law.numbers) {
      const ParameterInfo* parameter = law ? law->find(key) : nullptr;
      if (parameter && std::string_view(parameter->unit) == "Pa" &&
          (key == "young" || !body.material->law.numbers.contains("young")))
        return {std::holds_alternative<double>(value) ? std::get<double>(value) : 0, key, "Pa"};
    }
  }
  BodyStiffness found;
  if (body.springs)
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.spring; }) {
            if (kind.spring.stiffness) found = {*kind.spring.stiffness, "stiffness", "N"};
            if (kind.spring.spring_constant) found = {*kind.spring.spring_constant, "spring_constant", "N/m"};
          } else {
            found = {kind.fibre.young, "young", "Pa"};
          }
        },
        *body.springs);
  return found;
}

}  // namespace phiflex

#include "phiflex/scene/material_keys.h"

#include "phiflex/scene/scene.h"

namespace phiflex {

const std::vector<MaterialKey>& material_keys() {
  constexpr std::size_t few = 3;
  static const std::vector<MaterialKey> keys = [] {
    std::vector<MaterialKey> made;
    for (const ParameterInfo& parameter : material_parameters()) {
      const std::vector<std::string> laws = laws_with(parameter.key);
      std::string doc;
      for (const std::string& law : laws) doc += (doc.empty() ? "`" : ", `") + law + "`";
      made.push_back({parameter, laws.size() > few ? parameter.doc : doc + ": " + parameter.doc});
    }
    return made;
  }();
  return keys;
}

const std::vector<std::pair<std::string, std::string>>& needed_material_keys() {
  static const std::vector<std::pair<std::string, std::string>> needed = [] {
    std::vector<std::pair<std::string, std::string>> made;
    for (const MaterialInfo& law : material_catalogue())
      for (const ParameterInfo& parameter : law.parameters)
        if (parameter.kind == ParameterKind::number && !parameter.fallback && law.properties.form_of.empty())
          made.emplace_back(law.name, parameter.key);
    return made;
  }();
  return needed;
}

std::vector<std::string> LawName::names() {
  std::vector<std::string> names;
  for (const MaterialInfo& law : material_catalogue())
    if (law.properties.form_of.empty()) names.emplace_back(law.name);
  return names;
}

std::string law_name(const MaterialSpec& material) {
  if (material.volumetric == Volumetric::isochoric)
    for (const MaterialInfo& law : material_catalogue())
      if (law.properties.form_of == material.type.text) return std::string(law.name);
  return material.type.text;
}

void complete(MaterialSpec& material) {
  for (const ParameterInfo& parameter : material_info(material.type.text).parameters)
    if (parameter.fallback) material.law.numbers.try_emplace(parameter.key, *parameter.fallback);
}

MaterialSpec changed(MaterialSpec material, const MaterialChange& change) {
  if (change.type) material.type = *change.type;
  const MaterialInfo& law = material_info(material.type.text);
  const auto merge = [&](auto& own, const auto& given) {
    std::erase_if(own, [&](const auto& entry) { return !law.find(entry.first); });
    for (const auto& [key, value] : given) own[key] = value;
  };
  merge(material.law.numbers, change.law.numbers);
  merge(material.law.directions, change.law.directions);
  merge(material.law.curves, change.law.curves);
  if (change.law.field) {
    material.law.field = change.law.field;
    material.law.directions.clear();
  } else if (!change.law.directions.empty()) {
    material.law.field.reset();
  }
  material.density = change.density.value_or(material.density);
  material.volumetric = change.volumetric.value_or(material.volumetric);
  if (change.prony) material.prony = *change.prony;
  return material;
}

}  // namespace phiflex

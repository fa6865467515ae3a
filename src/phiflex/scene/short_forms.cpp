#include "phiflex/scene/short_forms.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace phiflex {
namespace {

using nlohmann::json;

void remove_ignored(json& value) {
  if (value.is_object())
    for (const char* key : ignored_keys) value.erase(key);
  if (value.is_structured())
    for (json& item : value) remove_ignored(item);
}

}  // namespace

void expand_short_forms(const std::vector<MethodWords>& integrators, json& scene) {
  remove_ignored(scene);
  if (!scene.is_object() || !scene.contains("integrator")) return;
  json& integrator = scene["integrator"];
  if (integrator.is_string()) integrator = {{"type", integrator}};
  if (!integrator.is_object() || !integrator.contains("type") || !integrator["type"].is_string()) return;
  const std::string& type = integrator["type"].get_ref<const std::string&>();
  for (const MethodWords& method : integrators)
    if (std::find(method.aliases.begin(), method.aliases.end(), type) != method.aliases.end()) {
      integrator["type"] = method.name;
      return;
    }
}

}  // namespace phiflex

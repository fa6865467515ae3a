// The scene's keys for the parameters of all laws (material/catalogue.h), each once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "phiflex/material/catalogue.h"

namespace phiflex {

struct MaterialKey {
  ParameterInfo parameter;
  std::string doc;  // names the laws where they are few
};
const std::vector<MaterialKey>& material_keys();
// A law and a key that it needs.
const std::vector<std::pair<std::string, std::string>>& needed_material_keys();

}  // namespace phiflex

// A method with settings of its own, as one word of the command line:
//
//   NAME[:key=value]...[:H]        siere:modes=10   newmark:beta=0.3:gamma=0.6   rk4:1e-4
//
// where key=value is a key of the scene's integrator and H a step in seconds. So one method can be compared
// with itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "phiflex/scene/method_spec.h"

namespace phiflex {

struct MethodVariant {
  std::string name;                   // of the catalogue, or "auto"
  std::vector<std::string> settings;  // key=value
  std::optional<double> step;         // s
  // Without the step: what rows, legends and folders are called. "siere:modes=10".
  std::string label() const;
};

// `given` names where the text stands, for messages. InputError for a name that is not in the catalogue.
MethodVariant parse_method_variant(const std::string& text, const std::string& given);
// Separated by commas; every problem at once.
std::vector<MethodVariant> parse_method_variants(const std::string& text, const std::string& given);

// The scene's integrator of the variant, every other key as it was in the scene (scene/overrides.h).
std::vector<std::string> overrides_of(const MethodVariant& variant);
// The same without a scene. InputError when a setting is not one of the catalogue's.
IntegratorSpec integrator_of(const MethodVariant& variant);

}  // namespace phiflex

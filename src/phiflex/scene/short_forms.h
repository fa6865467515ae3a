// Shorter ways to write a scene, and remarks, turned into what the shape knows (shape.h):
//
//   "integrator": "em"               { "type": "em" }
//   "integrator": "backward-euler"   { "type": "be" }, where the caller's catalogue has that other name
//   "comment", "$schema"             of any object: ignored
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>

#include "phiflex/scene/scene_io.h"

namespace phiflex {

inline constexpr std::array ignored_keys = {"$schema", "comment"};

// Removing keys and replacing values changes no JSON pointer of what stays.
void expand_short_forms(const std::vector<MethodWords>& integrators, nlohmann::json& scene);

}  // namespace phiflex

// Fills a Scene from JSON that has the scene's shape.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "phiflex/scene/scene.h"

namespace phiflex {

// What does not have the right shape is left at its default, so that the rest can still be examined;
// check_shape has reported it.
void bind_scene(const nlohmann::json& value, Scene& scene);

}  // namespace phiflex

// The loads a scene asks for: forces on vertices, wind on surfaces.
#pragma once

#include <string>

#include "phiflex/build/model_builder.h"
#include "phiflex/run/scene_body.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

// Adds the force at `pointer` (/forces/0) of a scene.
void add_force(const Scene& scene, const ForceSpec& force, const std::string& pointer, ModelBuilder& builder);

}  // namespace phiflex

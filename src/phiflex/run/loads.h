// The loads a scene asks for: forces on vertices, wind on surfaces.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/model/model_description.h"
#include "phiflex/run/body.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

// description: rest positions and masses of the model that the bodies make up.
std::vector<std::shared_ptr<const Load>> make_loads(const Scene& scene, const std::vector<Body>& bodies,
                                                    const ModelDescription& description,
                                                    SceneProblems& problems);

}  // namespace phiflex

// A body made of springs: from its generator or file to vertices, masses and springs at their place.
#pragma once

#include "phiflex/run/body.h"

namespace phiflex {

// The springs part of build_body.
void build_springs(const BodySpec& spec, const std::string& pointer, Body& body, SceneProblems& problems);

}  // namespace phiflex

// A body made of springs: from its generator or file to vertices, masses and springs at their place.
#pragma once

#include "phiflex/run/scene_body.h"

namespace phiflex {

// The springs part of build_body.
Body build_springs(const BodySpec& spec, const std::string& pointer, ProblemList& problems);

}  // namespace phiflex

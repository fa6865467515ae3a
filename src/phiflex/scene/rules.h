// What a scene must satisfy beyond the shape of each value: relations between values, names that must exist.
#pragma once

#include "phiflex/scene/check.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {

// Rules about places where the shape is already wrong are left out.
void check_rules(const Scene& scene, const ReadOptions& known, Findings& findings);

}  // namespace phiflex

// Bodies of triangles in a plane.
#pragma once

#include "phiflex/run/body.h"

namespace phiflex {

// The mesh, the nodes and the materials of a body whose element is_plane.
void build_plane(const BodySpec& spec, const std::string& pointer, Body& body, SceneProblems& problems);

}  // namespace phiflex

// Bodies of triangles in a plane.
#pragma once

#include "phiflex/run/scene_body.h"

namespace phiflex {

// The mesh, the nodes and the materials of a body whose element is_plane.
Body build_plane(const BodySpec& spec, const std::string& pointer, ProblemList& problems);

}  // namespace phiflex

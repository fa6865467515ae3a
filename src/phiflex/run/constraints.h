// The held vertices that a scene's constraints ask for: fixed, moved along a path, carried by a rigid frame, or
// taken where a file says.
//
// A motion file is a table (CSV): a heading "time,<vertex>_x,<vertex>_y,<vertex>_z,..." with the body's vertex
// numbers in any order, then one row for every time, ascending, with positions in m; linear in between. A
// column "step", as run folders write it, is left alone.
#pragma once

#include <filesystem>
#include <string>

#include "phiflex/build/model_builder.h"
#include "phiflex/run/scene_body.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

Path make_path(const RigidMotionSpec& motion);

// Holds the vertices of the constraint at `pointer` (/constraints/0). end: of the scene, s; a motion file must
// last until then, or until the release.
void add_constraint(const ConstraintSpec& constraint, double end, const std::string& pointer,
                    ModelBuilder& builder);

}  // namespace phiflex

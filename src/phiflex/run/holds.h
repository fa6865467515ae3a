// The held vertices that a scene's constraints ask for: fixed, moved along a path, carried by a rigid frame, or
// taken where a file says.
//
// A motion file is a table (CSV): a heading "time,<vertex>_x,<vertex>_y,<vertex>_z,..." with the body's vertex
// numbers in any order, then one row for every time, ascending, with positions in m; linear in between. A
// column "step", as run folders write it, is left alone.
#pragma once

#include <filesystem>
#include <string>

#include "phiflex/model/model_description.h"
#include "phiflex/run/body.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

Path make_path(const RigidMotionSpec& motion);

// The hold of the constraint at `pointer` (/constraints/0), by the model's vertices. end: of the scene, s; a
// motion file must last until then, or until the release.
Hold make_hold(const ConstraintSpec& constraint, const std::vector<Body>& bodies, double end,
               const std::string& pointer, SceneProblems& problems);
double release_time(const ConstraintSpec& constraint);  // s; infinity: never

}  // namespace phiflex

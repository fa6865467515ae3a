// Positions and velocities that an earlier run left: a frame, or the newest checkpoint of its folder.
#pragma once

#include <filesystem>
#include <vector>

#include "phiflex/run/scene_body.h"

namespace phiflex {

struct StoredState {
  std::vector<Point3> positions;   // m, of the body's vertices
  std::vector<Point3> velocities;  // m/s
};

// Of `body`, whose vertices are numbers first_vertex.. of all_vertices in its own scene. A frame holds either the
// body alone or the bodies of such a scene; a run's folder holds a body of the same name. InputError when what is there
// is no such state, or is one of another mesh; FileError when it cannot be read.
StoredState read_stored_state(const std::filesystem::path& path, const Body& body, int all_vertices);

}  // namespace phiflex

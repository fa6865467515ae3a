// Where a body starts: as its scene says, or as an earlier run left it.
//
// The initial displacement and velocity of a body's vertices, all of them, constrained ones included.
//
// Along the chosen axis let s in [0, 1] run from the low to the high end of the rest shape's bounding box,
// L its length there, c the box's centre in the two other directions.
//
//   stretch   x_axis -> low + factor (x_axis - low)                                                       (1)
//   twist     (y, z) turns about the line through c by the angle  s * angle                               (2)
//   bend      the centre line becomes an arc of length L with tangent angle  s * angle  in the plane
//             (axis, toward); cross-sections stay plane and normal to it                                  (3)
#pragma once

#include <filesystem>
#include <vector>

#include "phiflex/run/scene_body.h"

namespace phiflex {

struct InitialMotion {
  std::vector<Point3> displacement;  // m
  std::vector<Point3> velocity;      // m/s
};

// masses: of the body's vertices (kg), for the centre of mass that an angular velocity turns about.
InitialMotion initial_motion(const InitialSpec& spec, const Body& body, const std::vector<double>& masses);

// Positions and velocities that an earlier run left: a frame, or the newest checkpoint of its folder.
struct StoredState {
  std::vector<Point3> positions;   // m, of the body's vertices
  std::vector<Point3> velocities;  // m/s
};

// Of `body`, whose vertices are numbers first_vertex.. of all_vertices in its own scene. A frame holds either the
// body alone or the bodies of such a scene; a run's folder holds a body of the same name. InputError when what is there
// is no such state, or is one of another mesh; FileError when it cannot be read.
StoredState read_stored_state(const std::filesystem::path& path, const Body& body, int all_vertices);

}  // namespace phiflex

// How the parts of a scene are given to the model builder; each part has a file of its own (loads.cpp and so on).
#pragma once

#include <filesystem>
#include <string>

#include "phiflex/build/model_builder.h"
#include "phiflex/run/scene_body.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

// The held vertices that a scene's constraints ask for: fixed, moved along a path, carried by a rigid frame, or
// taken where a file says.
//
// A motion file is a table (CSV): a heading "time,<vertex>_x,<vertex>_y,<vertex>_z,..." with the body's vertex
// numbers in any order, then one row for every time, ascending, with positions in m; linear in between. A
// column "step", as run folders write it, is left alone.
Path make_path(const RigidMotionSpec& motion);

// Holds the vertices of the constraint at `pointer` (/constraints/0). time: of the scene; a motion file must last from
// its start to its end, or until the release.
void add_constraint(const ConstraintSpec& constraint, const TimeSpec& time, const std::string& pointer,
                    ModelBuilder& builder);

// The loads a scene asks for: forces on vertices, wind on surfaces.
// Adds the force at `pointer` (/forces/0) of a scene.
void add_force(const Scene& scene, const ForceSpec& force, const std::string& pointer, ModelBuilder& builder);

// The contacts of a scene: obstacles, bodies that meet, and particles that keep their distance.
// Adds the contact at `pointer` (/contacts/0).
void add_contact(const ContactSpec& contact, const std::string& pointer, ModelBuilder& builder);
// Of a scene with two or more bodies that says nothing of their contact (`bodies`, `particles`): every two bodies meet,
// cloths meet themselves, without friction.
void add_default_contact(const Scene& scene, ModelBuilder& builder);

}  // namespace phiflex

// The contacts of a scene: obstacles, bodies that meet, and particles that keep their distance.
#pragma once

#include <string>

#include "phiflex/build/model_builder.h"
#include "phiflex/run/scene_body.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

// Adds the contact at `pointer` (/contacts/0).
void add_contact(const ContactSpec& contact, const std::string& pointer, ModelBuilder& builder);
// Of a scene with two or more bodies that says nothing of their contact (`bodies`, `particles`): every two bodies meet,
// cloths meet themselves, without friction.
void add_default_contact(const Scene& scene, ModelBuilder& builder);

}  // namespace phiflex

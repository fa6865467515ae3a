// The keys of the whole scene (field.h).
#pragma once

#include "phiflex/scene/body_fields.h"
#include "phiflex/scene/coarsening_fields.h"
#include "phiflex/scene/constraint_fields.h"
#include "phiflex/scene/contact_fields.h"
#include "phiflex/scene/force_fields.h"
#include "phiflex/scene/material_fields.h"
#include "phiflex/scene/mesh_fields.h"
#include "phiflex/scene/method_fields.h"
#include "phiflex/scene/output_fields.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/spring_fields.h"
#include "phiflex/scene/where_fields.h"

namespace phiflex {

template <class V>
void fields(V& v, Scene& s) {
  v({.key = "phiflex", .doc = "version of the scene format", .range = {.low = 1, .high = 1}}, s.phiflex);
  v({.key = "name", .doc = "name of the scene; absent: the file's name", .text_rule = TextRule::name},
    s.name);
  v({.key = "time", .doc = "step and end", .need = Need::required}, s.time);
  v({.key = "integrator",
     .doc = "time-stepping method and its settings; settings of other methods are not used"},
    s.integrator);
  // Written only where it is another than the default, so that scenes have the hash that they had without it.
  constexpr bool writes = requires {
    V::writes;
  };
  if (!writes || s.device != Device::cpu)
    v({.key = "device",
       .doc = "where steps are computed: `cuda` is an NVIDIA card, which has a part of what the CPU has; "
              "`phiflex check` says what it refuses (docs/gpu.md)"},
      s.device);
  v({.key = "gravity", .doc = "gravitational acceleration", .unit = "m/s^2"}, s.gravity);
  v({.key = "bodies", .doc = "what moves", .need = Need::required, .min_items = 1}, s.bodies);
  v({.key = "constraints", .doc = "vertices that are held or moved"}, s.constraints);
  v({.key = "forces", .doc = "loads beside gravity; where several act they add up"}, s.forces);
  v({.key = "contacts",
     .doc = "obstacles, and which bodies meet; with two or more bodies and neither `bodies` nor `particles` "
            "here, every two of them meet, and cloths meet themselves"},
    s.contacts);
  v({.key = "probes", .doc = "points whose motion is written to `probes.csv`"}, s.probes);
  v({.key = "coarsening", .doc = "lets a coarse mesh move like a finer one"}, s.coarsening);
  v({.key = "settle",
     .doc = "start from the static equilibrium under the loads at t = 0, as `phiflex settle` finds it; "
            "initial velocities stay"},
    s.settle);
  v({.key = "output", .doc = "frames to write"}, s.output);
  v({.key = "limits", .doc = "what stops a run before its end"}, s.limits);
}

}  // namespace phiflex

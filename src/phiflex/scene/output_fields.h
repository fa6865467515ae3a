// The keys of what is recorded, and of what stops a run (field.h).
#pragma once

#include "phiflex/scene/field.h"
#include "phiflex/scene/output_spec.h"

namespace phiflex {

template <class V>
void fields(V& v, ProbeSpec& s) {
  v({.key = "name",
     .doc = "name of the probe, a heading in `probes.csv`",
     .need = Need::required,
     .text_rule = TextRule::name},
    s.name);
  v({.key = "body", .doc = "name of the body", .need = Need::required}, s.body);
  v({.key = "at",
     .doc = "follows the vertex whose rest place is nearest to this point",
     .unit = "m",
     .need = Need::required},
    s.at);
}

template <class V>
void fields(V& v, OutputSpec& s) {
  v({.key = "every", .doc = "number of steps between frames", .range = at_least_one}, s.every);
  v({.key = "formats", .doc = "file formats of the frames; an empty list writes none"}, s.formats);
  v({.key = "fields",
     .doc =
         "strain and stress: of every element and, as `vertex_...`, smoothed at the vertices in the frames; "
         "means and peaks of each body and region in `measures.csv`. `contact_force`: on every vertex, in "
         "the frames. `displacement`, `velocity` and `strain_energy_density` are in the frames in any case"},
    s.fields);
  v({.key = "measures",
     .doc = "write surface area, mean speed and the work of contacts of every step to `measures.csv`, and "
            "the contacts' work on each vertex to the frames"},
    s.measures);
  v({.key = "modes",
     .doc = "write the eigenvalues of so many lowest modes to `measures.csv`, after every step anew, each "
            "followed by its shape",
     .range = {.low = 0, .high = 100}},
    s.modes);
  v({.key = "condition",
     .doc = "write estimates of the condition of the matrices I + h^2 M^-1 K (backward Euler) and I + h^2/4 "
            "M^-1 K (midpoint) to `measures.csv`"},
    s.condition);
}

template <class V>
void fields(V& v, LimitsSpec& s) {
  v({.key = "energy",
     .doc = "a run fails (exit code 76) when its kinetic, elastic and contact energy exceed this many times "
            "the available energy: that at the start, plus what gravity gave and the work of forces and "
            "moved constraints",
     .range = at_least_one},
    s.energy);
}

}  // namespace phiflex

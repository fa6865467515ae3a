// The keys of what stops a run (field.h).
#pragma once

#include "phiflex/scene/field.h"
#include "phiflex/scene/limits_spec.h"

namespace phiflex {

template <class V>
void fields(V& v, LimitsSpec& s) {
  v({.key = "energy",
     .doc = "a run fails (exit code 76) when its energy exceeds this many times what there was at the start, "
            "what gravity gave and what forces and moved constraints brought in",
     .range = at_least_one},
    s.energy);
}

}  // namespace phiflex

// The keys of what stops a run (field.h).
#pragma once

#include "phiflex/scene/field.h"
#include "phiflex/scene/limits_spec.h"

namespace phiflex {

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

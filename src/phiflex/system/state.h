// The state of a mechanical system: time, displacement and velocity of the free degrees of freedom.
#pragma once

#include "phiflex/base/archive.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

struct State {
  double t = 0;  // s
  Vector q;      // displacement from the rest shape, m
  Vector v;      // velocity, m/s
};

// In an archive: t, q, v.
inline void put_state(const State& state, ArchiveWriter& out) {
  out.put(state.t);
  out.put(as_span(state.q));
  out.put(as_span(state.v));
}

// Throws ArchiveError when the stored state has another number of degrees of freedom.
inline void get_state(ArchiveReader& in, Index dofs, State& state) {
  state.t = in.get_double();
  state.q.resize(dofs);
  state.v.resize(dofs);
  in.get_doubles(as_span(state.q));
  in.get_doubles(as_span(state.v));
}

}  // namespace phiflex

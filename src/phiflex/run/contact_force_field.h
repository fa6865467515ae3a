// The forces of contact on the vertices, for the frames (docs/run_folder.md):
//
//   f = -dW/dx + friction(t, x, v) + p / h                                                                  (1)
//
// W: barriers and penalties, between bodies and with obstacles, also moving ones; friction: of obstacles; p: the
// impulses of projections in the step of length h that ended in the state. The friction between bodies and the impulses
// between particles act within a step and are not in it.
#pragma once

#include "phiflex/run/simulation.h"
#include "phiflex/scene/output_spec.h"

namespace phiflex {

class ContactForceField {
 public:
  static bool wanted(const OutputSpec& output);
  // x: positions of all vertices at the simulation's state. Three numbers a vertex, N.
  const Vector& update(const Simulation& simulation, const Vector& x);

 private:
  Vector f_, friction_;
};

}  // namespace phiflex

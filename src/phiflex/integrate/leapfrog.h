// Central differences as a one-step map (velocity Verlet, leapfrog; kick, drift, kick):
//
//   w  = v + h/2 M^-1 f(t, q, v)                     the velocity at t + h/2                              (1)
//   q+ = q + h w                                                                                          (2)
//   v+ = w + h/2 M^-1 f(t + h, q+, v + h M^-1 f(t, q, v))                                                 (3)
//
// so that q+ - 2 q + q- = h^2 M^-1 f(t, q) when f does not depend on the velocity. Where it does, (3)
// takes it at a velocity that is right to O(h^2): the order stays 2. Where it does not, the force of (3) is
// that of (1) in the next step, and is not computed twice.
// Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, section I.1.4.
#pragma once

#include "phiflex/integrate/step_memory.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

class Leapfrog {
 public:
  explicit Leapfrog(const MechanicalSystem& system) : system_(system) {}

  StepStatus advance(const State& now, double h, State& next, Work& work);

  // Saved, so that a resumed run does the same work and gets the same bits.
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  const MechanicalSystem& system_;
  StepMemory memory_;
  Vector carried_;  // the acceleration where the last step ended
  Vector f_, a_, w_;
};

}  // namespace phiflex

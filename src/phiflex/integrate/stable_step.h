// How long a leapfrog step (leapfrog.h) may be. On q'' + d q' + lambda q = 0 it is stable where
//
//   h^2 lambda/4 + h d/2 <= 1                                                                             (1)
//
// (without damping up to the limit h w = 2 itself). With the bounds lambda <= |M^-1 K| and d <= |M^-1 D| in
// the infinity norm, of the tangent at a state, and nine tenths of the step that (1) then allows: a step that
// is stable there, and a little beyond. To lambda
//
//   16 max k/m                                                                                            (2)
//
// is added, k the stiffness of penalties on a vertex of mass m, touched or not (MechanicalSystem::untouched_stiffness):
// a body may meet them and leave them within one step. The impact of a vertex lasts half a period, with (2) seven
// steps, and changes its kinetic energy by 2 % at most, 0.02 % in the mean, whatever the moment it begins in. At the
// limit of (1) it could multiply it by five.
//
// Stable is not accurate. Leapfrog keeps a shadow energy; the energy of a vibration w swings about it by
// (h w/2)^2/(1 - (h w/2)^2) of itself, at the step of (1) fourfold. Where nothing touches, motions that are slower than
// that hold the energy. An impact rings the fastest vibrations of a mesh, and what they swing by is then a gain of the
// whole. From the first touch of a barrier on `verlet` takes
//
//   1/4 of the step of (1):    h w <= 0.45, and vibrations swing by 5 % of themselves at most               (3)
//
// Bars of 3e4 Pa that fall on a floor gain 4.5 % of their motion at the whole of it, 0.05 % so
// (bench/results/2026-11-18-contact.txt).
#pragma once

#include <memory>

#include "phiflex/system/mechanical_system.h"

namespace phiflex {

class StableStep {
 public:
  explicit StableStep(const MechanicalSystem& system);  // which must outlive it

  // In seconds; infinite where nothing pulls, 0 where the tangent is not finite.
  double at(const State& state, Work& work);

 private:
  const MechanicalSystem& system_;
  std::unique_ptr<AssembledTangent> tangent_;
};

inline constexpr double kResolvedPart = 0.25;  // of (3)

// How many explicit steps a step of length h takes at this state: what `verlet` would do where nothing touches, and the
// price, in forces, to hold an implicit step against.
double explicit_substeps(const MechanicalSystem& system, const State& at, double h);
double explicit_substeps(double h, double stable_step);  // infinite where that is 0

}  // namespace phiflex

// What steps cost, counted: sizes of the scene times rates, in units of about a nanosecond as in linalg/work_rates.h.
// The rates were measured once, on one thread (bench/results/2026-11-18-auto.txt), and are fixed: what is decided by
// them repeats to the bit, on any machine and with any number of threads.
//
//   force, iterate, assembly             rates of elements and vertices, summed over the scene                     (1)
//   explicit step of n substeps          n forces (2 n where they depend on velocities) + 1 assembly               (2)
//   energy-momentum step                 n (iterate + application) + (assembly + build)/30, n = 4, or 20 where all are
//                                        springs without drag or damping by stiffness, which go slack and buckle     (3)
//   step that was made                   its counts (base/work.h), each times its price                            (4)
//
// and for each step what it takes beside: energies and the ledger.
//
// application, build: of the inverse that implicit steps keep (linalg/kept_inverse.h). (3) is what a smooth motion
// takes; (4) is what it came to.
#pragma once

#include "phiflex/base/work.h"
#include "phiflex/linalg/kept_inverse.h"
#include "phiflex/run/scene_model.h"

namespace phiflex {

struct StepPrices {
  double force = 0, two_state = 0, assembly = 0, step = 0;  // (1)
  double forces = 1;                                        // of an explicit substep
  double iterations = 4;                                    // n of (3)
  double build = 0, application = 0;                        // 0: the inverse is not known

  void know(const KeptInverse& inverse);
  double explicit_step(double substeps) const;                  // (2)
  double energy_momentum_step() const;                          // (3)
  double counted(const Work& work, bool explicit_steps) const;  // (4)
};

// What a choice by cost takes from the scene.
struct SceneWork {
  StepPrices prices;            // the inverse is not known
  bool touches = false;         // bodies or obstacles may meet, in whichever way
  bool ledger_of_ends = false;  // damping by stiffness, or loads

  // Damping by stiffness and loads that depend on the velocity are booked by the ends of a step, which does not tell
  // what they did in its substeps; em books them exactly. An explicit step is worth half as much there. Damping by mass
  // acts on slow motions as on fast ones, and the ends tell it.
  double price_of_ledger() const { return ledger_of_ends ? 2 : 1; }
};
SceneWork scene_work(const SceneModel& world, const DeformableModel& model);

}  // namespace phiflex

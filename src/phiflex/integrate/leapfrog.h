// Central differences as a one-step map (velocity Verlet, leapfrog; kick, drift, kick):
//
//   w  = v + h/2 M^-1 f(t, q, v)                     the velocity at t + h/2                              (1)
//   q+ = q + h w                                                                                          (2)
//   v+ = w + h/2 M^-1 f(t + h, q+, v + h M^-1 f(t, q, v))                                                 (3)
//
// so that q+ - 2 q + q- = h^2 M^-1 f(t, q) when f does not depend on the velocity. Where it does, (3)
// takes it at a velocity that is right to O(h^2): the order stays 2. Where it does not, the force of (3) is
// that of (1) in the next step, and is not computed twice.
// With a FrictionKick (system/step_meters.h) f is the force without friction, and each of the kicks (1) and (3) of h/2
// is followed by one of friction, which is implicit: friction takes energy at any h, and what it took is known to the
// last digit. It is then of order one in friction alone.
// Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, section I.1.4.
#pragma once

#include <memory>

#include "phiflex/integrate/step_memory.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

class Leapfrog {
 public:
  // kick: null: friction is one of the forces.
  explicit Leapfrog(const MechanicalSystem& system, std::unique_ptr<FrictionKick> kick = nullptr)
      : system_(system), kick_(std::move(kick)) {}

  StepStatus advance(const State& now, double h, State& next, Work& work);
  bool kicks() const { return kick_ != nullptr; }
  // By the kicks of the latest advance() from the free vertices, J.
  double friction() const { return friction_; }

  // Saved, so that a resumed run does the same work and gets the same bits.
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  StepStatus evaluate(const State& at, Work& work);  // a_
  bool depends_on_velocity() const {
    return kick_ ? kick_->others_depend_on_velocity() : system_.force_depends_on_velocity();
  }

  const MechanicalSystem& system_;
  std::unique_ptr<FrictionKick> kick_;
  double friction_ = 0;
  State start_;  // q, and w of (1)
  StepMemory memory_;
  Vector carried_;  // the acceleration where the last step ended
  Vector f_, a_, w_;
};

}  // namespace phiflex

// What a method that divides its step asks of a system, so that the ledger closes (model/energy_ledger.h): the work of
// each part of the step, and friction taken implicitly in it. Both belong to a system, which must outlive them.
#pragma once

#include "phiflex/system/state.h"
#include "phiflex/system/two_state_force.h"

namespace phiflex {

class WorkMeter {
 public:
  virtual ~WorkMeter() = default;
  // By the ends of a part of a step, (1), (2) and (5) of the ledger. It is cheaper from where the latest call ended.
  virtual StepWork between(const State& from, const State& to) = 0;
  // Of the friction of the latest between(): what movers of obstacles and vertices spent on it, J.
  virtual double spent_by_movers() const = 0;
};

// Friction r(q, v) = -D(q, v) (v - u), D positive semidefinite, u the velocity of what it rubs on. A kick of the length
// l takes it at the velocity at which it ends,
//
//   M (v - v*) = l r(q, v)                                                                                (1)
//
// by a few steps with D at the velocity that is known (model/friction_kick.h), so that friction turns no slip around
// and takes energy, whatever l.
class FrictionKick {
 public:
  virtual ~FrictionKick() = default;
  // The force of the system without friction, and whether it depends on the velocity.
  virtual void other_forces(const State& at, Vector& f) = 0;
  virtual bool others_depend_on_velocity() const = 0;
  // v of (1) in place of v* = at.v. Returns T(v*) - T(v), T the kinetic energy, J.
  virtual double kick(State& at, double length) = 0;
};

}  // namespace phiflex

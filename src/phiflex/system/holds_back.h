// What a two-state force (two_state_force.h) of a system with contacts also knows: which vertices of an iterate come
// too near to what they touch. A solver that shortens the whole way instead, because one contact stands in it, stops
// every vertex.
#pragma once

#include "phiflex/linalg/vector.h"

namespace phiflex {

class HoldsBack {
 public:
  virtual ~HoldsBack() = default;
  // After TwoStateForce::begin(): draws vertices back on the way from q + h from to q + h w, each on its own, towards
  // `from` (null: towards q). True when there are any. The way to the new w need not be free
  // (MechanicalSystem::free_way).
  virtual bool hold_back(const Vector* from, Vector& w) = 0;
};

}  // namespace phiflex

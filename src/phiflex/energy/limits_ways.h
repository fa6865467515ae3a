// What a contact's part of an energy-momentum force (two_state_term.h) also knows: how far vertices may go before they
// come too near to what they touch. For guesses of a solver, vertex by vertex.
#pragma once

#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

class LimitsWays {
 public:
  virtual ~LimitsWays() = default;
  // After TwoStateTerm::begin(x, ..): lowers part[v], in [0, 1], of the vertices that the way from x + from to x + from
  // + dx would bring too near (contact/contact_forces.h, limit_ways()).
  virtual void limit_ways(const Vector& from, const Vector& dx, std::vector<double>& part) = 0;
};

}  // namespace phiflex

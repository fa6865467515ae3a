// The state of a mechanical system: time, displacement and velocity of the free degrees of freedom.
#pragma once

#include "phiflex/linalg/vector.h"

namespace phiflex {

struct State {
  double t = 0;  // s
  Vector q;      // displacement from the rest shape, m
  Vector v;      // velocity, m/s
};

}  // namespace phiflex

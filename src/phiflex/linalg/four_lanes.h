// Four doubles in one register, for the kernels of this room.
#pragma once

#include <cstring>

#include "phiflex/base/pack.h"

namespace phiflex {

using FourLanes = Register<4>::Numbers;

// `from` and `to` need not be aligned.
inline FourLanes load(const double* from) {
  FourLanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline FourLanes load(const float* from) {
  return FourLanes{from[0], from[1], from[2], from[3]};  // one converting load
}
inline void store(FourLanes lanes, double* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}

}  // namespace phiflex

// The power of two at the size of a number. Dividing by it is exact, and what was divided has squares that neither
// overflow nor vanish: a norm is computed in this unit.
#pragma once

#include <algorithm>
#include <cmath>

#include "phiflex/linalg/team.h"

namespace phiflex {

// 1 for zero and for what is not finite.
inline double binary_unit(double size) {
  if (size == 0 || !std::isfinite(size)) return 1;
  return std::ldexp(1.0, std::max(-1022, std::ilogb(size)));
}

// Of the largest entry.
template <class Derived>
double binary_unit_of(const Eigen::MatrixBase<Derived>& x) {
  return x.size() > 0 ? binary_unit(x.cwiseAbs().maxCoeff()) : 1;
}
// Of the largest entry on all ranks; the entries are finite.
template <class Derived>
double binary_unit_of(const Team& team, const Eigen::MatrixBase<Derived>& x) {
  return binary_unit(largest(team, x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0));
}

}  // namespace phiflex

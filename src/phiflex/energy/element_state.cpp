#include "phiflex/energy/element_state.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "phiflex/linalg/small_symmetric.h"

namespace phiflex {

// sqrt(3/2 s:s) with the deviator s, without forming the mean of large pressures.
double von_mises(const Sym3<double>& stress) {
  const double* s = stress.e;
  const auto square = [](double a) { return a * a; };
  const double normal = square(s[0] - s[1]) + square(s[1] - s[2]) + square(s[2] - s[0]);
  return std::sqrt(0.5 * normal + 3 * (square(s[3]) + square(s[4]) + square(s[5])));
}

std::array<double, 3> principal_values(const Sym3<double>& a) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double entry : a.e)
    if (!std::isfinite(entry)) return {nan, nan, nan};
  Mat3<double> A = full(a);
  std::array<double, 9> V = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  diagonalize(3, {A.e, 9}, V);
  std::array<double, 3> values = {A(0, 0), A(1, 1), A(2, 2)};
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

std::array<double, 3> principal_stretches(const ElementState& state) {
  std::array<double, 3> stretches = principal_values(state.C);
  for (double& s : stretches) s = std::sqrt(std::max(s, 0.0));
  if (state.J < 0) stretches[2] = -stretches[2];
  return stretches;
}

Sym3<double> green_strain(const Sym3<double>& C) {
  return 0.5 * (C - Sym3<double>::scaled_identity(1));
}

}  // namespace phiflex

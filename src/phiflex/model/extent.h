// How large bodies are.
#pragma once

#include <algorithm>

#include "phiflex/linalg/vector.h"

namespace phiflex {

// Of the box around these vertices, x y z of each, in their unit; 0 where there is none.
inline double largest_side(const Vector& positions) {
  double largest = 0;
  for (Index axis = 0; axis < 3 && positions.size() > 0; ++axis) {
    const auto coordinates = positions(Eigen::seq(axis, Eigen::last, 3));
    largest = std::max(largest, coordinates.maxCoeff() - coordinates.minCoeff());
  }
  return largest;
}

}  // namespace phiflex

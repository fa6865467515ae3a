// Coordinates of some vertices among those of a whole scene, three numbers each. Every body has a term of its own for
// each obstacle: what such a term compares and keeps must grow with its own vertices, not with the scene, or steps and
// memory grow with the square of the number of bodies.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

// Whether no coordinate of these vertices is larger than the limit. False where one is not a number.
inline bool own_within(const std::vector<int>& vertices, const Vector& x, double limit) {
  Index outside = 0;
  for (const int vertex : vertices)
    for (Index i = 0; i < 3; ++i) outside += !(std::abs(x[3 * Index(vertex) + i]) <= limit);
  return outside == 0;
}

// own: three numbers for each of the vertices, in their order.
inline void take_own(const std::vector<int>& vertices, const Vector& x, Vector& own) {
  own.resize(3 * Index(vertices.size()));
  Index k = 0;
  for (const int vertex : vertices)
    for (Index i = 0; i < 3; ++i) own[k++] = x[3 * Index(vertex) + i];
}

// Whether they are those of x. False where one is not a number.
inline bool is_own(const std::vector<int>& vertices, const Vector& x, const Vector& own) {
  Index k = 0, others = 0;
  for (const int vertex : vertices)
    for (Index i = 0; i < 3; ++i) others += !(own[k++] == x[3 * Index(vertex) + i]);
  return others == 0;
}

// The largest change of a coordinate from own to x; infinite where one is not a number.
inline double largest_own_change(const std::vector<int>& vertices, const Vector& x, const Vector& own) {
  double largest = 0;
  Index k = 0;
  for (const int vertex : vertices)
    for (Index i = 0; i < 3; ++i) {
      const double change = std::abs(x[3 * Index(vertex) + i] - own[k++]);
      largest = std::max(largest, change >= 0 ? change : std::numeric_limits<double>::infinity());
    }
  return largest;
}

}  // namespace phiflex

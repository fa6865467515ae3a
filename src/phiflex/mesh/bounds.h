// The box around points, along the axes.
#pragma once

#include <algorithm>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

struct Bounds {
  Point3 low{}, high{};
  double length(int axis) const { return high[axis] - low[axis]; }
  double centre(int axis) const { return 0.5 * (low[axis] + high[axis]); }
};

// points: at least one.
inline Bounds bounds_of(const std::vector<Point3>& points) {
  Bounds bounds{points.front(), points.front()};
  for (const Point3& x : points)
    for (int i = 0; i < 3; ++i) {
      bounds.low[i] = std::min(bounds.low[i], x[i]);
      bounds.high[i] = std::max(bounds.high[i], x[i]);
    }
  return bounds;
}

inline Bounds united(const Bounds& a, const Bounds& b) {
  Bounds both = a;
  for (int i = 0; i < 3; ++i) {
    both.low[i] = std::min(a.low[i], b.low[i]);
    both.high[i] = std::max(a.high[i], b.high[i]);
  }
  return both;
}

}  // namespace phiflex

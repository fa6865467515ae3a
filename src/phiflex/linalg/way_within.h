// Whether a motion stays within bounds of its coordinates: one pass, without a branch for each.
#pragma once

#include <cmath>

#include "phiflex/linalg/vector.h"

namespace phiflex {

// Whether |x_i| <= limit for all i. False where a coordinate is not a number.
inline bool within(const Vector& x, double limit) {
  Index outside = 0;
  for (Index i = 0; i < x.size(); ++i) outside += !(std::abs(x[i]) <= limit);
  return outside == 0;
}

// Whether |x_i - center_i| <= limit and |x_i + dx_i - center_i| <= limit for all i: so it is all along the way.
inline bool way_within(const Vector& x, const Vector& dx, const Vector& center, double limit) {
  Index outside = 0;
  const double *from = x.data(), *way = dx.data(), *middle = center.data();
  for (Index i = 0, size = x.size(); i < size; ++i) {
    const double change = from[i] - middle[i];
    outside += Index(!(std::abs(change) <= limit)) + Index(!(std::abs(change + way[i]) <= limit));
  }
  return outside == 0;
}

}  // namespace phiflex

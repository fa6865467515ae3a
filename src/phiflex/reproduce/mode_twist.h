// How far a mode is a twist: the cosine in M of its shape u and the field
//
//   w(x) = s (a x r)                                                                                        (1)
//
// with s along the longest axis a from its lower end, and r from the axis through the middle.
#pragma once

#include <vector>

#include "phiflex/run/mode_comparison.h"

namespace phiflex {

// (1) of each elastic mode.
std::vector<double> twist_cosines(const Assembly& world, const DeformableModel& rest_model,
                                  const RestModes& modes);

}  // namespace phiflex

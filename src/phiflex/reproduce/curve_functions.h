// Functions of curves for the claims of experiments: `peaks` and `admissible_step` (docs/experiments.md).
#pragma once

#include <span>
#include <vector>

#include "phiflex/reproduce/expression.h"

namespace phiflex {

// Values at the inner local maxima of a curve, in order; a plateau that is one counts once.
std::vector<double> local_maxima(std::span<const double> values);

// The largest step that is good enough. Steps h_0 < h_1 < ... have errors e_i; with the last m of which
// e_0, ..., e_m <= limit, it lies between h_m and h_{m+1} on the straight line of log e over log h:
//
//   log h = log h_m + (log limit - log e_m) / (log e_{m+1} - log e_m) (log h_{m+1} - log h_m)              (1)
//
// A next error that is not finite gives h_m, and so does m the last one of all. 0 when e_0 is too large already. The
// lists may come in any order.
double admissible_step(std::span<const double> steps, std::span<const double> errors, double limit);

const Functions& curve_functions();

}  // namespace phiflex

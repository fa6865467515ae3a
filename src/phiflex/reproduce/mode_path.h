// Modes of a body along its motion, and at rest.
//
//   K(x_n) u_i = lambda_i M u_i        at instants x_n of a run                                          (1)
//   a mode is followed from one instant to the next by the largest |u_i'M w_j|; its order changes when
//   two followed modes swap their places                                                             (2)
//   twist of a mode: cosine in M of u and the field s (a x r), s along the longest axis a from its lower end, r
//   from the axis through the middle                                                                    (3)
//   condition in the 1-norm of A = I + c M^-1 K at rest: |A|_1 |A^-1|_1, the latter estimated by Hager's
//   iteration with A^-1 = (M + c K)^-1 M, M lumped                                                       (4)
#pragma once

#include <vector>

#include "phiflex/reproduce/run_store.h"
#include "phiflex/run/mode_comparison.h"

namespace phiflex {

struct ModePath {
  std::vector<double> times;                // s
  std::vector<std::vector<double>> lambda;  // of followed modes, one list per mode
  int order_changes = 0;                    // (2)
};
// (1) at every `every`-th sampled instant.
ModePath follow_modes(const KeptRun& run, Index count, std::size_t every);

// (3) of each elastic mode.
std::vector<double> twist_cosines(const World& world, const DeformableModel& rest_model, const RestModes& modes);

// (4) of the scene of a run, c in s^2.
double condition_at_rest(const KeptRun& run, double c);

}  // namespace phiflex

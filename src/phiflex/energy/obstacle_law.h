// The energy U of a vertex as a function of its distance e = d - thickness to an obstacle's skin: a penalty below it,
// or a barrier above it (contact/barrier.h). w: a weight of the vertex.
//
//   penalty   U = w/2 (e-)^2,           e- = min(0, e),          w [N/m]                                     (1)
//   barrier   U = w beta((e/dhat)^2),   +infinity for e <= 0,    w [J]                                       (2)
//
// Both are convex. P = -U'(e) >= 0 is the pressure, k = U''(e) >= 0 the stiffness; of the barrier, with x = (e/dhat)^2,
//
//   P = -2 w e beta'(x)/dhat^2,     k = 6 w (1 - x) (1 + x + 2 x^2)/(x^2 dhat^2)                              (3)
//
// Along a step from e to e+ the mean pressure F = -(U+ - U)/(e+ - e) does exactly the change of the energy:
//
//   penalty   F = w chord(-e, -e+)                              (penalty_chord.h)                            (4)
//   barrier   F = -w chord(x, x+) (e + e+)/dhat^2               (barrier.h)                                  (5)
//
// The chord of a barrier is that of contact/rest_dial.h, which takes from slow contacts so that they come to rest.
#pragma once

#include <algorithm>
#include <limits>

#include "phiflex/contact/rest_dial.h"
#include "phiflex/contact/stencil_friction.h"
#include "phiflex/energy/penalty_chord.h"

namespace phiflex {

struct ObstacleLaw {
  enum class Kind { penalty, barrier };
  Kind kind = Kind::penalty;
  double thickness = 0;       // m
  double reach = 0;           // dhat, of a barrier, m
  RestDial rest = {};         // of a barrier
  FrictionLaw friction = {};  // coefficient 0: none
};

// The mean push along a step.
struct ObstacleChord {
  double force = 0;  // F, N
  double slope = 0;  // -2 dF/de+ >= 0, N/m
  double taken = 0;  // by the dial, J
};

namespace obstacle_law {

inline bool touches(const ObstacleLaw& law, double e) {
  return e < (law.kind == ObstacleLaw::Kind::barrier ? law.reach : 0);
}

inline double energy(const ObstacleLaw& law, double w, double e) {
  if (!touches(law, e)) return 0;
  if (law.kind == ObstacleLaw::Kind::penalty) return 0.5 * w * e * e;  // (1)
  if (!(e > 0)) return std::numeric_limits<double>::infinity();
  return w * barrier(e * e / (law.reach * law.reach));  // (2)
}

inline double pressure(const ObstacleLaw& law, double w, double e) {
  if (!touches(law, e)) return 0;
  if (law.kind == ObstacleLaw::Kind::penalty) return w * -e;
  if (!(e > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double square = law.reach * law.reach;
  return -2 * w * e * barrier_slope(e * e / square) / square;  // (3)
}

inline double stiffness(const ObstacleLaw& law, double w, double e) {
  if (!touches(law, e)) return 0;
  if (law.kind == ObstacleLaw::Kind::penalty) return w;
  if (!(e > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double square = law.reach * law.reach, x = e * e / square;
  return 6 * w * (1 - x) * (1 + x + 2 * x * x) / (x * x * square);  // (3)
}

// h: of the step, s.
inline ObstacleChord chord(const ObstacleLaw& law, double w, double e, double e_next, double h) {
  if (!touches(law, e) && !touches(law, e_next)) return {};
  if (law.kind == ObstacleLaw::Kind::penalty) {
    const PenaltyChord c = penalty_chord(-e, -e_next);
    return {w * c.value, w * c.slope, 0};  // (4)
  }
  if (!(e > 0 && e_next > 0)) return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  const double square = law.reach * law.reach, sum = e + e_next;
  const DialledChord quotient = dialled_chord(law.rest, law.reach, e, e_next, h);
  return {-w * quotient.value * sum / square,
          2 * w / square * std::max(0.0, 2 * e_next * sum / square * quotient.slope + quotient.value),
          w * quotient.taken};  // (5)
}

}  // namespace obstacle_law
}  // namespace phiflex

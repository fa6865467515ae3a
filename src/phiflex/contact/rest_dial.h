// What a barrier (barrier.h) takes from slow contacts, so that bodies come to rest and friction can hold them. A
// contact without any loss bounces for ever, and what should stick slides whenever the pressure is low.
//
// A contact goes in a step of length h from the distance d to d+, with x = (d/dhat)^2, x+ = (d+/dhat)^2. Its chord in x
// (barrier.h (3)) is replaced, in part, by a slope that lies ahead:
//
//   chord -> (1 - c) chord + c b,      c = gamma/(1 + (u/v_r)^2),      u = (d+ - d)/h                        (1)
//   b = max(beta'(x_e), beta'(x+) + chord),      x_e = (d_e/dhat)^2,   d_e = d+ + (t_r/h - 1/2)+ (d+ - d)    (2)
//
// In steps longer than 2 t_r, d_e = d+: backward Euler's contact, whose force is that of half a step later. In shorter
// ones the force is that of t_r later: a damper of the same strength for every h. beta' grows with x, so b lies beyond
// the chord in the direction of the motion, and (1) takes, in units of the barrier's weight,
//
//   c (b - chord) (x+ - x) >= 0                                                                             (3)
//
// b <= 0: contact never pulls. The bound in (2) keeps what is taken below 2 c times the work of the contact's own force
// (and what backward Euler takes). c falls with the speed: a fast contact loses no more than one of speed v_r would at
// the full dial. Impacts ring, and what bounces more slowly than v_r comes to rest.
//
// Where nothing else is said, gamma = 1 and, with the gravity g,
//
//   v_r = sqrt(g dhat)/10,     the speed of a fall through dhat/200                                         (4)
//   t_r = 2 v_r/g              about a third of critical damping for a body that lies on its barrier         (5)
//
// Without gravity nothing is taken.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/contact/barrier.h"

namespace phiflex {

struct RestDial {
  double gamma = 0;  // 0: nothing is taken; at most 1
  double speed =
      std::numeric_limits<double>::infinity();  // v_r, m/s; 0: nothing is taken, infinite: c = gamma
  double time = 0;                              // t_r, s
};

// (4), (5). gravity in m/s^2; reach: dhat, m.
inline RestDial usual_rest_dial(double gravity, double reach) {
  if (!(gravity > 0)) return {};
  const double speed = 0.1 * std::sqrt(gravity * reach);
  return {1, speed, 2 * speed / gravity};
}

// A chord in x with what the dial takes, in units of the barrier's weight.
struct DialledChord {
  double value = 0;  // (1), <= 0
  double slope = 0;  // by x+, with c and the chord's part of the bound held, >= 0
  double taken = 0;  // (3)
};

// d, d_next > 0: the distances at the ends of a step of length h; reach: dhat.
inline DialledChord dialled_chord(const RestDial& dial, double reach, double d, double d_next, double h) {
  const double square = reach * reach, x = d * d / square, x_next = d_next * d_next / square;
  const BarrierChord chord = barrier_chord(x, x_next);
  if (dial.gamma == 0 || dial.speed == 0) return {chord.value, chord.slope, 0};
  const double u = (d_next - d) / (h * dial.speed), c = dial.gamma / (1 + u * u);
  const double ahead = std::max(0.0, dial.time / h - 0.5), d_ahead = d_next + ahead * (d_next - d);
  const double at_end = barrier_slope(x_next), bound = at_end + chord.value;
  double beyond = 0;                           // b - beta'(x+)
  double b_slope = barrier_curvature(x_next);  // db/dx+
  if (ahead > 0) {
    const double x_ahead = d_ahead * d_ahead / square;
    const double b = d_ahead > 0 ? barrier_slope(x_ahead) : -std::numeric_limits<double>::infinity();
    if (b > bound) {
      beyond = b - at_end;
      b_slope = barrier_curvature(x_ahead) * (1 + ahead) * d_ahead / d_next;
    } else {
      beyond = chord.value;
      b_slope += chord.slope;
    }
  }
  const double way = x_next - x;
  const double change =
      way * chord.slope + beyond;  // b - chord, by (6) of barrier.h: both parts have the sign of way
  return {chord.value + c * change, (1 - c) * chord.slope + c * b_slope, c * change * way};
}

}  // namespace phiflex

// The force of a contact stencil (stencil_energy.h) as a function of two states X and X+ = X + dX, which does exactly
// the change of its energy and has neither resultant nor torque.
//
// For any weights y of feet let rbar(y) = (X + dX/2) y. The force
//
//   f_a = -2 s y_a rbar(y),    s = mbar W chord(x, x+)/dhat^2 <= 0 for W > 0,    mbar = (m + m+)/2          (1)
//
// has no resultant (sum y = 0) and no torque about the middle (it acts along the line of the two feet there). It does
// the work -s (|X+ y|^2 - |X y|^2), hence -mbar W (beta+ - beta) if
//
//   ex+(y) = ex(y),     ex(y) = |X y|^2 - D >= 0,     ex+(y) = |X+ y|^2 - D+ >= 0                           (2)
//
// ex is the excess of feet that are not the nearest ones, computed as d.(2 r + d), d = X (y - y_nearest). Feet with (2)
// exist on every line in the set of feet from y_m, the nearest ones of (C + C+)/2, to those of an end: with
// e = ex+ - ex, e(y+) <= 0 <= e(y). So with the end whose e has the other sign than e(y_m),
//
//   y = y_m + theta (y_end - y_m),    e(y) = e_m + theta (e_end - e_m - c) + theta^2 c = 0                  (3)
//   c = |dy|^2 at X+ less that at X,  dy = y_end - y_m
//
// theta is O(h), so that (1) is of second order, symmetric in time, and its stress 2 s z z' never tensile, whatever
// features the feet lie on. A point that slides along a triangle has e_m = 0 and feels no force along its slip.
// (The averages of the elastic elements, energy/elastic_two_state.h, are tensile for many pairs here.)
//
// The mollifier's part, with mean entries of C and mean edge vectors, completes the product rule
// m+ beta+ - m beta = mbar (beta+ - beta) + betabar (m+ - m):
//
//   f on e_a = -2 g (Cbb e_a - Cab e_b),   f on e_b = -2 g (Caa e_b - Cab e_a),   g = W betabar m chord     (4)
//
// Rest. The chord is that of rest_dial.h, in the distances d = sqrt(D) of the ends, which takes mbar W times (3) there
// from
// slow contacts; the momenta stay exact.                                                                   (5)
//
// Tangent: the symmetric part of -2 df/dX+ is near
//
//   K = k G G',  G = rbar(y) (x) y,  k = max(c + 2 s/|rbar|^2, c/4)                                         (6)
//   c = 8 mbar W (d s'/dD+) min(|r+ (x) y+|/|G|, 2),   s' = s/(mbar W)
//
// 2 s/|rbar|^2 is the change of rbar in (1) with X+, along the line of the feet: with it the tangent of two points
// along their line is exact. Without it contacts are a third too stiff, and iterates gain a factor of four each at
// most. The rest of that change, across the line, is negative and left out.
#pragma once

#include "phiflex/contact/rest_dial.h"
#include "phiflex/contact/stencil_energy.h"

namespace phiflex {

struct StencilStep {
  bool active = false;                             // within reach at an end of the step; else all below is 0
  StencilPoints force = StencilPoints::Zero();     // (1), (4), N
  double energy_change = 0;                        // U+ - U, J
  double taken = 0;                                // (5), J: dX:force = -energy_change - taken
  double stress = 0;                               // s of (1), (5), N/m
  Eigen::Vector4d feet = Eigen::Vector4d::Zero();  // y of (3)
  Eigen::Vector3d arm = Eigen::Vector3d::Zero();   // rbar(y), m
  double pressure = 0;                             // 2 |s| |rbar(y)|, N: the force between the feet
  double stiffness = 0;                            // k of (6), N/m^3: K = k G G'
  StencilVector gradient() const { return distance_half_gradient(arm, feet); }  // G of (6), m
};

// E, dE: the edge vectors at the start and their changes; start: the shape at the start (stencil_shape); end: at E +
// dE; h: the length of the step, s.
StencilStep stencil_step(StencilKind kind, const StencilLaw& law, const Eigen::Matrix3d& E,
                         const Eigen::Matrix3d& dE, const StencilShape& start, const StencilShape& end,
                         const RestDial& rest, double h);

}  // namespace phiflex

// Continuous collision detection: how far a stencil may go along a straight way X + t dX, 0 <= t <= 1, so that its two
// pieces stay at least a gap g > 0 apart.
//
// At a time t with nearest feet at distance d and the direction n = r/d between them, the planes normal to n through
// the feet separate the pieces, for these are convex: n.(a_i - b_j) >= d for all vertices a_i of the one, b_j of the
// other. Along n vertices move with constant speed, so that the planes still separate the pieces by g up to t + tau,
//
//   tau = min over i, j with n.(da_i - db_j) < 0 of (n.(a_i - b_j) - g)/(-n.(da_i - db_j))                  (1)
//
// and t <- t + tau repeats until t >= 1 or d <= (1 + 1/4) g. Each tau is a certificate by itself: whatever the rounding
// of n, a way that is returned has been separated by planes all along. (1) is never shorter than the step
// (d - g)/(largest relative speed) of additive detection (Li, Kaufman and Jiang: Codimensional Incremental Potential
// Contact, 2021), and far longer where pieces slide along each other: a slip parallel to a surface costs one test.
// Conservative advancement with directed bounds: Mirtich, Impulse-based dynamic simulation of rigid body systems, 1996.
//
// The gap of a stencil that starts at distance d0:
//
//   g = kGap min(d0, dhat)                                                                                  (2)
//
// A stencil that stays farther apart than (1 + 1/4) kGap dhat is never stopped, so that it makes no difference whether
// it is known.
#pragma once

#include "phiflex/contact/stencil.h"

namespace phiflex {

inline constexpr double kGap = 0.1;    // of (2)
inline constexpr double kHeld = 0.4;   // in its place for guesses: about the nearest that impacts come
inline constexpr double kNear = 1.25;  // of the gap: near enough to stop

struct WaySettings {
  double limit = 1;       // a part that is free already for others: nothing beyond it is looked at
  double gap = kGap;      // in place of kGap in (2)
  long* tests = nullptr;  // is raised by the number of distances computed
};

// The part of the way that is free, in [0, 1], at most the limit; 0 when the pieces touch at the start. reach: dhat, m.
double free_way(StencilKind kind, const StencilPoints& X, const StencilPoints& dX, double reach,
                const WaySettings& settings = {});

}  // namespace phiflex

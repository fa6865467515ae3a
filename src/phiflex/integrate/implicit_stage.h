// The one equation behind all implicit methods. Unknown: a velocity w (m/s).
//
//   M (w - w0) = s f(t, q0 + rho w, v0 + sigma w)                                                         (1)
//
// Its derivative by w is  M + s sigma D + s rho K,  K and D at the state inside f.                        (2)
// A method is a choice of the coefficients and of what it makes of w:
//
//   backward Euler   w = v+            w0 = v             s = h            q0 = q           rho = h
//   midpoint         w = (v + v+)/2    w0 = v             s = h/2          q0 = q           rho = h/2
//   BDF2             w = v+            w0 = (4v - v-)/3   s = 2h/3         (4q - q-)/3      rho = 2h/3
//   TR-BDF2          two stages with s = rho = (1 - 1/sqrt(2)) h: (3) and (4) of tr_bdf2.cpp
//   Newmark          w = h a+          w0 = 0             s = h            predictor        rho = beta h
//   generalized-a.   w = h a+          w0 = -am/(1-am) h a   s = h/(1-am)  interpolated     (1-af) beta h
#pragma once

#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/system/state.h"

namespace phiflex {

struct ImplicitStage {
  double h = 0;      // the step, s
  double t = 0;      // time at which the force is taken, s
  double s = 0;      // s
  double rho = 0;    // s
  double sigma = 0;  // a number
  Vector q0;         // m
  Vector v0, w0;     // m/s
  Vector start;      // a first w, m/s

  Shift shift() const { return {.a = 1, .b = s * sigma, .c = s * rho}; }  // of (2)
  // The state inside f of (1).
  void place(const Vector& w, State& at) const {
    at.t = t;
    at.q = q0 + rho * w;
    at.v = v0 + sigma * w;
  }
};

// v+ = v + h M^-1 f(t + h, q + h v+, v+): the stage of `be`, of `si` and of the first step of `bdf2`.
inline void set_backward_euler(const State& now, double h, ImplicitStage& stage) {
  stage.h = stage.s = stage.rho = h;
  stage.t = now.t + h;
  stage.sigma = 1;
  stage.q0 = now.q;
  stage.v0.setZero(now.v.size());
  stage.w0 = now.v;
  stage.start = now.v;
}

}  // namespace phiflex

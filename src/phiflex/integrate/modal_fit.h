// The exponential fit of an energy-momentum step: its s lowest modes turn through the exact angle h w.
//
// Modes of the rest shape, K0 U0 = M U0 L, turned with the body at the beginning of every step and made
// M-orthonormal again:
//
//   U = orth(R U0),   x_i = h sqrt(lambda_i),   tau_i = (x_i/2) cot(x_i/2)                                (1)
//   T = I + U (tau - 1) U'M,   so that M T = T'M                                                          (2)
//
// On a mode the step with T is the map of the oscillator itself: with f = -lambda (q + h w/2),
//
//   tau^2 w - tau v = h/2 f,  v+ = 2 tau w - v    gives   q+ = cos(x) q + h sin(x)/x v.                   (3)
//
// Whatever T, the energy is kept, since w'M T (T w - v) = (v+ + v)'M (v+ - v)/4. Only modes with x >= 0.1
// (below, the unfitted step is right to x^3/12) and x^2 < 20 (beyond, a step holds most of a period) are
// fitted. The inverse of the step's matrix with T, by that without,
//
//   A_T^-1 ~ A^-1 + U [1/(tau^2 + x^2/4) - 1/(1 + x^2/4)] U'.                                             (4)
//
// The modes are those of a body that is held: a body that may turn freely spins through its modes of
// lambda = 0, and a fit to its rest shape would be wrong by that. Such a system is refused.
#pragma once

#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/modes.h"
#include "phiflex/system/mechanical_system.h"

namespace phiflex {

class ModalFit {
 public:
  // solver: of the modes (linalg/modes.h). Throws InputError where they cannot be found, or the body may turn freely.
  ModalFit(const MechanicalSystem& system, Index count, LinearSolver solver);

  // (1) for a step of length h from `now`.
  void update(const State& now, double h);
  Index count() const { return rest_.count(); }
  bool empty() const { return fitted_ == 0; }  // no mode is within the bounds for this step

  void apply(const Vector& x, Vector& y);            // y = T x
  void apply_with_mass(const Vector& x, Vector& y);  // y = M T x
  void add_inverse(const Vector& r, Vector& z);      // z += U [...] U'r of (4)
  // The dial's damping acts on all modes; here it is taken off the fitted ones, to first order:
  // f += M U chi lambda (U'M dq - ratio before), before: coefficients of the step before, or null.
  void remove_dial(double chi, double ratio, const Vector* before, const Vector& dq, Vector& f);
  void coefficients(const Vector& dq, Vector& c);  // c = U'M dq

 private:
  void turn(const State& now);

  const MechanicalSystem& system_;
  Modes rest_;
  State origin_;
  BlockRotations R_;
  Index fitted_ = 0;
  Matrix U_, MU_, gram_;
  Vector tau_less_1_, inverse_change_, damped_lambda_;  // a number per mode; 0 where it is not fitted
  Vector modal_, product_;
};

}  // namespace phiflex

// Into how many equal substeps a step of the exponential Rosenbrock-Euler method is divided, so that what it gains or
// loses of the energy is a small part of the energy that the motion exchanges meanwhile.
//
// A substep solves the system linearized at its beginning exactly. So it keeps the energy of the quadratic
// model of the potential V, and errs by what the model lacks:
//
//   e = V(q + dq) - V(q) + f'dq - dq'K dq/2 = -int_0^1 r(s dq)'dq ds ~ -r(dq)'dq/3,                       (1)
//   r(dq) = f(q + dq) - f(q) + K dq,  quadratic in dq where dq is small.
//
// A motion of frequency w exchanges its kinetic energy T, at its largest, in a quarter of a turn, pi/(2 w). By
// the means of |v|^2 and of the acceleration |a|^2 over the last steps, in the norm of M, T = mean |v|^2 and
// w^2 = mean |a|^2 / mean |v|^2; a step of length h exchanges
//
//   X = T min(1, 2 h w/pi).                                                                               (2)
//
// The e of n substeps, each n times shorter, add up to the n^2-th part of that of a whole step. So, with the largest
// n^2 |e| of the last steps, E,
//
//   n = sqrt(E/(c X)),   c = 1.5e-3,                                                                      (3)
//
// rounded upwards. Means and E forget three hundredths in every step. A step for which (3) asks for more than 1.5
// times the substeps that it had is made again. A linear system has e = 0 and n = 1 at any step.
#pragma once

#include <cstdint>

#include "phiflex/base/archive.h"

namespace phiflex {

class ExchangeSubsteps {
 public:
  explicit ExchangeSubsteps(bool divides) : divides_(divides) {}
  bool divides() const { return divides_; }               // else a step is never divided
  int count() const { return static_cast<int>(count_); }  // for the step to come
  // The step of length h was made in count() substeps: the sum of their e, |v|^2 at its end, and |a|^2 of its change of
  // velocity. False: it is to be made again in what is count() then.
  bool accept(double h, double e, double v_squared, double a_squared);

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  // Of the last steps: E of (3), and the means of (2) times `weight`.
  struct Memory {
    double largest = 0, weight = 0, v_squared = 0, a_squared = 0;
  };
  bool divides_;
  std::int64_t count_ = 1;
  Memory memory_;
};

}  // namespace phiflex

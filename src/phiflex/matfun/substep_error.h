// The error of a result that is reached in substeps, each with a local error. Errors made early are carried on
// by exp(t A): it is assumed that they change as the level L does,
//
//   L <- max(|w|, min(1, f) L),   f = |exp(h A)| or an estimate of it,                                    (1)
//
// which grows with the result and decays no faster than the flow: where the result passes near zero while the
// flow does not decay, the level stays up. Then relative errors add,
//
//   e = sum_i g_i local_i / L_i,   g = sqrt(f) in [1, 30],   error of w relative to itself = e L / |w|,   (2)
//
// and a g_i local_i of at most tolerance (h / T) L keeps e below the tolerance at T. The factor g is for norms
// in which the flow is far from normal (displacements beside velocities): there an error grows by f at worst,
// by little at best, and no one knows its direction: the geometric mean. An f from a Krylov basis may be
// absurdly large in directions that do not matter: hence the bound. Where L exceeds |w| at an output, the
// tolerance has to be tightened by that ratio and the evaluation repeated.
#pragma once

namespace phiflex {

class SubstepError {
 public:
  void start(double tolerance, double end, double norm);
  double level_after(double norm, double flow) const;  // (1), f: flow
  static double growth(double flow);                   // g of (2)
  // The largest g_i local_i of a substep of length h that ends on this level.
  double allowed(double h, double level) const { return tolerance_ * (h / end_) * level; }
  // The two parts of g_i local_i: what a smaller tolerance mends, and what it does not.
  void accept(double truncation, double round_off, double level);
  double relative_to(double norm) const;  // (2)

  // The tolerance to try next when at an output the error is relative_to(norm) and `asked` was asked for; zero
  // when this one is good enough, or when most of the error is round-off.
  double tightened(double asked, double norm) const;

 private:
  double tolerance_ = 0, end_ = 1, level_ = 0, error_ = 0, round_off_ = 0;
};

}  // namespace phiflex

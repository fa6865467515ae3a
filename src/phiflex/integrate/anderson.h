// Anderson acceleration of a fixed-point iteration w <- w + d(w), where d = -B r(w) is a residual times a
// symmetric positive definite B = A^-1:
//
//   w_(k+1) = w_k + d_k - sum_j gamma_j (dw_j + dd_j)                                                     (1)
//             dw_j, dd_j: changes of w and d from one iterate to the next, the latest 8 of them
//   gamma minimizes  |d_k - sum_j gamma_j dd_j|_A                                                         (2)
//
// In the inner product of A no product with A is needed, since <x, d>_A = x'A d = -x'r:
//
//   G gamma = b,   G_ij = -dd_i'dr_j,   b_i = -dd_i'r_k                                                   (3)
//
// G is scaled to a unit diagonal and raised by 1e-10 before it is solved with: where changes are almost
// dependent, gamma is shortened a little instead of being noise. On a linear problem this is the method of
// conjugate residuals in disguise.
// Walker and Ni: Anderson Acceleration for Fixed-Point Iterations, 2011.
#pragma once

#include "phiflex/linalg/team.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

class Anderson {
 public:
  static constexpr Index window = 8;

  // team: the ranks that share the vectors, which must outlive it.
  explicit Anderson(Index size, const Team& team = alone())
      : team_(&team), dd_(size, window), dr_(size, window), dg_(size, window) {}
  void restart() { seen_ = false, count_ = latest_ = 0; }  // another B: what was seen is of no use
  // The next iterate from w with its d and r; the iterates may be any, also shortened ones.
  void advance(const Vector& w, const Vector& d, const Vector& r, Vector& next);

 private:
  void add_change(const Vector& w, const Vector& d, const Vector& r);

  using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, window, window>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, window, 1>;

  const Team* team_;
  bool seen_ = false;             // w_, d_ and r_ hold an iterate
  Index count_ = 0, latest_ = 0;  // columns in use, and the one written last
  Vector w_, d_, r_;              // the iterate before
  Matrix dd_, dr_, dg_;           // dd_j, dr_j and dw_j + dd_j, a column each
  SmallMatrix G_{SmallMatrix::Zero(window, window)};
  SmallMatrix scaled_;
  SmallVector scale_, gamma_;
};

}  // namespace phiflex

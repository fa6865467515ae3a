// A change of a pencil's leading eigenvalues, as a low-rank part beside its sparse matrices. With (nearly) the
// eigenpairs K U = M U diag(lambda), U'M U = I, and d_i = u_i'D u_i,
//
//   K+ = K + W diag(scale) W',   D+ = D + W diag(damping_scale) W',   W = M U                             (1)
//
// moves lambda_i to lambda_i + scale_i and d_i to d_i + damping_scale_i and leaves all other pairs. For exact
// pairs the inverse of A+ = a M + b D+ + c K+ is that of A = a M + b D + c K and a number per mode,
//
//   A+^-1 = A^-1 + U diag(1/g+ - 1/g) U',   g = a + b d + c lambda,   g+ = g + b damping_scale + c scale  (2)
//
// Where pairs or A^-1 are only near, (2) is a preconditioner of (1) as it stands. It is positive definite with the
// true A^-1 and Ritz pairs, since A^-1 >= U diag(1/g) U'; with another A^-1, when negative terms are left out.
//
// For any U, at the price of a solve per mode with the very A (Sherman, Morrison and Woodbury, as in the thesis of
// Chen),
//
//   A+^-1 = A^-1 - Z (I + S W'Z)^-1 S W' A^-1,   Z = A^-1 W,   S = diag(b damping_scale + c scale)        (3)
#pragma once

#include "phiflex/base/described.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

// (2), which where pairs are only near is the preconditioner of conjugate gradients, or (3).
enum class LowRankSolve { one_solve, woodbury };
template <>
struct Words<LowRankSolve> {
  static constexpr std::pair<LowRankSolve, const char*> all[] = {{LowRankSolve::one_solve, "one-solve"},
                                                                 {LowRankSolve::woodbury, "woodbury"}};
};

struct LowRank {
  Matrix U, MU;  // a mode per column
  Vector lambda, scale;
  Vector damping, damping_scale;
  LowRankSolve solve = LowRankSolve::one_solve;

  Index count() const { return U.cols(); }
  bool empty() const { return U.cols() == 0; }
  void clear() {
    U.resize(U.rows(), 0);
    MU.resize(MU.rows(), 0);
  }
};

// y += W diag(factors) W'x; modal is working memory.
inline void add_low_rank_product(const Matrix& W, const Vector& factors, const Vector& x, Vector& modal,
                                 Vector& y) {
  modal.noalias() = W.transpose() * x;
  modal.array() *= factors.array();
  y.noalias() += W * modal;
}

}  // namespace phiflex

// A change of a pencil's leading eigenvalues, as a low-rank part beside its sparse matrices. With (nearly) the
// eigenpairs K U = M U diag(lambda), U'M U = I, and d_i = u_i'D u_i,
//
//   K+ = K + W diag(scale) W',   D+ = D + W diag(damping_scale) W',   W = M U                             (1)
//
// moves lambda_i to lambda_i + scale_i and d_i to d_i + damping_scale_i and leaves all other pairs. For exact
// pairs the inverse of A+ = a M + b D+ + c K+ is that of A = a M + b D + c K outside the span of U, and a number
// per mode in it:
//
//   A+^-1 = P'A^-1 P + U diag(1/g) U',   P = I - W U',   g = a + b (d + damping_scale) + c (lambda + scale)   (2)
//
// which is U diag(1/g - 1/(a + b d + c lambda)) U' added to A^-1, but stays positive definite when the pairs or
// A^-1 are only near: a preconditioner then, and what it preconditions is (1) as it stands.
#pragma once

#include "phiflex/linalg/vector.h"

namespace phiflex {

struct LowRank {
  Matrix U, MU;  // a mode per column
  Vector lambda, scale;
  Vector damping, damping_scale;

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

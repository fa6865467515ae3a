// Four ways to the square root of a symmetric positive definite matrix L, for the study of their stability:
//
//   newton           X <- (X + X^-1 L)/2,  X_0 = L                                                          (1)
//   denman_beavers   M <- (I + (M + M^-1)/2)/2,  X <- X (I + M^-1)/2,  X_0 = M_0 = L   (product form)         (2)
//   schur            L = Q T Q*,  R R = T column by column,  X = Q R Q*                                      (3)
//   eigen            L = V diag(l) V',  X = V diag(sqrt l) V'                                               (4)
//
// (Higham: Functions of Matrices, 2008, chapter 6; [higham2008functions].) In exact arithmetic (1) and (2) give the same
// iterates; rounding errors of (1) grow by |1 - sqrt(l_i/l_j)|/2 per step, so it is unstable above a condition of 9.
#pragma once

#include <string>

#include "phiflex/linalg/vector.h"

namespace phiflex {

enum class SquareRootMethod { newton, denman_beavers, schur, eigen };

struct SquareRootOutcome {
  double residual = 0;       // |X^2 - L| / |L|, Frobenius, at the end
  double best_residual = 0;  // the smallest of all iterates: had one known when to stop
  int iterations = 0;        // of (1) and (2)
  double seconds = 0;        // of the processor
};

// Eigenvalues from 1 to `condition`, evenly on a logarithmic scale; eigenvectors turned at random, the same for each call.
Matrix matrix_of_condition(Index n, double condition);

// (1) and (2) end when a step changes X by less than n epsilon, relatively, or after `limit` steps.
SquareRootOutcome square_root(SquareRootMethod method, const Matrix& L, int limit = 50);

}  // namespace phiflex

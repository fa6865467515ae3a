// The singular value decomposition of a dense matrix, for studies and fits; nothing of a time step needs it.
//
//   A = U diag(s) V'   with orthonormal columns of U and V, and s falling                                         (1)
#pragma once

#include "phiflex/linalg/vector.h"

namespace phiflex {

struct Svd {
  Matrix U, V;
  Vector s;  // as many as the smaller of rows and columns

  // How many of s are above `threshold` times the largest.
  Index rank(double threshold) const;
  // The shortest x among those for which |A x - b| is smallest, with what is above `threshold` alone.
  Vector solve(const Vector& b, double threshold) const;
};

// A has finite numbers. std::runtime_error when the iteration does not converge.
Svd svd(Matrix A);

}  // namespace phiflex

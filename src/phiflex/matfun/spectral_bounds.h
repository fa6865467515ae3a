// Where the eigenvalues of a pencil lie, from a few Lanczos steps in the inner product of M: the extreme Ritz
// values, moved outwards by the largest of their residuals. Estimates, not proofs; the same for the same pencil.
#pragma once

#include "phiflex/linalg/pencil.h"

namespace phiflex {

struct SpectralBounds {
  double smallest = 0, largest = 0;
  long products = 0;
};
SpectralBounds estimate_spectrum(const Pencil& pencil, int steps);
// From the numbers of those steps: alpha_j on the diagonal, beta_j beside it, the last of which is the size of what is
// left.
SpectralBounds ritz_bounds(const Vector& alpha, const Vector& beta);

}  // namespace phiflex

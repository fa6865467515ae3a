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

}  // namespace phiflex

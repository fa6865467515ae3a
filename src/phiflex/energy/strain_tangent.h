// Linear maps of symmetric matrices that are symmetric themselves, kLanes at a time: s = A y for the six
// entries of s and y (base/sym3.h). With the weights w = (1, 1, 1, 2, 2, 2) of s:y = sum w_m s_m y_m,
//
//   M = diag(sqrt w) A diag(1/sqrt w)    is a symmetric matrix with the map's eigenvalues.                (1)
#pragma once

#include "phiflex/fem/tet_batches.h"
#include "phiflex/material/two_state.h"

namespace phiflex {

using StrainTangent = StrainTangentOf<Lanes>;

// Without the negative eigenvalues.
StrainTangent positive_part(const StrainTangent& A);
Sym3<Lanes> positive_part(const Sym3<Lanes>& S);

}  // namespace phiflex

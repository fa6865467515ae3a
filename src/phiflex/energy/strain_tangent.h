// Linear maps of symmetric matrices that are symmetric themselves, kLanes at a time: s = A y for the six
// entries of s and y (base/sym3.h). With the weights w = (1, 1, 1, 2, 2, 2) of s:y = sum w_m s_m y_m,
//
//   M = diag(sqrt w) A diag(1/sqrt w)    is a symmetric matrix with the map's eigenvalues.                (1)
#pragma once

#include "phiflex/base/sym3.h"
#include "phiflex/fem/tet_batches.h"

namespace phiflex {

struct StrainTangent {
  Sym3<Lanes> column[6];  // what the map makes of Sym3::unit(k)

  static StrainTangent zero() {
    StrainTangent A;
    for (Sym3<Lanes>& column : A.column) column = Sym3<Lanes>::zero();
    return A;
  }
  Sym3<Lanes> apply(const Sym3<Lanes>& y) const {
    Sym3<Lanes> s = y.e[0] * column[0];
    for (int k = 1; k < 6; ++k) s += y.e[k] * column[k];
    return s;
  }
};

// Without the negative eigenvalues.
StrainTangent positive_part(const StrainTangent& A);
Sym3<Lanes> positive_part(const Sym3<Lanes>& S);

}  // namespace phiflex

#include "phiflex/energy/strain_tangent.h"

#include <cmath>

#include "phiflex/linalg/small_symmetric.h"
#include "phiflex/material/svd3.h"

namespace phiflex {
namespace {

const double kRootOfWeight[6] = {1, 1, 1, std::sqrt(2.0), std::sqrt(2.0), std::sqrt(2.0)};

// All pivots of Cholesky's factorization are positive.
MaskOf<Lanes> positive_definite(Lanes (&M)[6][6]) {
  MaskOf<Lanes> all = Lanes(0.0) < Lanes(1.0);
  for (int j = 0; j < 6; ++j) {
    all &= M[j][j] > Lanes(0.0);
    const Lanes inverse = Lanes(1.0) / M[j][j];
    for (int i = j + 1; i < 6; ++i)
      for (int k = i; k < 6; ++k) M[i][k] = M[i][k] - M[j][i] * M[j][k] * inverse;
  }
  return all;
}

}  // namespace

StrainTangent positive_part(const StrainTangent& A) {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  Lanes M[6][6];
  for (int i = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k) M[i][k] = Lanes(kRootOfWeight[i] / kRootOfWeight[k]) * A.column[k].e[i];
  Lanes upper[6][6];
  for (int i = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k) upper[i][k] = M[i][k];
  const MaskOf<Lanes> positive = positive_definite(M);
  if (!any(!positive)) return A;

  StrainTangent B = A;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (positive[lane]) continue;
    Matrix6 dense;
    for (int i = 0; i < 6; ++i)
      for (int k = i; k < 6; ++k) dense(i, k) = dense(k, i) = upper[i][k][lane];
    if (!dense.allFinite()) continue;
    const Matrix6 part = positive_part(dense);
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k)
        B.column[k].e[i].set(lane, kRootOfWeight[k] / kRootOfWeight[i] * part(i, k));
  }
  return B;
}

// (S + |S|)/2, and |S| = V |s| V' for a symmetric S = U diag(s) V'.
Sym3<Lanes> positive_part(const Sym3<Lanes>& S) {
  const Svd3<Lanes> svd = svd3(full(S));
  const Vec3<Lanes> size = {abs(svd.s[0]), abs(svd.s[1]), abs(svd.s[2])};
  return Lanes(0.5) * (S + symmetric_part(svd.V * diagonal(size) * transpose(svd.V)));
}

}  // namespace phiflex

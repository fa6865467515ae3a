// Blocks of vectors orthonormal in the M inner product. Beside every block V its image M V is carried along:
// inner products are then plain, and a consistent mass costs no product of its own.
#pragma once

#include "phiflex/linalg/mass_matrix.h"

namespace phiflex {

void apply_mass(const MassMatrix& mass, const Eigen::Ref<const Matrix>& X, Matrix& Y);  // Y = M X, by columns
void solve_mass(const MassMatrix& mass, const Eigen::Ref<const Matrix>& X, Matrix& Y);  // Y = M^-1 X

// The factorization  W = V R,  V'M V = I,  by Gram-Schmidt, twice for each column. W and P = M W are
// overwritten by V and M V, their leading `rank` columns; column j counts as dependent when what is left of it
// is at most threshold[j]. R gets rank rows and a column for every column of W. Returns the rank.
Index orthonormalize(Matrix& W, Matrix& P, const Eigen::Ref<const Vector>& threshold, Matrix& R);

}  // namespace phiflex

// Blocks of vectors orthonormal in the M inner product. Beside every block V its image M V is carried along:
// inner products are then plain, and a consistent mass costs no product of its own.
#pragma once

#include "phiflex/linalg/mass_matrix.h"

namespace phiflex {

void apply_mass(const MassMatrix& mass, const Eigen::Ref<const Matrix>& X, Matrix& Y);  // Y = M X, by columns
void solve_mass(const MassMatrix& mass, const Eigen::Ref<const Matrix>& X, Matrix& Y);  // Y = M^-1 X
// sqrt(x'P) for each column, P = M X, over the ranks of a team; 0 where rounding makes the product negative.
void column_norms(const Team& team, const Matrix& X, const Matrix& P, Vector& norms);

// The factorization  W = V R,  V'M V = I,  by Gram-Schmidt, twice for each column. W and P = M W are
// overwritten by V and M V, their leading `rank` columns; column j counts as dependent when what is left of it
// is at most threshold[j]. R gets rank rows and a column for every column of W. Returns the rank.
// The rows may be shared by a team, of which every rank must call it.
Index orthonormalize(const Team& team, Matrix& W, Matrix& P, const Eigen::Ref<const Vector>& threshold,
                     Matrix& R);

}  // namespace phiflex

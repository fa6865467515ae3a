// The square root of a small symmetric pencil, as a dense matrix: the reference for reformulations that never
// form it. With K U = M U L and U'M U = I,
//
//   Omega = U L^(1/2) U'M,   Omega^2 = M^-1 K,   M Omega = Omega'M.                                       (1)
//
// The eigendecomposition costs some 10 n^3 operations and is as stable as the pencil is; Newton's iteration
// for the square root is not (Higham: Functions of Matrices, 2008, chapter 6).
#pragma once

#include "phiflex/linalg/vector.h"

namespace phiflex {

// indefinite: K has an eigenvalue below -n epsilon max |lambda|, or M is not positive definite.
enum class [[nodiscard]] SquareRootStatus{ok, indefinite, not_finite};

// K symmetric positive semidefinite, M symmetric positive definite, of one size.
SquareRootStatus dense_square_root(const Matrix& K, const Matrix& M, Matrix& Omega);

}  // namespace phiflex

// The condition of the matrices that implicit methods solve with, in the 1-norm:
//
//   kappa(A) = |A|_1 |A^-1|_1,    A = I + c M^-1 K,     c = h^2 (backward Euler), h^2/4 (implicit midpoint)      (1)
//
// Both norms are estimated from a few products with the matrix and its transpose, after Hager ("Condition estimates",
// 1984) and Higham ("FORTRAN codes for estimating the one-norm of a real or complex matrix", 1988):
//
//   x = e/n;  repeat  y = B x,  z = B' sign(y);  stop when |z|_inf <= z'x, else x = e_j where |z_j| is largest;
//   the estimate is |y|_1, or 2 |B b|_1 / (3 n) with b_i = +-(1 + i/(n - 1)), whichever is larger                   (2)
//
// a lower bound that is almost always within a factor of 3, and exact for the matrices here in practice.
#pragma once

#include <optional>

#include "phiflex/base/function_ref.h"
#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace phiflex {

// |B|_1 by (2); apply(x, y) is y = B x, apply_transpose(x, y) is y = B'x.
using VectorMap = FunctionRef<void(const Vector&, Vector&)>;
double estimate_one_norm(Index n, VectorMap apply, VectorMap apply_transpose);

// (1); nothing when M + c K is not positive definite. M's pattern lies in K's.
std::optional<double> estimate_condition(const SparseMatrix& K, const MassMatrix& mass, double c);

}  // namespace phiflex

// Eigenvalues of small symmetric matrices, those of an element or a vertex, without memory from the heap: Jacobi's
// rotations (Golub and Van Loan: Matrix computations, 2013, section 8.5).
//
// A rotation J of rows and columns p and q with   t^2 + 2 theta t - 1 = 0,   theta = (a_qq - a_pp) / (2 a_pq)   (1)
// for t = tan of its angle makes a_pq zero; the smaller root t turns least. Sweeps over all pairs converge
// quadratically: A = V diag(lambda) V'.                                                                         (2)
//
// Eigen's solvers would serve as well. They cost 4 s of compilation for every size of matrix.
#pragma once

#include <Eigen/Core>
#include <span>

namespace phiflex {

inline constexpr int kLargestSmall = 12;  // rows

// (2) of the n rows of A, which becomes diagonal; V must be the unit matrix. Both are n by n, stored by columns, with
// finite numbers. n <= kLargestSmall.
void diagonalize(int n, std::span<double> A, std::span<double> V);

// The eigenvalues above zero of a symmetric matrix, and nothing of the others.
template <class Matrix>
Matrix positive_part(const Matrix& A) {
  constexpr int n = Matrix::RowsAtCompileTime;
  static_assert(n > 0 && n <= kLargestSmall);
  Matrix values = A, V = Matrix::Identity(), part = Matrix::Zero();
  diagonalize(n, {values.data(), n * n}, {V.data(), n * n});
  for (int k = 0; k < n; ++k)
    if (values(k, k) > 0) part += (values(k, k) * V.col(k)).lazyProduct(V.col(k).transpose());
  return part;
}

}  // namespace phiflex

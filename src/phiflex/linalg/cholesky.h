// Sparse Cholesky factorization P A P' = L L' of a symmetric positive definite SparseMatrix, by CHOLMOD
// (supernodal, METIS or AMD ordering; Chen, Davis, Hager, Rajamanickam: Algorithm 887, 2008).
//
// The symbolic analysis is made once, from the pattern; factorize() may be called any number of times.
#pragma once

#include <memory>

#include "phiflex/linalg/sparse_matrix.h"

namespace phiflex {

enum class [[nodiscard]] FactorStatus{ok, not_positive_definite, not_finite};

class CholeskyFactorization {
 public:
  explicit CholeskyFactorization(std::shared_ptr<const SparsityPattern> pattern);
  ~CholeskyFactorization();
  CholeskyFactorization(CholeskyFactorization&&) noexcept;
  CholeskyFactorization& operator=(CholeskyFactorization&&) noexcept;

  FactorStatus factorize(const SparseMatrix& A);  // A has the pattern of construction
  bool ready() const;                             // a factorization is there
  void solve(const Vector& b, Vector& x) const;   // x = A^-1 b
  void solve(const Matrix& B, Matrix& X) const;   // several right-hand sides at once

  // z = A^-1 r to about single precision, in a third of the time: one fixed symmetric positive definite
  // operator.
  void precondition(const Vector& r, Vector& z) const;
  void precondition(const Matrix& R, Matrix& Z) const;  // several at once

  const SparsityPattern& pattern() const;
  double factor_operations() const;  // floating-point operations of one numeric factorization
  double solve_operations() const;   // of one solve with one right-hand side
  // Of the factor, its copy in single precision that precondition() makes, and the values of A; known before any of
  // them is made.
  std::size_t factor_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The number of threads of OpenBLAS inside large factorizations; small ones and solves run on one. It changes the last
// bits of a factor (sums are split by threads): a run with the same number repeats, as far as was ever seen; with 1 it
// is certain, whatever the machine. The preconditioner uses one thread always.
void set_blas_threads(int count);

}  // namespace phiflex

// Factorization of a symmetric SparseMatrix that need not be positive definite: Cholesky's (cholesky.h) where it
// exists, else an LU by UMFPACK (Davis: Algorithm 832: UMFPACK V4.3, an unsymmetric-pattern multifrontal method, 2004),
//
//   P S A Q = L U,   S diagonal (row scaling), P and Q permutations                                        (1)
//
// Its pivots are chosen by their size while A is factorized, the diagonal first. An L D L' with the diagonal of A for
// its pivots has no such choice, and loses all digits where a pivot of an indefinite matrix is small. A solve with (1)
// refines its result on the residual b - A x, at most twice. (1) takes several times the work and twice the memory of a
// Cholesky factorization.
//
// Symbolic analyses are made once, from the pattern, that of (1) when it is first needed; factorize() may be called any
// number of times.
#pragma once

#include <memory>

#include "phiflex/linalg/cholesky.h"

namespace phiflex {

class LuFactorization {
 public:
  explicit LuFactorization(std::shared_ptr<const SparsityPattern> pattern);
  ~LuFactorization();
  LuFactorization(LuFactorization&&) noexcept;
  LuFactorization& operator=(LuFactorization&&) noexcept;

  // A has the pattern of construction. not_positive_definite: A is singular.
  FactorStatus factorize(const SparseMatrix& A);
  bool ready() const;                            // a factorization is there
  bool is_definite() const;                      // the latest A was positive definite: it is Cholesky's
  void solve(const Vector& b, Vector& x) const;  // x = A^-1 b; x is not b
  void solve(const Matrix& B, Matrix& X) const;  // several right-hand sides at once
  // The same to less accuracy (Cholesky: single precision, LU: without refinement) in a third of the time: one fixed
  // operator, symmetric but for rounding, and indefinite where A is.
  void precondition(const Vector& r, Vector& z) const;
  void precondition(const Matrix& R, Matrix& Z) const;

  // Of the latest factorization, those of (1) as upper bounds from the pattern.
  double factor_operations() const;  // floating-point operations of one numeric factorization
  double solve_operations() const;   // of one solve with one right-hand side, without refinement

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace phiflex

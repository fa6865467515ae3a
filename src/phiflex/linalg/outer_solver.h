// Solves with a matrix A whose rows are shared by several ranks, where they need not be exact: conjugate gradients with
// an outer inverse B (halo.h) that was built from A itself.
//
// B knows no definiteness of A. Conjugate gradients on a random right-hand side do: their curvatures p'A p are the
// pivots of the tridiagonal matrix that as many Lanczos steps on B A have, so that the first one that is not positive
// shows a negative Ritz value, and with it a direction in which A is not positive. What so few steps do not see is
// taken for definite.
#pragma once

#include <memory>

#include "phiflex/base/work.h"
#include "phiflex/linalg/halo.h"
#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace phiflex {

class OuterSolver {
 public:
  // mass: of the same rows, for its team. The pattern has a halo.
  OuterSolver(const MassMatrix& mass, std::shared_ptr<const SparsityPattern> pattern);

  // A is kept by reference. not_positive_definite: some Lanczos steps have seen it.
  FactorStatus build(const SparseMatrix& A, const Vector& positions, Work& work);
  bool ready() const { return A_ != nullptr; }
  // X ~ A^-1 R, column by column, to 1e-6 in the norm of B, or what a hundred iterations reach.
  void solve(const Matrix& R, Matrix& X, Work& work);
  double solve_work()
      const;  // of a column, in products, about: the same whatever was solved, for runs that go on

 private:
  enum class End { converged, gave_up, not_positive_definite, not_finite };
  End iterate(const Vector& rhs, double tolerance, int limit, Vector& x, Work& work);

  const MassMatrix& mass_;
  std::unique_ptr<OuterInverse> inverse_;
  const SparseMatrix* A_ = nullptr;
  Vector rhs_, x_, r_, z_, p_, Ap_;
};

}  // namespace phiflex

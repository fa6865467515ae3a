// The mass matrix M: a diagonal (lumped) or a sparse symmetric positive definite matrix (consistent).
#pragma once

#include <memory>
#include <optional>

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/sparse_matrix.h"
#include "phiflex/linalg/team.h"

namespace phiflex {

class MassMatrix {
 public:
  explicit MassMatrix(Vector diagonal);      // lumped; every entry > 0
  explicit MassMatrix(SparseMatrix matrix);  // consistent; factorized once
  // Either throws std::invalid_argument when the matrix is not positive definite.
  // team: the ranks that share a lumped matrix, which must outlive it.
  MassMatrix(Vector diagonal, const Team& team) : MassMatrix(std::move(diagonal)) { team_ = &team; }
  const Team& team() const { return *team_; }

  Index rows() const { return diagonal_.size(); }
  bool lumped() const { return !matrix_.has_value(); }
  const Vector& diagonal() const { return diagonal_; }  // of the matrix; the matrix itself when lumped
  const SparseMatrix* matrix() const { return matrix_ ? &*matrix_ : nullptr; }

  void apply(const Vector& x, Vector& y) const;  // y = M x
  void solve(const Vector& x, Vector& y) const;  // y = M^-1 x
  void apply(const Matrix& X, Matrix& Y) const;  // all columns at once
  void solve(const Matrix& X, Matrix& Y) const;
  double dot(const Vector& x, const Vector& y) const;  // x'M y, over all ranks of the team
  void add_to(double factor, SparseMatrix& A) const;   // A += factor M; A's pattern contains M's

 private:
  Vector diagonal_;
  std::optional<SparseMatrix> matrix_;
  std::unique_ptr<CholeskyFactorization> factorization_;
  const Team* team_ = &alone();
};

}  // namespace phiflex

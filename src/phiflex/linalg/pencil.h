// A symmetric pencil (K, M): K symmetric, perhaps indefinite or singular; M symmetric positive definite.
// Its operator A = M^-1 K is self-adjoint in the inner product x'M y, with real eigenvalues
//
//   K u = lambda M u.                                                                                     (1)
#pragma once

#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace phiflex {

class Pencil {
 public:
  virtual ~Pencil() = default;
  Index size() const { return mass().rows(); }
  virtual const MassMatrix& mass() const = 0;
  // Y = K X for all columns at once; counts as one product per column.
  virtual void apply_K(const Matrix& X, Matrix& Y) const = 0;
  // Of A in the infinity norm, or an estimate; bounds |lambda| when M is lumped.
  virtual double norm() const = 0;
};

class AssembledPencil final : public Pencil {
 public:
  AssembledPencil(const SparseMatrix& K, const MassMatrix& mass)
      : K_(K), mass_(mass) {}  // both are kept by reference
  const MassMatrix& mass() const override { return mass_; }
  void apply_K(const Matrix& X, Matrix& Y) const override { K_.apply(X, Y); }
  double norm() const override;
  const SparseMatrix& K() const { return K_; }

 private:
  const SparseMatrix& K_;
  const MassMatrix& mass_;
};

// Damping that the pencil's eigenvectors diagonalize: D = alpha M + beta K, K the pencil's own.
struct Rayleigh {
  double alpha = 0;  // 1/s
  double beta = 0;   // s
};

}  // namespace phiflex

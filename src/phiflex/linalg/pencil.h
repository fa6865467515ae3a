// A symmetric pencil (K, M): K symmetric, perhaps indefinite or singular; M symmetric positive definite.
// Its operator A = M^-1 K is self-adjoint in the inner product x'M y, with real eigenvalues
//
//   K u = lambda M u.                                                                                     (1)
#pragma once

#include "phiflex/base/work.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/mass_matrix.h"
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

// X ~ (M + s K)^-1 R: the factorization that a semi-implicit step of length sqrt(s) has anyway. It may be one
// fixed symmetric positive definite approximation (a kept factorization of an earlier K): who uses it projects
// the true K and needs no exact inverse.
class ShiftInverse {
 public:
  virtual ~ShiftInverse() = default;
  virtual double shift() const = 0;                                // s
  virtual SolveStatus prepare(Work& work) = 0;                     // makes apply() possible; may factorize
  virtual void apply(const Matrix& R, Matrix& X, Work& work) = 0;  // counts one solve per column
  // Costs for choices among methods, counted, in units of one product of K with one vector: what prepare()
  // would do now (0 when everything is there), and one column of apply().
  virtual double preparation_work() const = 0;
  virtual double solve_work() const = 0;
};

}  // namespace phiflex

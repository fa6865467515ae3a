// A symmetric pencil (K, M): K symmetric, perhaps indefinite or singular; M symmetric positive definite.
// Its operator A = M^-1 K is self-adjoint in the inner product x'M y, with real eigenvalues
//
//   K u = lambda M u.                                                                                     (1)
#pragma once

#include "phiflex/linalg/low_rank.h"
#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/linalg/sparse_matrix.h"
#include "phiflex/linalg/stencil_blocks.h"

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

// With a sparse K, or with a low-rank part (low_rank.h) or contacts (stencil_blocks.h) beside it, which may change and
// come and go.
class AssembledPencil final : public Pencil {
 public:
  // All are kept by reference.
  AssembledPencil(const SparseMatrix& K, const MassMatrix& mass, const LowRank* low_rank = nullptr,
                  const StencilBlocks* blocks = nullptr)
      : K_(K), mass_(mass), low_rank_(low_rank), blocks_(blocks) {}
  const MassMatrix& mass() const override { return mass_; }
  void apply_K(const Matrix& X, Matrix& Y) const override;
  double norm() const override;
  const SparseMatrix& K() const { return K_; }  // without what is beside it
  const LowRank* low_rank() const { return low_rank_ && !low_rank_->empty() ? low_rank_ : nullptr; }

 private:
  const SparseMatrix& K_;
  const MassMatrix& mass_;
  const LowRank* low_rank_;
  const StencilBlocks* blocks_;
};

// The largest row sum of |B| over the diagonal of M: a bound on the eigenvalues of M^-1 B where M is lumped, else near
// one. sums is working memory. Every rank of the mass must call it.
double contact_norm(const StencilBlocks& B, const MassMatrix& mass, Vector& sums);

// Damping that the pencil's eigenvectors diagonalize: D = alpha M + beta K, K the pencil's own.
struct Rayleigh {
  double alpha = 0;  // 1/s
  double beta = 0;   // s
};

}  // namespace phiflex

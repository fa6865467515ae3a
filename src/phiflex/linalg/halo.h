// What a rank needs of its neighbours. The rows that a rank owns come first, then its ghosts: rows of other ranks that
// share a block with one of them. A matrix has the rows that are owned, and columns of both kinds (sparse_matrix.h).
#pragma once

#include <memory>
#include <span>

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

// An approximate inverse that is made outside of this room, of a matrix whose rows are shared by several ranks.
class OuterInverse {
 public:
  virtual ~OuterInverse() = default;
  // positions: of the owned vertices, three numbers each.
  virtual FactorStatus build(const SparseMatrix& A, const Vector& positions) = 0;
  virtual bool ready() const = 0;
  // z = B r, one fixed symmetric B; positive definite where A is.
  virtual void precondition(const Vector& r, Vector& z) = 0;
};

class Halo {
 public:
  virtual ~Halo() = default;
  virtual int ghosts() const = 0;  // block rows
  // The ghosts' numbers of some vectors at once: from[i] holds the owned numbers, to[i] gets those of the ghosts. Every
  // rank must call it.
  virtual void fetch(std::span<const double* const> from, std::span<double* const> to) const = 0;
  // An inverse of matrices on this pattern, over all ranks.
  virtual std::unique_ptr<OuterInverse> make_inverse(
      std::shared_ptr<const SparsityPattern> pattern) const = 0;
};

}  // namespace phiflex

// An approximate inverse that is made outside of this room, of a matrix whose rows are shared by several ranks.
#pragma once

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

class OuterInverse {
 public:
  virtual ~OuterInverse() = default;
  // positions: of the owned vertices, three numbers each.
  virtual FactorStatus build(const SparseMatrix& A, const Vector& positions) = 0;
  virtual bool ready() const = 0;
  // z = B r, one fixed symmetric B; positive definite where A is.
  virtual void precondition(const Vector& r, Vector& z) = 0;
};

}  // namespace phiflex

// What a rank needs of its neighbours. The rows that a rank owns come first, then its ghosts: rows of other ranks that
// share a block with one of them. A matrix has the rows that are owned, and columns of both kinds (sparse_matrix.h).
#pragma once

#include <memory>
#include <span>

#include "phiflex/linalg/outer_inverse.h"

namespace phiflex {

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

// Products of tall blocks of vectors with small matrices, and the eigenproblem of a small symmetric matrix.
// Nothing allocates once the largest sizes were seen, and results have the same bits for any number of
// threads. (A BLAS promises neither: OpenBLAS's kernels for small matrices allocate.)
#pragma once

#include "phiflex/linalg/team.h"

namespace phiflex {

using ConstBlock = Eigen::Ref<const Matrix>;
using Block = Eigen::Ref<Matrix>;

void multiply(const ConstBlock& A, const ConstBlock& B, Block C);  // C = A B; C may start where A does
void subtract_product(const ConstBlock& A, const ConstBlock& B, Block C);     // C -= A B
void multiply_transposed(const ConstBlock& A, const ConstBlock& B, Block C);  // C = A'B
// C = A'B of blocks whose rows the ranks of a team share.
void multiply_transposed(const Team& team, const ConstBlock& A, const ConstBlock& B, Block C);
// Room, for products that this thread will ask for, of blocks up to this size.
void reserve_block_products(Index rows, Index columns);

// H y = theta y of a symmetric matrix, theta ascending, y orthonormal; only the lower half is read.
class SymmetricEigenSolver {
 public:
  void reserve(Index n);  // room for matrices up to this size
  // Both are of H's size. False when H is not finite.
  bool solve(const ConstBlock& H, Eigen::Ref<Vector> theta, Block Y);

 private:
  void reduce(const ConstBlock& H, Eigen::Ref<Vector> diagonal);
  bool rotate(Eigen::Ref<Vector> diagonal, Block& Y);
  void reflect(Block& Y) const;

  Index n_ = 0;
  Matrix R_;  // n_ x n_ of it is used, and of the vectors n_ numbers
  Vector below_, factor_, v_, w_;
};

}  // namespace phiflex

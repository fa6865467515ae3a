// Rayleigh-Ritz for a pencil on a basis that grows by blocks,
//
//   V'M V = I,   H = V'K V,   H y_i = theta_i y_i,   u_i = V y_i,   r_i = K u_i - theta_i M u_i,          (1)
//
// theta ascending. The u_i with the smallest theta_i are the best approximations of the smallest eigenpairs
// that the basis has.
#pragma once

#include "phiflex/base/work.h"
#include "phiflex/linalg/block_products.h"
#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/pencil.h"

namespace phiflex {

class RitzSpace {
 public:
  RitzSpace() = default;
  // Room for `capacity` vectors of `rows` numbers, added `block` at a time. Nothing allocates afterwards.
  RitzSpace(Index rows, Index capacity, Index block);

  Index rows() const { return V_.rows(); }
  Index size() const { return size_; }
  Index capacity() const { return V_.cols(); }
  Index block() const { return block_; }
  void clear() { truncate(0); }
  void truncate(Index size);  // the first vectors remain

  // Adds the columns of W (`block` of them; it is overwritten), made orthonormal to the basis and to each
  // other. Columns that depend on the others, and zero ones, are left out. Returns how many were added.
  Index add(const Pencil& pencil, Matrix& W, Work& work);
  void set_basis(const ConstBlock& V);            // M-orthonormal vectors; update() must follow
  void update(const Pencil& pencil, Work& work);  // K has changed: H of the same basis
  void turn(const BlockRotations& R);             // V <- R V; update() must follow. M must commute with R
  ConstBlock basis() const { return V_.leftCols(size_); }
  // `count` vectors of the basis from the first on and `more` from `second` on, for keep().
  void remember(Index count, Index second, Index more);

  bool solve();  // theta and y of (1); false: H is not finite
  // Of the latest solve(), whatever was added since:
  Index pairs() const { return solved_; }
  double theta(Index i) const { return theta_[i]; }
  // The basis becomes u_1 ... u_count and what up to `previous` former vectors have that is new beside them:
  // those that remember() named, else the u of the solve() before, if the basis has only grown since. With
  // the latter, restarts cost hardly any convergence (Stathopoulos: Nearly optimal preconditioned methods for
  // Hermitian eigenproblems under limited memory, 2007; in LOBPCG of Knyazev, 2001, it is the direction P).
  void keep(Index count, Index previous = 0);
  // r_i for i in [first, first + count), count <= block, as columns of R, and the norms of r, K u and M u.
  struct Norms {
    double r, Ku, Mu;
  };
  void residuals(const Pencil& pencil, Index first, Index count, Matrix& R, Norms* norms);

 private:
  Index orthonormalize(const Pencil& pencil, Matrix& W);
  Index add_previous(Index count, Index previous);

  Index block_ = 0, size_ = 0, solved_ = 0;
  Matrix V_, KV_;  // by columns, the first size_ of them
  Matrix H_, Y_;   // capacity x capacity; the lower half of H
  Vector theta_;
  bool rotated_ = false;  // the basis starts with u_1 ... u_pairs already
  Matrix P_;              // the former u in terms of the basis: the first former_ columns
  Index former_ = 0, remembered_ = 0, second_ = 0, more_ = 0;
  Matrix T_;            // capacity x capacity
  Matrix U_, KU_, MU_;  // rows x block
  Matrix C_, G_, Q_;    // small
  Vector scale_, gram_values_;
  SymmetricEigenSolver eigen_;
};

}  // namespace phiflex

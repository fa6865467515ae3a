// Orthonormalization of a block W, twice (once is not enough for directions that nearly lie in the basis):
//
//   W <- W - V (V'M W),   G = W'M W = Q S Q'  with columns scaled to norm 1,   W <- W Q S^(-1/2)          (2)
//
// (Stathopoulos, Wu: A block orthogonalization procedure with constant synchronization requirements, 2002).
#include "phiflex/linalg/ritz_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace phiflex {
namespace {

// What is left of a unit vector below this is rounding, not direction.
constexpr double kDependent = 1e-12;

}  // namespace

RitzSpace::RitzSpace(Index rows, Index capacity, Index block)
    : block_(block),
      V_(rows, capacity),
      KV_(rows, capacity),
      H_(capacity, capacity),
      Y_(capacity, capacity),
      theta_(capacity),
      P_(capacity, capacity),
      T_(capacity, capacity),
      U_(rows, block),
      KU_(rows, block),
      MU_(rows, block),
      C_(capacity, block),
      G_(block, block),
      Q_(block, block),
      scale_(block),
      gram_values_(block) {
  eigen_.reserve(std::max(capacity, block));
  reserve_block_products(std::max(rows, capacity), capacity);
}

void RitzSpace::truncate(Index size) {
  size_ = std::min(size, size_);
  solved_ = former_ = remembered_ = more_ = 0;
}

void RitzSpace::remember(Index count, Index second, Index more) {
  remembered_ = std::min(count, size_);
  second_ = std::min(second, size_);
  more_ = std::min(more, size_ - second_);
}

void RitzSpace::set_basis(const ConstBlock& V) {
  if (V.cols() > capacity() || V.rows() != rows())
    throw std::invalid_argument("RitzSpace: the basis does not fit");
  clear();
  size_ = V.cols();
  V_.leftCols(size_) = V;
}

void RitzSpace::turn(const BlockRotations& R) {
  auto V = V_.leftCols(size_);
  R.apply(V);
}

Index RitzSpace::orthonormalize(const Pencil& pencil, Matrix& W) {
  const Team& team = pencil.mass().team();
  Index found = block_;
  for (int pass = 0; pass < 2; ++pass) {
    pencil.mass().apply(W, MU_);
    for (Index j = 0; j < block_; ++j) scale_[j] = W.col(j).dot(MU_.col(j));
    team.sum({scale_.data(), std::size_t(block_)});
    for (double& scale : scale_) scale = scale > 0 ? 1 / std::sqrt(scale) : 0;
    // The projection may use the old M W: it is linear.
    multiply_transposed(team, V_.leftCols(size_), MU_, C_.topRows(size_));
    subtract_product(V_.leftCols(size_), C_.topRows(size_), W);
    for (Index j = 0; j < block_; ++j) W.col(j) *= scale_[j];
    pencil.mass().apply(W, MU_);
    multiply_transposed(team, W, MU_, G_);
    // (2), with the columns that are left scaled to norm 1 once more.
    for (Index j = 0; j < block_; ++j)
      scale_[j] = G_(j, j) > kDependent * kDependent ? 1 / std::sqrt(G_(j, j)) : 0;
    G_.array().colwise() *= scale_.array();
    G_.array().rowwise() *= scale_.transpose().array();
    if (!eigen_.solve(G_, gram_values_, Q_)) return 0;
    found = 0;
    for (Index j = block_ - 1; j >= 0; --j) {  // largest first, so that the found ones come first
      if (gram_values_[j] <= kDependent) break;
      C_.col(found++).head(block_) = scale_.cwiseProduct(Q_.col(j)) / std::sqrt(gram_values_[j]);
    }
    multiply(W, C_.topLeftCorner(block_, found), U_.leftCols(found));
    W.leftCols(found) = U_.leftCols(found);
    W.rightCols(block_ - found).setZero();
  }
  return found;
}

Index RitzSpace::add(const Pencil& pencil, Matrix& W, Work& work) {
  const Index added = std::min(orthonormalize(pencil, W), capacity() - size_);
  if (added == 0) return 0;
  pencil.apply_K(W, KU_);
  work.stiffness_products += block_;
  V_.middleCols(size_, added) = W.leftCols(added);
  KV_.middleCols(size_, added) = KU_.leftCols(added);
  // The new rows of the lower half of H: W'K [V W].
  const Index all = size_ + added;
  multiply_transposed(pencil.mass().team(), KV_.middleCols(size_, added), V_.leftCols(all),
                      H_.block(size_, 0, added, all));
  size_ = all;
  return added;
}

void RitzSpace::update(const Pencil& pencil, Work& work) {
  solved_ = former_ = 0;
  for (Index first = 0; first < size_; first += block_) {
    const Index count = std::min(block_, size_ - first);
    U_.leftCols(count) = V_.middleCols(first, count);
    U_.rightCols(block_ - count).setZero();
    pencil.apply_K(U_, KU_);
    work.stiffness_products += count;
    KV_.middleCols(first, count) = KU_.leftCols(count);
  }
  multiply_transposed(pencil.mass().team(), KV_.leftCols(size_), V_.leftCols(size_),
                      H_.topLeftCorner(size_, size_));
}

bool RitzSpace::solve() {
  const bool remembers = remembered_ + more_ > 0;
  former_ = remembers ? remembered_ + more_ : solved_;
  P_.topLeftCorner(size_, former_).setZero();
  if (remembers) {
    P_.topLeftCorner(remembered_, remembered_).setIdentity();
    P_.block(second_, remembered_, more_, more_).setIdentity();
  } else if (rotated_)
    P_.topLeftCorner(former_, former_).setIdentity();
  else
    P_.topLeftCorner(former_, former_) = Y_.topLeftCorner(former_, former_);
  rotated_ = false;
  solved_ = size_;
  return eigen_.solve(H_.topLeftCorner(size_, size_), theta_.head(size_), Y_.topLeftCorner(size_, size_));
}

// Columns count, count + 1, ... of Y become an orthonormal basis of what the first former vectors have beside
// the first `count` columns. Returns the number of columns in all.
Index RitzSpace::add_previous(Index count, Index previous) {
  constexpr double too_little = 1e-6;  // of a vector: not worth a place
  Index columns = count;
  for (Index j = 0; j < std::min({previous, former_, solved_ - count}); ++j) {
    auto p = P_.col(j).head(solved_);
    for (int pass = 0; pass < 2; ++pass)
      for (Index i = 0; i < columns; ++i) {
        const auto y = Y_.col(i).head(solved_);
        p -= y.dot(p) * y;
      }
    if (const double norm = p.norm(); norm > too_little) Y_.col(columns++).head(solved_) = p / norm;
  }
  return columns;
}

void RitzSpace::keep(Index count, Index previous) {
  if (rotated_) return;
  count = std::min(count, solved_);
  const Index columns = add_previous(count, previous);
  const auto Y = Y_.topLeftCorner(solved_, columns);
  multiply(V_.leftCols(solved_), Y, V_.leftCols(columns));
  multiply(KV_.leftCols(solved_), Y, KV_.leftCols(columns));
  // H <- Y'H Y; P is free to hold H, both halves.
  P_.topLeftCorner(solved_, solved_) = H_.topLeftCorner(solved_, solved_).selfadjointView<Eigen::Lower>();
  multiply(P_.topLeftCorner(solved_, solved_), Y, T_.topLeftCorner(solved_, columns));
  multiply_transposed(Y, T_.topLeftCorner(solved_, columns), H_.topLeftCorner(columns, columns));
  H_.topLeftCorner(count, count) = theta_.head(count).asDiagonal();
  // What is remembered comes behind the Ritz vectors now.
  more_ = remembered_ + more_ > 0 ? columns - count : 0;
  second_ = count;
  remembered_ = former_ = 0;
  size_ = columns;
  solved_ = count;
  rotated_ = true;
}

void RitzSpace::residuals(const Pencil& pencil, Index first, Index count, Matrix& R, Norms* norms) {
  if (rotated_) {
    U_.leftCols(count) = V_.middleCols(first, count);
    KU_.leftCols(count) = KV_.middleCols(first, count);
  } else {
    const auto Y = Y_.block(0, first, solved_, count);
    multiply(V_.leftCols(solved_), Y, U_.leftCols(count));
    multiply(KV_.leftCols(solved_), Y, KU_.leftCols(count));
  }
  U_.rightCols(block_ - count).setZero();
  pencil.mass().apply(U_, MU_);
  const Team& team = pencil.mass().team();
  for (Index j = 0; j < count; ++j) {
    R.col(j) = KU_.col(j) - theta_[first + j] * MU_.col(j);
    std::array squares{R.col(j).squaredNorm(), KU_.col(j).squaredNorm(), MU_.col(j).squaredNorm()};
    team.sum(squares);
    norms[j] = {std::sqrt(squares[0]), std::sqrt(squares[1]), std::sqrt(squares[2])};
  }
}

}  // namespace phiflex

// A rotation of three dimensions per block row: how the neighbourhood of each vertex turned between two states.
// A factorization or modes of an earlier state, turned with the body, serve a later one:
//
//   A(q) ~ R A(q_0) R',   R = diag(R_v).                                                                  (1)
#pragma once

#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

class BlockRotations {
 public:
  bool empty() const { return rotations_.empty(); }  // none: the identity
  void clear() { rotations_.clear(); }
  void resize(Index blocks) { rotations_.resize(std::size_t(blocks)); }
  Index blocks() const { return Index(rotations_.size()); }
  Eigen::Matrix3d& operator[](Index block) { return rotations_[std::size_t(block)]; }
  const Eigen::Matrix3d& operator[](Index block) const { return rotations_[std::size_t(block)]; }

  // In place, every column: X <- R X and X <- R'X.
  template <class Dense>
  void apply(Eigen::MatrixBase<Dense>& X) const {
    for (Index column = 0; column < X.cols(); ++column)
      for (Index v = 0; v < blocks(); ++v) {
        const Eigen::Vector3d x = X.col(column).template segment<3>(3 * v);
        X.col(column).template segment<3>(3 * v).noalias() = (*this)[v] * x;
      }
  }
  template <class Dense>
  void apply_transposed(Eigen::MatrixBase<Dense>& X) const {
    for (Index column = 0; column < X.cols(); ++column)
      for (Index v = 0; v < blocks(); ++v) {
        const Eigen::Vector3d x = X.col(column).template segment<3>(3 * v);
        X.col(column).template segment<3>(3 * v).noalias() = (*this)[v].transpose() * x;
      }
  }

 private:
  std::vector<Eigen::Matrix3d> rotations_;
};

}  // namespace phiflex

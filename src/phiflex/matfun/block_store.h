// The blocks of a Krylov basis, kept for one final combination. Where results need no more than a few digits
// they are kept in single precision: twice the basis in the same memory.
#pragma once

#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

enum class StoredPrecision { single, full };

class BlockStore {
 public:
  void clear(StoredPrecision precision);  // memory is kept for the next basis
  void push(const Eigen::Ref<const Matrix>& block);
  // Y = V C, V all columns in the order they came.
  void combine(const Eigen::Ref<const Matrix>& C, Matrix& Y) const;
  Index columns() const { return columns_; }

 private:
  StoredPrecision precision_ = StoredPrecision::full;
  std::size_t blocks_ = 0;
  Index columns_ = 0;
  std::vector<Eigen::MatrixXf> single_;
  std::vector<Matrix> full_;
};

}  // namespace phiflex

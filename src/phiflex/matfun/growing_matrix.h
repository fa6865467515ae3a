// A matrix that keeps its memory: a new shape allocates only beyond the largest there ever was.
#pragma once

#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

class GrowingMatrix {
 public:
  // The leading columns stay as they were while the number of rows does not change.
  Eigen::Map<Matrix> shape(Index rows, Index columns) {
    rows_ = rows;
    columns_ = columns;
    if (std::size_t(rows * columns) > numbers_.size()) numbers_.resize(std::size_t(rows * columns));
    return get();
  }
  Eigen::Map<Matrix> get() { return {numbers_.data(), rows_, columns_}; }
  Eigen::Map<const Matrix> get() const { return {numbers_.data(), rows_, columns_}; }

 private:
  std::vector<double> numbers_;
  Index rows_ = 0, columns_ = 0;
};

}  // namespace phiflex

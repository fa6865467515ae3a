#include "phiflex/linalg/identified_modes.h"

#include <algorithm>

namespace phiflex {

ModesStatus IdentifiedModes::update(const AssembledPencil& pencil, Work& work) {
  constexpr Index kMore = 3;  // that may come down from above
  const Index count = std::min(count_, pencil.size());
  Modes modes;
  const ModesStatus status = compute_modes(pencil, std::min(count + kMore, pencil.size()), {}, modes, work);
  if (status != ModesStatus::ok) return status;
  if (V_.rows() != modes.U.rows() || V_.cols() != count) {
    V_ = modes.U.leftCols(count);
    lambda_ = modes.lambda.head(count);
    overlap_.setOnes(count);
    return status;
  }
  Matrix MU(modes.U.rows(), modes.U.cols());
  pencil.mass().apply(modes.U, MU);
  Matrix o = (V_.transpose() * MU).cwiseAbs();  // (1)
  for (Index left = count; left > 0; --left) {
    Index i = 0, j = 0;
    o.maxCoeff(&i, &j);
    overlap_[i] = o(i, j);
    lambda_[i] = modes.lambda[j];
    V_.col(i) = modes.U.col(j);
    o.row(i).setConstant(-1);
    o.col(j).setConstant(-1);
  }
  return status;
}

void IdentifiedModes::save(ArchiveWriter& out) const {
  out.put(static_cast<std::int64_t>(V_.rows()));
  out.put(static_cast<std::int64_t>(V_.cols()));
  out.put(std::span<const double>(V_.data(), static_cast<std::size_t>(V_.size())));
}

void IdentifiedModes::load(ArchiveReader& in) {
  const Index rows = in.get_integer(), cols = in.get_integer(0, count_);
  const std::vector<double> numbers = in.get_doubles();
  if (cols == 0 ? !numbers.empty()
                : rows < 0 || Index(numbers.size()) % cols != 0 || Index(numbers.size()) / cols != rows)
    throw ArchiveError("the archive's modes have no shape");
  V_ = Eigen::Map<const Matrix>(numbers.data(), cols == 0 ? 0 : rows, cols);
  lambda_.setZero(cols);
  overlap_.setZero(cols);
}

}  // namespace phiflex

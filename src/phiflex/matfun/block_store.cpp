#include "phiflex/matfun/block_store.h"

#include <algorithm>

#include "phiflex/base/parallel.h"

namespace phiflex {
namespace {

constexpr Index kRowsPerPiece = 1024;  // of all columns of a result: they stay in the cache

template <class Block>
void add_block(const Block& V, const Eigen::Ref<const Matrix>& C, Index first_row_of_C, Index first,
               Index count, Matrix& Y) {
  for (Index i = 0; i < C.cols(); ++i)
    for (Index j = 0; j < V.cols(); ++j)
      Y.col(i).segment(first, count) +=
          C(first_row_of_C + j, i) * V.col(j).segment(first, count).template cast<double>();
}

template <class Block>
void combine_blocks(const std::vector<Block>& blocks, std::size_t block_count,
                    const Eigen::Ref<const Matrix>& C, Matrix& Y) {
  const Index pieces = (Y.rows() + kRowsPerPiece - 1) / kRowsPerPiece;
  parallel_for(pieces, [&](std::ptrdiff_t piece) {
    const Index first = piece * kRowsPerPiece, count = std::min(kRowsPerPiece, Y.rows() - first);
    Y.middleRows(first, count).setZero();
    Index column = 0;
    for (std::size_t k = 0; k < block_count; ++k) {
      add_block(blocks[k], C, column, first, count, Y);
      column += blocks[k].cols();
    }
  });
}

}  // namespace

void BlockStore::clear(StoredPrecision precision) {
  precision_ = precision;
  blocks_ = 0;
  columns_ = 0;
}

void BlockStore::push(const Eigen::Ref<const Matrix>& block) {
  if (precision_ == StoredPrecision::single) {
    if (blocks_ == single_.size()) single_.emplace_back();
    single_[blocks_] = block.cast<float>();
  } else {
    if (blocks_ == full_.size()) full_.emplace_back();
    full_[blocks_] = block;
  }
  ++blocks_;
  columns_ += block.cols();
}

void BlockStore::combine(const Eigen::Ref<const Matrix>& C, Matrix& Y) const {
  if (precision_ == StoredPrecision::single)
    combine_blocks(single_, blocks_, C, Y);
  else
    combine_blocks(full_, blocks_, C, Y);
}

}  // namespace phiflex

#include "phiflex/linalg/sparse_matrix.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/four_lanes.h"
#include "phiflex/linalg/halo.h"

namespace phiflex {
namespace {

// Work is cut into pieces of fixed size, so that the pieces do not depend on the number of threads.
constexpr Index kRowsPerPiece = 1024;
constexpr Index kRowsInCache = 256;  // some 300 kB of blocks of a mesh of tetrahedra
constexpr Index kNumbersPerPiece = 1 << 15;

// Kernels of four lanes read one number past a block of three rows of three.
constexpr Index kSpareNumbers = 4;

template <class Body>
void for_pieces(Index count, Index size, const Body& body) {
  parallel_for((count + size - 1) / size,
               [&](std::ptrdiff_t piece) { body(piece * size, std::min(count, (piece + 1) * size)); });
}

using Lanes = FourLanes;

// One accumulator of four lanes per row of a block: lane j collects B(i, j) x_j, the fourth lane collects
// what lies behind the row and is never read. Per block that is four loads and three multiply-adds.
struct RowSums {
  Lanes row0 = {}, row1 = {}, row2 = {};
  void add(Lanes block0, Lanes block1, Lanes block2, Lanes x) {
    row0 += block0 * x;
    row1 += block1 * x;
    row2 += block2 * x;
  }
  void add(const RowSums& other) {
    row0 += other.row0;
    row1 += other.row1;
    row2 += other.row2;
  }
  void store_sums(double* y) const {
    const Lanes even = __builtin_shufflevector(row0, row1, 0, 4, 2, 6);  // two rows at once
    const Lanes odd = __builtin_shufflevector(row0, row1, 1, 5, 3, 7);
    y[0] = even[0] + odd[0] + even[2];
    y[1] = even[1] + odd[1] + even[3];
    y[2] = row2[0] + row2[1] + row2[2];
  }
};

// The kernels multiply rows [first, last) with N vectors at once, which lie `rows` numbers apart: a block is
// read once for all of them. Every vector is summed in the same order whatever N is.
template <int N>
void apply_rows_of_three(const SparsityPattern& pattern, const double* values, const double* x, Index first,
                         Index last, double* y) {
  const Index rows = pattern.rows();
  const int* start = pattern.row_start().data();
  const int* column = pattern.column().data() + start[first];
  const double* block = values + 9 * Index(start[first]);
  const auto add_block = [&](RowSums* sums, const double* numbers, int j) {
    const Lanes block0 = load(numbers), block1 = load(numbers + 3), block2 = load(numbers + 6);
    const double* x_block = x + 3 * Index(j);
    for (int n = 0; n < N; ++n) sums[n].add(block0, block1, block2, load(x_block + n * rows));
  };
  for (Index i = first; i < last; ++i) {
    // Two sets of sums, so that an addition need not wait for the one before it.
    RowSums sums[N], others[N];
    // Columns ascend: only the last block of a row can touch the end of x, where no fourth number follows.
    const double* last_block = values + 9 * Index(start[i + 1] - 1);
    for (; block + 9 < last_block; block += 18, column += 2) {
      add_block(sums, block, column[0]);
      add_block(others, block + 9, column[1]);
    }
    if (block < last_block) {
      add_block(sums, block, *column);
      block += 9;
      ++column;
    }
    const Lanes block0 = load(block), block1 = load(block + 3), block2 = load(block + 6);
    for (int n = 0; n < N; ++n) {
      const double* x_last = x + 3 * Index(*column) + n * rows;
      others[n].add(block0, block1, block2, Lanes{x_last[0], x_last[1], x_last[2], 0});
      sums[n].add(others[n]);
      sums[n].store_sums(y + 3 * i + n * rows);
    }
    block += 9;
    ++column;
  }
}

template <int b, int N>
void apply_rows(const SparsityPattern& pattern, const double* values, const double* x, Index first,
                Index last, double* y) {
  const Index rows = pattern.rows();
  const int* start = pattern.row_start().data();
  const int* column = pattern.column().data();
  for (Index i = first; i < last; ++i) {
    double sum[N][b] = {};
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const double* block = values + b * b * Index(k);
      for (int n = 0; n < N; ++n) {
        const double* xs = x + b * Index(column[k]) + n * rows;
        for (int row = 0; row < b; ++row)
          for (int col = 0; col < b; ++col) sum[n][row] += block[b * row + col] * xs[col];
      }
    }
    for (int n = 0; n < N; ++n) std::copy_n(sum[n], b, y + b * i + n * rows);
  }
}

using Kernel = void (*)(const SparsityPattern&, const double*, const double*, Index, Index, double*);

template <int N>
Kernel kernel_of(const SparsityPattern& pattern) {
  switch (pattern.block()) {
    case 1:
      return apply_rows<1, N>;
    case 2:
      return apply_rows<2, N>;
    default:
      return apply_rows_of_three<N>;
  }
}

// `count` columns of owned numbers, one behind the other, each followed by the numbers of its ghosts. Valid until the
// next call: ranks have one thread that communicates.
const double* with_ghosts(const SparsityPattern& pattern, const double* owned, Index count) {
  thread_local std::vector<double> wide;
  const Index rows = pattern.rows(), stride = rows + Index(pattern.block()) * pattern.halo()->ghosts();
  wide.resize(std::size_t(stride * count));
  std::vector<const double*> from;
  std::vector<double*> to;
  for (Index j = 0; j < count; ++j) {
    std::copy_n(owned + j * rows, rows, wide.data() + j * stride);
    from.push_back(owned + j * rows);
    to.push_back(wide.data() + j * stride + rows);
  }
  pattern.halo()->fetch(from, to);
  return wide.data();
}

}  // namespace

SparsityPattern::SparsityPattern(int block, int block_rows, const std::vector<Coupling>& couplings,
                                 std::shared_ptr<const Halo> halo)
    : block_(block), block_rows_(block_rows), halo_(std::move(halo)) {
  if (block < 1 || block > 3) throw std::invalid_argument("SparsityPattern: the block size is 1, 2 or 3");
  if (block_rows < 0) throw std::invalid_argument("SparsityPattern: negative number of rows");

  const int columns = block_rows + (halo_ ? halo_->ghosts() : 0);

  // Both directions of every coupling, bucketed by row; then each row sorted and made unique.
  std::vector<std::int64_t> bucket(std::size_t(block_rows) + 1, 0);
  for (int i = 0; i < block_rows; ++i) bucket[std::size_t(i) + 1] = 1;
  for (const auto& [i, j] : couplings) {
    if (i < 0 || j < 0 || i >= columns || j >= columns)
      throw std::invalid_argument("SparsityPattern: a coupling names a row that is not there");
    if (i == j) continue;
    if (owns(i)) ++bucket[std::size_t(i) + 1];
    if (owns(j)) ++bucket[std::size_t(j) + 1];
  }
  for (int i = 0; i < block_rows; ++i) bucket[std::size_t(i) + 1] += bucket[i];
  std::vector<int> bucketed(std::size_t(bucket.back()));
  std::vector<std::int64_t> next(bucket.begin(), bucket.end() - 1);
  for (int i = 0; i < block_rows; ++i) bucketed[next[i]++] = i;
  for (const auto& [i, j] : couplings) {
    if (i == j) continue;
    if (owns(i)) bucketed[next[i]++] = j;
    if (owns(j)) bucketed[next[j]++] = i;
  }

  row_start_.assign(std::size_t(block_rows) + 1, 0);
  diagonal_.resize(block_rows);
  std::int64_t kept = 0;
  for (int i = 0; i < block_rows; ++i) {
    const auto begin = bucketed.begin() + bucket[i], end = bucketed.begin() + bucket[i + 1];
    std::sort(begin, end);
    const auto unique_end = std::unique(begin, end);
    const auto to = std::copy(begin, unique_end, bucketed.begin() + kept) - bucketed.begin();
    if (to > std::numeric_limits<int>::max())
      throw std::length_error("SparsityPattern: more blocks than an int can count");
    diagonal_[i] =
        int(std::lower_bound(bucketed.begin() + kept, bucketed.begin() + to, i) - bucketed.begin());
    kept = to;
    row_start_[std::size_t(i) + 1] = int(kept);
  }
  column_.assign(bucketed.begin(), bucketed.begin() + kept);
}

int SparsityPattern::find(int row, int col) const {
  if (!owns(row)) return -1;
  const auto begin = column_.begin() + row_start_[row], end = column_.begin() + row_start_[row + 1];
  const auto place = std::lower_bound(begin, end, col);
  return place != end && *place == col ? int(place - column_.begin()) : -1;
}

SparseMatrix::SparseMatrix(std::shared_ptr<const SparsityPattern> pattern) : pattern_(std::move(pattern)) {
  if (!pattern_) throw std::invalid_argument("SparseMatrix: no pattern");
  values_.assign(value_count() + kSpareNumbers, 0.0);
}

std::size_t SparseMatrix::value_count() const {
  return std::size_t(pattern_->blocks()) * pattern_->block() * pattern_->block();
}

void SparseMatrix::set_zero() {
  for_pieces(Index(value_count()), kNumbersPerPiece,
             [&](Index first, Index last) { std::fill(values() + first, values() + last, 0.0); });
}

void SparseMatrix::set(double factor, const SparseMatrix& other) {
  if (pattern_ != other.pattern_) {
    set_zero();
    return add_on_smaller_pattern(factor, other);
  }
  const double* from = other.values();
  double* to = values();
  for_pieces(Index(value_count()), kNumbersPerPiece, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) to[k] = factor * from[k];
  });
}

void SparseMatrix::add(double factor, const SparseMatrix& other) {
  if (pattern_ != other.pattern_) return add_on_smaller_pattern(factor, other);
  const double* from = other.values();
  double* to = values();
  for_pieces(Index(value_count()), kNumbersPerPiece, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) to[k] += factor * from[k];
  });
}

void SparseMatrix::add_on_smaller_pattern(double factor, const SparseMatrix& other) {
  const SparsityPattern &mine = *pattern_, &theirs = *other.pattern_;
  if (mine.block() != theirs.block() || mine.block_rows() != theirs.block_rows())
    throw std::invalid_argument("SparseMatrix: matrices of different size");
  const int numbers = mine.block() * mine.block();
  for_pieces(mine.block_rows(), kRowsPerPiece, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      // Both rows ascend: one walk through them finds every block of the other.
      int k = mine.row_start()[i];
      const int end = mine.row_start()[i + 1];
      for (int l = theirs.row_start()[i]; l < theirs.row_start()[i + 1]; ++l) {
        while (k < end && mine.column()[k] < theirs.column()[l]) ++k;
        if (k == end || mine.column()[k] != theirs.column()[l])
          throw std::invalid_argument("SparseMatrix: a block to be added is not in the pattern");
        double* to = block(k);
        const double* from = other.block(l);
        for (int n = 0; n < numbers; ++n) to[n] += factor * from[n];
      }
    }
  });
}

void SparseMatrix::add_to_diagonal(double factor, const Vector& diagonal) {
  if (diagonal.size() != rows()) throw std::invalid_argument("SparseMatrix: a diagonal of another size");
  const int b = pattern_->block();
  for (int i = 0; i < pattern_->block_rows(); ++i) {
    double* to = block(pattern_->diagonal(i));
    for (int row = 0; row < b; ++row) to[(b + 1) * row] += factor * diagonal[Index(b) * i + row];
  }
}

void SparseMatrix::apply(const Vector& x, Vector& y) const {
  if (x.size() != rows()) throw std::invalid_argument("SparseMatrix: a vector of another size");
  if (&x == &y) throw std::invalid_argument("SparseMatrix: the product may not overwrite its factor");
  if (y.size() != rows()) y.resize(rows());
  const Kernel kernel = kernel_of<1>(*pattern_);
  const double* factor = pattern_->halo() ? with_ghosts(*pattern_, x.data(), 1) : x.data();
  for_pieces(pattern_->block_rows(), kRowsPerPiece,
             [&](Index first, Index last) { kernel(*pattern_, values(), factor, first, last, y.data()); });
}

void SparseMatrix::apply(const Matrix& X, Matrix& Y) const {
  if (X.rows() != rows()) throw std::invalid_argument("SparseMatrix: a block of another size");
  if (&X == &Y) throw std::invalid_argument("SparseMatrix: the product may not overwrite its factor");
  if (Y.rows() != rows() || Y.cols() != X.cols()) Y.resize(rows(), X.cols());
  const Kernel one = kernel_of<1>(*pattern_), two = kernel_of<2>(*pattern_);
  if (const Halo* halo = pattern_->halo()) {
    const Index stride = rows() + Index(pattern_->block()) * halo->ghosts();
    const double* factors = with_ghosts(*pattern_, X.data(), X.cols());
    for_pieces(pattern_->block_rows(), kRowsInCache, [&](Index first, Index last) {
      for (Index j = 0; j < X.cols(); ++j)
        one(*pattern_, values(), factors + j * stride, first, last, Y.col(j).data());
    });
    return;
  }
  // All pairs of columns on a few rows while these are in cache.
  for_pieces(pattern_->block_rows(), kRowsInCache, [&](Index first, Index last) {
    Index j = 0;
    for (; j + 1 < X.cols(); j += 2) two(*pattern_, values(), X.col(j).data(), first, last, Y.col(j).data());
    if (j < X.cols()) one(*pattern_, values(), X.col(j).data(), first, last, Y.col(j).data());
  });
}

Vector SparseMatrix::diagonal() const {
  const int b = pattern_->block();
  Vector d(rows());
  for (int i = 0; i < pattern_->block_rows(); ++i)
    for (int row = 0; row < b; ++row) d[Index(b) * i + row] = block(pattern_->diagonal(i))[(b + 1) * row];
  return d;
}

Eigen::SparseMatrix<double, Eigen::RowMajor> SparseMatrix::to_eigen() const {
  const SparsityPattern& p = *pattern_;
  const int b = p.block();
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(rows(), rows());
  matrix.resizeNonZeros(Index(value_count()));
  Index entry = 0;
  for (int i = 0; i < p.block_rows(); ++i)
    for (int row = 0; row < b; ++row) {
      matrix.outerIndexPtr()[b * i + row] = int(entry);
      for (int k = p.row_start()[i]; k < p.row_start()[i + 1]; ++k)
        for (int col = 0; col < b; ++col, ++entry) {
          matrix.innerIndexPtr()[entry] = b * p.column()[k] + col;
          matrix.valuePtr()[entry] = block(k)[b * row + col];
        }
    }
  matrix.outerIndexPtr()[rows()] = int(entry);
  return matrix;
}

}  // namespace phiflex

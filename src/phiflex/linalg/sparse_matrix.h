// Symmetric sparse matrices of square blocks on a fixed pattern.
//
// The pattern is built once (per mesh and set of constraints) and shared; the values change every step.
// Rows of blocks, all of them stored (both halves), columns ascending, the diagonal block always present:
//
//   y_i = sum over k in [row_start[i], row_start[i+1]) of  B_k x_{column[k]},   B_k(r, c) = block(k)[b*r + c]
//
// With b = 3 a product reads 9*8 + 4 bytes per block where a scalar format reads 9*12. Blocks lie by rows,
// one behind the other without gaps: a kernel of four lanes multiplies a row with x_j at once, and its fourth
// lane collects values that are not read.
//
// On several ranks (linalg/halo.h) a matrix has the rows that its rank owns; columns beyond them are those of ghosts,
// whose numbers a product fetches from the neighbours.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <vector>

#include "phiflex/linalg/huge_pages.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

// An unordered pair of block rows that share a block.
using Coupling = std::array<int, 2>;

class Halo;

class SparsityPattern {
 public:
  // The diagonal, and both (i, j) and (j, i) of every coupling. block is 1, 2 or 3. halo: of several ranks; couplings
  // may then name ghosts, the rows from block_rows on. Null: there are none.
  SparsityPattern(int block, int block_rows, const std::vector<Coupling>& couplings,
                  std::shared_ptr<const Halo> halo = nullptr);

  int block() const { return block_; }
  int block_rows() const { return block_rows_; }
  Index rows() const { return Index(block_) * block_rows_; }
  Index blocks() const { return static_cast<Index>(column_.size()); }
  const std::vector<int>& row_start() const { return row_start_; }
  const std::vector<int>& column() const { return column_; }
  int find(int row, int col) const;  // the block's number; -1 when it is not in the pattern
  bool owns(int row) const { return row < block_rows_; }  // not a ghost's
  const Halo* halo() const { return halo_.get(); }        // null: one rank alone
  int diagonal(int row) const { return diagonal_[row]; }

 private:
  int block_, block_rows_;
  std::vector<int> row_start_, column_, diagonal_;
  std::shared_ptr<const Halo> halo_;
};

class SparseMatrix {
 public:
  explicit SparseMatrix(std::shared_ptr<const SparsityPattern> pattern);

  const SparsityPattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const SparsityPattern>& shared_pattern() const { return pattern_; }
  Index rows() const { return pattern_->rows(); }
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  std::size_t value_count() const;  // b*b*blocks
  double* block(int k) { return values_.data() + Index(k) * pattern_->block() * pattern_->block(); }
  const double* block(int k) const {
    return values_.data() + Index(k) * pattern_->block() * pattern_->block();
  }

  void set_zero();
  // this = factor * other and this += factor * other; the other's pattern is within ours.
  void set(double factor, const SparseMatrix& other);
  void add(double factor, const SparseMatrix& other);
  void add_to_diagonal(double factor, const Vector& diagonal);  // this += factor * diag(diagonal)
  void apply(const Vector& x, Vector& y) const;  // y = A x; no allocation when y has its size already
  void apply(const Matrix& X, Matrix& Y) const;  // all columns in one sweep over the matrix
  Vector diagonal() const;
  Eigen::SparseMatrix<double, Eigen::RowMajor> to_eigen() const;  // for tests, benchmarks and references

 private:
  void add_on_smaller_pattern(double factor, const SparseMatrix& other);

  std::shared_ptr<const SparsityPattern> pattern_;
  // A few spare numbers at the end let kernels read and write whole registers.
  LargeArray<double> values_;
};

}  // namespace phiflex

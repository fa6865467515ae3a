// A level of the multigrid (multigrid.h, whose labels are cited here): its matrix, its smoothing, and what leads to the
// next level.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/aggregation.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/huge_pages.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

inline constexpr int kRigidMotions = 6;  // unknowns of an aggregate
inline constexpr int kLanczosSteps = 10;

// body(first, last) for pieces of [0, count) that do not depend on the number of threads.
template <class Body>
void for_row_pieces(Index count, const Body& body) {
  constexpr Index piece = 512;
  parallel_for((count + piece - 1) / piece,
               [&](std::ptrdiff_t n) { body(Index(n) * piece, std::min(count, (Index(n) + 1) * piece)); });
}

// The matrix of level 0, by rows of blocks, and what makes its largest number about 1.
struct LevelZero {
  const double* values = nullptr;
  double scale = 1;
};

// b = 3: the finest, blocks by rows in single precision. b = 6: the others, blocks by columns in double precision.
template <int b>
struct MultigridLevel {
  using Number = std::conditional_t<b == 3, float, double>;
  static constexpr int square = b * b;
  static constexpr int wide = b * kRigidMotions;  // numbers of a block of P, by rows

  // The matrix.
  const int *start = nullptr, *column = nullptr;
  int rows = 0;
  LargeArray<Number> A;
  LargeArray<float> diagonal_rest;  // b = 3: what rounding took from the rows, to be added to the diagonal
  LargeArray<float> D_inverse;      // by rows; symmetric
  double lambda = 0;

  // To the next level.
  std::vector<int> aggregate_of, member_start, member;
  int aggregates = 0;
  BlockRows P_rows, AP_rows;
  BlockColumns P_columns;
  std::vector<int>
      own_place;  // of each block of A, in the row of P: where its column's aggregate is; -1: nowhere
  LargeArray<float> P;
  LargeArray<double> Q, AP;
  std::vector<std::array<bool, kRigidMotions>> dependent;  // columns of an aggregate that are zero

  Vector r, x, d;

  // Block k by rows. Level 0 has it from the matrix in double precision, times the scale.
  void load_block(const LevelZero& zero, int k, double* block) const {
    if constexpr (b == 3) {
      for (int n = 0; n < 9; ++n) block[n] = zero.scale * zero.values[9 * Index(k) + n];
    } else {
      for (int row = 0; row < b; ++row)
        for (int col = 0; col < b; ++col)
          block[b * row + col] = A[std::size_t(36 * Index(k) + b * col + row)];
    }
  }
  Index size() const { return Index(b) * rows; }

  // r -= A d.
  void subtract_product(const Vector& from, Vector& to) const;
  // y = D^-1 x for one row.
  void solve_diagonal(Index i, const double* from, double* to) const {
    const float* inverse = D_inverse.data() + Index(square) * i;
    for (int row = 0; row < b; ++row) {
      double sum = 0;
      for (int col = 0; col < b; ++col) sum += double(inverse[b * row + col]) * from[col];
      to[row] = sum;
    }
  }
  bool invert_diagonal(const std::vector<int>& diagonal_place, const LevelZero& zero);
  FactorStatus estimate_lambda();
  void find_structure(Aggregates found);  // the patterns of P and A P
  void orthonormalize(std::vector<double>& B, std::vector<double>& B_next);
  void smooth_prolongation(const LevelZero& zero);
  void multiply_prolongation(const LevelZero& zero);

  // The cycle. r: the residual of x.
  void smooth_from_zero();                   // x from r, by (5); r is that of x again
  void restrict_residual(Vector& to) const;  // to = P'r
  void add_correction(const Vector& from);   // x += P from; r is that of x again
  void smooth();                             // x += (5); r is not that of x after
};
template <>
void MultigridLevel<3>::subtract_product(const Vector& from, Vector& to) const;
template <>
void MultigridLevel<6>::subtract_product(const Vector& from, Vector& to) const;

extern template struct MultigridLevel<3>;
extern template struct MultigridLevel<6>;

}  // namespace phiflex

// A supernodal Cholesky factor in single precision, laid out for solves with a few right-hand sides.
//
// A solve with one reads every number of L twice and does little with it: its time is that of memory. Half the
// bytes per number, no upper triangles, and one stream through memory make it about three times as fast as
// the sweeps on L itself; several right-hand sides share the stream. The arithmetic is done in double
// precision, so that
//
//   z = (L~ L~')^-1 r,   L~ = L rounded to single precision,
//
// is one fixed symmetric positive definite operator: the preconditioner of conjugate gradients, which take
// their residuals from A itself.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "phiflex/linalg/huge_pages.h"

namespace phiflex {

// L as CHOLMOD keeps it. Supernode s has the columns [first_column[s], first_column[s+1]) and the rows
// row[row_start[s] ...], its own columns first; its numbers lie by columns from value[value_start[s]] on.
struct SupernodalView {
  std::span<const int> first_column, row_start, value_start;  // one more than there are supernodes
  const int* row;
  const double* value;
};

class PackedFactor {
 public:
  void pack(const SupernodalView& L);  // allocates at its first call only, as long as the shape stays
  // In place, in the order of L's rows, for `columns` vectors one behind the other; `shape` is that of the L
  // that was packed. Every vector gets the bits it would get alone.
  void solve(const SupernodalView& shape, std::ptrdiff_t columns, double* x);
  // Of an L with so many numbers and columns, before it is packed: at most so much, but for narrow supernodes.
  static std::size_t expected_bytes(std::size_t numbers, std::size_t columns) {
    return numbers * sizeof(float) + columns * sizeof(Corner) / 4;
  }
  std::size_t bytes() const { return below_.size() * sizeof(float) + corner_.size() * sizeof(Corner); }

 private:
  // The triangle on top of a panel of four columns: reciprocals on its diagonal, doubles.
  struct Corner {
    double L[4][4];
  };
  template <class Count>
  void sweep_forward(const SupernodalView& shape, Count columns, double* x);
  template <class Count>
  void sweep_backward(const SupernodalView& shape, Count columns, double* x);

  LargeArray<Corner> corner_;
  std::vector<float> below_;   // rows below the triangles, in groups of 4 rows x 4 columns, by columns
  std::vector<double> local_;  // the part of x that a supernode sees, vector by vector
  std::ptrdiff_t local_rows_ = 0;
  double scale_ = 1;  // a power of two; what is stored is scale_ L
};

}  // namespace phiflex

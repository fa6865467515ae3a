// C = A B. A few rows of A at a time are copied to where they lie close together; tiles of 8 rows and 4 columns
// of C are then summed in registers. C = A'B. Pieces of rows of fixed size, tiles of 4 x 3 sums of four lanes
// each; the pieces' sums are added in their order.
#include "phiflex/linalg/block_products.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/four_lanes.h"

namespace phiflex {
namespace {

using Lanes = FourLanes;

constexpr Index kPanel = 64;      // rows that are copied at once
constexpr Index kPiece = 1024;    // rows of a task of A B
constexpr Index kSumRows = 4096;  // rows of a task of A'B
constexpr Index kSumPanel = 256;  // rows whose columns of A and B stay in cache

enum class Put { set, subtract };

// `Columns` columns of C for the panel's rows; B_j is column j of B.
template <int Columns>
void multiply_panel(const double* panel, Index depth, const double* B, Index B_stride, Index rows, Put put,
                    double* C, Index C_stride) {
  for (Index r = 0; r < rows; r += 8) {
    Lanes low[Columns] = {}, high[Columns] = {};
    const double* a = panel + r;
    for (Index p = 0; p < depth; ++p, a += kPanel) {
      const Lanes a_low = load(a), a_high = load(a + 4);
      for (int j = 0; j < Columns; ++j) {
        const double b = B[p + j * B_stride];
        low[j] += a_low * b;
        high[j] += a_high * b;
      }
    }
    for (int j = 0; j < Columns; ++j) {
      double* to = C + r + j * C_stride;
      double sums[8];
      store(low[j], sums);
      store(high[j], sums + 4);
      for (Index i = 0; i < std::min<Index>(8, rows - r); ++i)
        to[i] = put == Put::set ? sums[i] : to[i] - sums[i];
    }
  }
}

Index pieces_of(Index rows, Index of_a_task) {
  return (rows + of_a_task - 1) / of_a_task;
}

// Memory of the calling thread for all that help it: which thread takes which piece is chance, and none is to
// allocate.
double* room(Index size, std::vector<double>& memory) {
  if (Index(memory.size()) < size) memory.resize(std::size_t(size));
  return memory.data();
}
double* room_for_panels(Index size) {
  thread_local std::vector<double> memory;
  return room(size, memory);
}
double* room_for_sums(Index size) {
  thread_local std::vector<double> memory;
  return room(size, memory);
}

void multiply(const ConstBlock& A, const ConstBlock& B, Put put, Block& C) {
  if (A.cols() != B.rows() || C.rows() != A.rows() || C.cols() != B.cols())
    throw std::invalid_argument("block product: the sizes do not fit");
  const Index depth = A.cols(), columns = C.cols();
  if (A.rows() == 0 || columns == 0) return;
  const Index pieces = pieces_of(A.rows(), kPiece), panel_size = depth * kPanel;
  double* const all_panels = room_for_panels(pieces * panel_size);
  parallel_for(pieces, [&](std::ptrdiff_t piece) {
    double* const panel = all_panels + piece * panel_size;
    const Index end = std::min(A.rows(), (piece + 1) * kPiece);
    for (Index first = piece * kPiece; first < end; first += kPanel) {
      const Index rows = std::min(kPanel, end - first);
      for (Index p = 0; p < depth; ++p) {
        const double* from = A.data() + first + p * A.outerStride();
        std::fill(std::copy_n(from, rows, panel + p * kPanel), panel + (p + 1) * kPanel, 0.0);
      }
      const auto multiply_columns = [&](auto kernel, Index j) {
        kernel(panel, depth, B.data() + j * B.outerStride(), B.outerStride(), rows, put,
               C.data() + first + j * C.outerStride(), C.outerStride());
      };
      Index j = 0;
      for (; j + 4 <= columns; j += 4) multiply_columns(multiply_panel<4>, j);
      for (; j < columns; ++j) multiply_columns(multiply_panel<1>, j);
    }
  });
}

// G(i, j) += sum over the rows of A(r, i) B(r, j) for a tile of m x n.
template <int m, int n>
void add_tile(const double* A, Index A_stride, const double* B, Index B_stride, Index rows, double* G,
              Index G_stride) {
  Lanes sums[m][n] = {};
  Index r = 0;
  for (; r + 4 <= rows; r += 4) {
    Lanes b[n];
    for (int j = 0; j < n; ++j) b[j] = load(B + r + j * B_stride);
    for (int i = 0; i < m; ++i) {
      const Lanes a = load(A + r + i * A_stride);
      for (int j = 0; j < n; ++j) sums[i][j] += a * b[j];
    }
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      const Lanes s = sums[i][j];
      double sum = (s[0] + s[1]) + (s[2] + s[3]);
      for (Index rest = r; rest < rows; ++rest) sum += A[rest + i * A_stride] * B[rest + j * B_stride];
      G[i + j * G_stride] += sum;
    }
}

// G += A'B for a few rows.
void add_transposed(const double* A, Index A_stride, Index m, const double* B, Index B_stride, Index n,
                    Index rows, double* G) {
  const auto add = [&](auto tile, Index i, Index j) {
    tile(A + i * A_stride, A_stride, B + j * B_stride, B_stride, rows, G + i + j * m, m);
  };
  Index j = 0;
  for (; j + 3 <= n; j += 3) {
    Index i = 0;
    for (; i + 4 <= m; i += 4) add(add_tile<4, 3>, i, j);
    for (; i < m; ++i) add(add_tile<1, 3>, i, j);
  }
  for (; j < n; ++j) {
    Index i = 0;
    for (; i + 4 <= m; i += 4) add(add_tile<4, 1>, i, j);
    for (; i < m; ++i) add(add_tile<1, 1>, i, j);
  }
}

}  // namespace

void multiply(const ConstBlock& A, const ConstBlock& B, Block C) {
  multiply(A, B, Put::set, C);
}

void subtract_product(const ConstBlock& A, const ConstBlock& B, Block C) {
  multiply(A, B, Put::subtract, C);
}

void multiply_transposed(const ConstBlock& A, const ConstBlock& B, Block C) {
  if (A.rows() != B.rows() || C.rows() != A.cols() || C.cols() != B.cols())
    throw std::invalid_argument("block product: the sizes do not fit");
  const Index m = A.cols(), n = B.cols(), pieces = pieces_of(A.rows(), kSumRows);
  C.setZero();
  if (m == 0 || n == 0) return;
  double* const all_sums = room_for_sums(m * n * pieces);
  parallel_for(pieces, [&](std::ptrdiff_t piece) {
    double* G = all_sums + piece * m * n;
    std::fill_n(G, m * n, 0.0);
    const Index end = std::min(A.rows(), (piece + 1) * kSumRows);
    for (Index first = piece * kSumRows; first < end; first += kSumPanel)
      add_transposed(A.data() + first, A.outerStride(), m, B.data() + first, B.outerStride(), n,
                     std::min(kSumPanel, end - first), G);
  });
  for (Index piece = 0; piece < pieces; ++piece)
    C += Eigen::Map<const Matrix>(all_sums + piece * m * n, m, n);
}

void multiply_transposed(const Team& team, const ConstBlock& A, const ConstBlock& B, Block C) {
  multiply_transposed(A, B, C);
  sum_entries(team, C);
}

void reserve_block_products(Index rows, Index columns) {
  room_for_panels(pieces_of(rows, kPiece) * kPanel * columns);
  room_for_sums(pieces_of(std::max(rows, columns), kSumRows) * columns * columns);
}

void SymmetricEigenSolver::reserve(Index n) {
  if (R_.rows() >= n) return;
  R_.resize(n, n);
  for (Vector* x : {&below_, &factor_, &v_, &w_}) x->resize(n);
}

// H = Q T Q' with a tridiagonal T, by reflections I - tau v v', v = (1, ...), one per column; T = G D G' by QR
// steps with Wilkinson's shift (Golub, Van Loan: Matrix Computations, 2013, section 8.3); Y = Q G.
bool SymmetricEigenSolver::solve(const ConstBlock& H, Eigen::Ref<Vector> theta, Block Y) {
  n_ = H.rows();
  for (Index j = 0; j < n_; ++j)
    if (!H.col(j).tail(n_ - j).allFinite()) return false;
  reserve(n_);
  reduce(H, theta);
  Y.setIdentity();
  if (!rotate(theta, Y)) return false;
  reflect(Y);
  for (Index i = 0; i + 1 < n_; ++i) {
    Index least = 0;
    theta.tail(n_ - i).minCoeff(&least);
    if (least == 0) continue;
    std::swap(theta[i], theta[i + least]);
    Y.col(i).swap(Y.col(i + least));
  }
  return true;
}

// The diagonal of T, below_ it, and the reflections: tau in factor_, v in the columns of R.
void SymmetricEigenSolver::reduce(const ConstBlock& H, Eigen::Ref<Vector> diagonal) {
  R_.topLeftCorner(n_, n_) = H;
  for (Index k = 0; k + 1 < n_; ++k) {
    const Index size = n_ - 1 - k;
    auto x = R_.col(k).segment(k + 1, size);
    const double rest = x.tail(size - 1).squaredNorm();
    below_[k] = rest == 0 ? x[0] : -std::copysign(std::sqrt(x[0] * x[0] + rest), x[0]);
    factor_[k] = rest == 0 ? 0 : (below_[k] - x[0]) / below_[k];
    if (rest == 0) continue;
    x.tail(size - 1) /= x[0] - below_[k];
    auto v = v_.head(size), w = w_.head(size);
    v = x;
    v[0] = 1;
    // w = tau A v - (tau^2/2 v'A v) v,  A <- A - v w' - w v',  A: what is left of H
    w.setZero();
    for (Index j = 0; j < size; ++j) {
      const auto column = R_.col(k + 1 + j).segment(k + 1 + j, size - j);
      w[j] += column.dot(v.tail(size - j));
      w.tail(size - j - 1) += v[j] * column.tail(size - j - 1);
    }
    w *= factor_[k];
    w -= 0.5 * factor_[k] * w.dot(v) * v;
    for (Index j = 0; j < size; ++j)
      R_.col(k + 1 + j).segment(k + 1 + j, size - j) -= w[j] * v.tail(size - j) + v[j] * w.tail(size - j);
  }
  diagonal = R_.diagonal().head(n_);
}

// T becomes diagonal, Y <- Y G. False when that takes too long, which was never seen.
bool SymmetricEigenSolver::rotate(Eigen::Ref<Vector> d, Block& Y) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Vector& e = below_;
  Index steps = 0;
  for (Index end = n_ - 1; end > 0;) {
    const auto splits = [&](Index k) {
      return std::abs(e[k]) <= epsilon * (std::abs(d[k]) + std::abs(d[k + 1]));
    };
    if (splits(end - 1)) {
      --end;
      continue;
    }
    Index start = end - 1;
    while (start > 0 && !splits(start - 1)) --start;
    if (++steps > 50 * n_) return false;
    // Wilkinson's shift: the eigenvalue of the last 2 x 2 block that is nearer to d[end].
    const double half = 0.5 * (d[end - 1] - d[end]);
    const double mu =
        d[end] - e[end - 1] * (e[end - 1] / (half + std::copysign(std::hypot(half, e[end - 1]), half)));
    double x = d[start] - mu, z = e[start];
    for (Index k = start; k < end; ++k) {
      const double r = std::hypot(x, z), c = r > 0 ? x / r : 1, s = r > 0 ? -z / r : 0;
      if (k > start) e[k - 1] = r;
      const double upper = c * d[k] - s * e[k], mixed = c * e[k] - s * d[k + 1];
      const double left = s * d[k] + c * e[k], right = s * e[k] + c * d[k + 1];
      d[k] = c * upper - s * mixed;
      d[k + 1] = s * left + c * right;
      e[k] = c * left - s * right;
      x = e[k];
      if (k + 1 < end) {
        z = -s * e[k + 1];
        e[k + 1] *= c;
      }
      double *first = Y.col(k).data(), *second = Y.col(k + 1).data();
      for (Index i = 0; i < n_; ++i) {
        const double a = first[i], b = second[i];
        first[i] = c * a - s * b;
        second[i] = s * a + c * b;
      }
    }
  }
  return true;
}

// Y <- Q Y
void SymmetricEigenSolver::reflect(Block& Y) const {
  for (Index k = n_ - 2; k >= 0; --k) {
    const Index size = n_ - 2 - k;
    const auto v = R_.col(k).segment(k + 2, size);
    for (Index j = 0; j < n_; ++j) {
      auto y = Y.col(j).tail(size);
      const double share = factor_[k] * (Y(k + 1, j) + v.dot(y));
      Y(k + 1, j) -= share;
      y -= share * v;
    }
  }
}

}  // namespace phiflex

// Panels of four columns. A panel at local column j of a supernode with `columns` columns and `rows` rows has
// width w = min(4, columns - j), a triangle of its rows j .. j+w and `rows - j - w` rows below that, cut into
// groups of four. Missing columns and rows of a group are zero.
//
//   forward    x_p = T^-1 x_p,  x_below -= L_below x_p           panel by panel from the left             (1)
//   backward   x_p = T^-T (x_p - L_below' x_below)               panel by panel from the right            (2)
#include "phiflex/linalg/packed_factor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "phiflex/linalg/four_lanes.h"

namespace phiflex {
namespace {

constexpr int kWidth = 4;
constexpr int kGroup = kWidth * kWidth;  // numbers of a group of rows of a panel
constexpr int kColumnsPerSweep = 8;      // so that what a supernode sees of them stays in cache

using Doubles = FourLanes;

double sum(Doubles numbers) {
  return (numbers[0] + numbers[1]) + (numbers[2] + numbers[3]);
}

struct Supernode {
  int columns, rows;
  Supernode(const SupernodalView& L, std::size_t s)
      : columns(L.first_column[s + 1] - L.first_column[s]), rows(L.row_start[s + 1] - L.row_start[s]) {}
  int panels() const { return (columns + kWidth - 1) / kWidth; }
  int width(int panel) const { return std::min(kWidth, columns - kWidth * panel); }
  int first_below(int panel) const { return kWidth * panel + width(panel); }
  std::ptrdiff_t groups(int panel) const { return (rows - first_below(panel) + kWidth - 1) / kWidth; }
};

std::size_t supernodes(const SupernodalView& L) {
  return L.first_column.size() - 1;
}

double largest_diagonal(const SupernodalView& L) {
  double largest = 0;
  for (std::size_t s = 0; s < supernodes(L); ++s) {
    const Supernode node(L, s);
    for (int j = 0; j < node.columns; ++j)
      largest = std::max(largest, L.value[L.value_start[s] + std::ptrdiff_t(j) * (node.rows + 1)]);
  }
  return largest;
}

// One panel, N vectors at once: `top` is where its triangle starts in the first of them, the others lie
// `stride` numbers apart.
template <int N>
[[gnu::always_inline]] inline void panel_forward(const double (&L)[kWidth][kWidth], const float* below,
                                                 std::ptrdiff_t groups, int width, double* top,
                                                 std::ptrdiff_t stride) {
  double p[N][kWidth] = {};
  for (int n = 0; n < N; ++n) {
    double* x = top + n * stride;
    for (int r = 0; r < width; ++r) {
      double rest = x[r];
      for (int c = 0; c < r; ++c) rest -= L[r][c] * p[n][c];
      x[r] = p[n][r] = rest * L[r][r];
    }
  }
  Doubles factor[N][kWidth];
  for (int n = 0; n < N; ++n)
    for (int c = 0; c < kWidth; ++c) factor[n][c] = p[n][c] - Doubles{};
  double* to = top + width;
  for (; groups > 0; --groups, below += kGroup, to += kWidth) {
    const Doubles L0 = load(below), L1 = load(below + 4), L2 = load(below + 8), L3 = load(below + 12);
    for (int n = 0; n < N; ++n) {
      double* x = to + n * stride;
      store(load(x) - ((L0 * factor[n][0] + L1 * factor[n][1]) + (L2 * factor[n][2] + L3 * factor[n][3])), x);
    }
  }
}

template <int N>
[[gnu::always_inline]] inline void panel_backward(const double (&L)[kWidth][kWidth], const float* below,
                                                  std::ptrdiff_t groups, int width, double* top,
                                                  std::ptrdiff_t stride) {
  Doubles sums[N][kWidth] = {};
  const double* from = top + width;
  for (; groups > 0; --groups, below += kGroup, from += kWidth) {
    const Doubles L0 = load(below), L1 = load(below + 4), L2 = load(below + 8), L3 = load(below + 12);
    for (int n = 0; n < N; ++n) {
      const Doubles x_below = load(from + n * stride);
      sums[n][0] += L0 * x_below;
      sums[n][1] += L1 * x_below;
      sums[n][2] += L2 * x_below;
      sums[n][3] += L3 * x_below;
    }
  }
  for (int n = 0; n < N; ++n) {
    double* x = top + n * stride;
    for (int c = width - 1; c >= 0; --c) {
      double rest = x[c] - sum(sums[n][c]);
      for (int r = c + 1; r < width; ++r) rest -= L[r][c] * x[r];
      x[c] = rest * L[c][c];
    }
  }
}

}  // namespace

void PackedFactor::pack(const SupernodalView& L) {
  std::size_t corners = 0, groups = 0;
  int most_rows = 0;
  for (std::size_t s = 0; s < supernodes(L); ++s) {
    const Supernode node(L, s);
    corners += std::size_t(node.panels());
    for (int panel = 0; panel < node.panels(); ++panel) groups += std::size_t(node.groups(panel));
    most_rows = std::max(most_rows, node.rows);
  }
  corner_.resize(corners);
  below_.resize(kGroup * groups);
  local_rows_ = std::ptrdiff_t(most_rows) + 2 * kWidth;
  local_.assign(std::size_t(kColumnsPerSweep * local_rows_), 0.0);
  scale_ = std::ldexp(1.0, -std::ilogb(std::max(largest_diagonal(L), 1e-300)));

  Corner* corner = corner_.data();
  float* below = below_.data();
  for (std::size_t s = 0; s < supernodes(L); ++s) {
    const Supernode node(L, s);
    const double* value = L.value + L.value_start[s];
    for (int panel = 0; panel < node.panels(); ++panel, ++corner) {
      const int j = kWidth * panel, width = node.width(panel);
      for (int r = 0; r < kWidth; ++r)
        for (int c = 0; c < kWidth; ++c) {
          const bool inside = r < width && c <= r;
          const double number =
              inside ? scale_ * value[std::ptrdiff_t(j + c) * node.rows + j + r] : double(r == c);
          corner->L[r][c] = r == c ? 1 / number : number;
        }
      for (int i = node.first_below(panel); i < node.rows; i += kWidth)
        for (int c = 0; c < kWidth; ++c, below += kWidth) {
          const double* from = value + std::ptrdiff_t(j + c) * node.rows + i;
          if (c < width && i + kWidth <= node.rows)
            for (int r = 0; r < kWidth; ++r) below[r] = float(scale_ * from[r]);
          else
            for (int r = 0; r < kWidth; ++r)
              below[r] = c < width && i + r < node.rows ? float(scale_ * from[r]) : 0.0f;
        }
    }
  }
}

void PackedFactor::solve(const SupernodalView& shape, std::ptrdiff_t columns, double* x) {
  const std::ptrdiff_t rows = shape.first_column.back();
  for (std::ptrdiff_t first = 0; first < columns; first += kColumnsPerSweep) {
    const int count = int(std::min<std::ptrdiff_t>(kColumnsPerSweep, columns - first));
    const auto sweeps = [&](auto known_count) {
      sweep_forward(shape, known_count, x + first * rows);
      sweep_backward(shape, known_count, x + first * rows);
    };
    if (count == 1)
      sweeps(std::integral_constant<int, 1>{});
    else
      sweeps(count);
  }
  const double factor = scale_ * scale_;
  for (std::ptrdiff_t i = 0; i < columns * rows; ++i) x[i] *= factor;
}

template <class Count>
void PackedFactor::sweep_forward(const SupernodalView& shape, Count columns, double* x) {
  const std::ptrdiff_t rows = shape.first_column.back();
  const Corner* corner = corner_.data();
  const float* below = below_.data();
  for (std::size_t s = 0; s < supernodes(shape); ++s) {
    const Supernode node(shape, s);
    const int* row = shape.row + shape.row_start[s];
    for (int n = 0; n < columns; ++n) {
      double* local = &local_[n * local_rows_];
      std::copy_n(x + n * rows + shape.first_column[s], node.columns, local);
      std::fill(local + node.columns, local + node.rows + kWidth, 0.0);
    }
    for (int panel = 0; panel < node.panels(); ++panel, ++corner) {  // (1)
      const std::ptrdiff_t groups = node.groups(panel);
      double* top = local_.data() + kWidth * panel;
      int n = 0;
      for (; n + 1 < columns; n += 2)
        panel_forward<2>(corner->L, below, groups, node.width(panel), top + n * local_rows_, local_rows_);
      if (n < columns)
        panel_forward<1>(corner->L, below, groups, node.width(panel), top + n * local_rows_, local_rows_);
      below += kGroup * groups;
    }
    for (int n = 0; n < columns; ++n) {
      const double* local = &local_[n * local_rows_];
      double* to = x + n * rows;
      std::copy_n(local, node.columns, to + shape.first_column[s]);
      for (int i = node.columns; i < node.rows; ++i) to[row[i]] += local[i];
    }
  }
}

template <class Count>
void PackedFactor::sweep_backward(const SupernodalView& shape, Count columns, double* x) {
  const std::ptrdiff_t rows = shape.first_column.back();
  const Corner* corner = corner_.data() + corner_.size();
  const float* below = below_.data() + below_.size();
  for (std::size_t s = supernodes(shape); s-- > 0;) {
    const Supernode node(shape, s);
    const int* row = shape.row + shape.row_start[s];
    for (int n = 0; n < columns; ++n) {
      double* local = &local_[n * local_rows_];
      const double* from = x + n * rows;
      std::copy_n(from + shape.first_column[s], node.columns, local);
      for (int i = node.columns; i < node.rows; ++i) local[i] = from[row[i]];
      std::fill_n(local + node.rows, kWidth, 0.0);
    }
    for (int panel = node.panels(); panel-- > 0;) {  // (2)
      --corner;
      const std::ptrdiff_t groups = node.groups(panel);
      below -= kGroup * groups;
      double* top = local_.data() + kWidth * panel;
      int n = 0;
      for (; n + 1 < columns; n += 2)
        panel_backward<2>(corner->L, below, groups, node.width(panel), top + n * local_rows_, local_rows_);
      if (n < columns)
        panel_backward<1>(corner->L, below, groups, node.width(panel), top + n * local_rows_, local_rows_);
    }
    for (int n = 0; n < columns; ++n)
      std::copy_n(&local_[n * local_rows_], node.columns, x + n * rows + shape.first_column[s]);
  }
}

}  // namespace phiflex

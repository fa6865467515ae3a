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

#include "phiflex/base/pack.h"

namespace phiflex {
namespace {

constexpr int kWidth = 4;
constexpr int kGroup = kWidth * kWidth;  // numbers of a group of rows of a panel

using Doubles = Register<4>::Numbers;

Doubles load(const double* from) {
  Doubles numbers;
  std::memcpy(&numbers, from, sizeof numbers);
  return numbers;
}
Doubles load(const float* from) {
  return Doubles{from[0], from[1], from[2], from[3]};  // one converting load
}
void store(Doubles numbers, double* to) {
  std::memcpy(to, &numbers, sizeof numbers);
}
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
  local_.assign(std::size_t(most_rows) + 2 * kWidth, 0.0);
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

void PackedFactor::solve(const SupernodalView& shape, double* x) {
  sweep_forward(shape, x);
  sweep_backward(shape, x);
  const double factor = scale_ * scale_;
  for (std::ptrdiff_t i = 0; i < shape.first_column.back(); ++i) x[i] *= factor;
}

void PackedFactor::sweep_forward(const SupernodalView& shape, double* x) {
  const Corner* corner = corner_.data();
  const float* below = below_.data();
  double* local = local_.data();
  for (std::size_t s = 0; s < supernodes(shape); ++s) {
    const Supernode node(shape, s);
    const int* row = shape.row + shape.row_start[s];
    double* own = x + shape.first_column[s];
    std::copy_n(own, node.columns, local);
    std::fill(local + node.columns, local + node.rows + kWidth, 0.0);
    for (int panel = 0; panel < node.panels(); ++panel, ++corner) {  // (1)
      const int width = node.width(panel);
      double* top = local + kWidth * panel;
      double p[kWidth] = {};
      for (int r = 0; r < width; ++r) {
        double rest = top[r];
        for (int c = 0; c < r; ++c) rest -= corner->L[r][c] * p[c];
        top[r] = p[r] = rest * corner->L[r][r];
      }
      double* to = top + width;
      for (std::ptrdiff_t group = node.groups(panel); group > 0; --group, below += kGroup, to += kWidth)
        store(load(to) - ((load(below) * p[0] + load(below + 4) * p[1]) +
                          (load(below + 8) * p[2] + load(below + 12) * p[3])),
              to);
    }
    std::copy_n(local, node.columns, own);
    for (int i = node.columns; i < node.rows; ++i) x[row[i]] += local[i];
  }
}

void PackedFactor::sweep_backward(const SupernodalView& shape, double* x) {
  const Corner* corner = corner_.data() + corner_.size();
  const float* below = below_.data() + below_.size();
  double* local = local_.data();
  for (std::size_t s = supernodes(shape); s-- > 0;) {
    const Supernode node(shape, s);
    const int* row = shape.row + shape.row_start[s];
    double* own = x + shape.first_column[s];
    std::copy_n(own, node.columns, local);
    for (int i = node.columns; i < node.rows; ++i) local[i] = x[row[i]];
    std::fill_n(local + node.rows, kWidth, 0.0);
    for (int panel = node.panels(); panel-- > 0;) {  // (2)
      --corner;
      const int width = node.width(panel);
      double* top = local + kWidth * panel;
      below -= kGroup * node.groups(panel);
      const float* numbers = below;
      const double* from = top + width;
      Doubles sum0{}, sum1{}, sum2{}, sum3{};
      for (std::ptrdiff_t group = node.groups(panel); group > 0; --group, numbers += kGroup, from += kWidth) {
        const Doubles x_below = load(from);
        sum0 += load(numbers) * x_below;
        sum1 += load(numbers + 4) * x_below;
        sum2 += load(numbers + 8) * x_below;
        sum3 += load(numbers + 12) * x_below;
      }
      const double below_sum[kWidth] = {sum(sum0), sum(sum1), sum(sum2), sum(sum3)};
      for (int c = width - 1; c >= 0; --c) {
        double rest = top[c] - below_sum[c];
        for (int r = c + 1; r < width; ++r) rest -= corner->L[r][c] * top[r];
        top[c] = rest * corner->L[c][c];
      }
    }
    std::copy_n(local, node.columns, own);
  }
}

}  // namespace phiflex

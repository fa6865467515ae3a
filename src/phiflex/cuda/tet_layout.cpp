#include "phiflex/cuda/tet_layout.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace phiflex::device {
namespace {

void number_vertices(std::span<const char> held, TetLayout& layout) {
  layout.number.resize(held.size());
  for (std::size_t v = 0; v < held.size(); ++v)
    if (!held[v]) layout.number[v] = layout.free++;
  int next = layout.free;
  for (std::size_t v = 0; v < held.size(); ++v)
    if (held[v]) layout.number[v] = next++;
}

void measure_tets(std::span<const double> rest, std::span<const std::array<int, 4>> tets, TetLayout& layout) {
  const std::size_t count = tets.size();
  layout.corners.resize(count);
  layout.gradient.resize(9 * count);
  layout.volume.resize(count);
  const auto position = [&](int v) {
    return Vec3<double>{rest[3 * std::size_t(v)], rest[3 * std::size_t(v) + 1], rest[3 * std::size_t(v) + 2]};
  };
  for (std::size_t e = 0; e < count; ++e) {
    for (int v : tets[e])
      if (v < 0 || v >= layout.vertices)
        throw std::invalid_argument("make_tet_layout: a vertex is out of range");
    const Vec3<double> origin = position(tets[e][0]);
    const Mat3<double> edges = from_columns(position(tets[e][1]) - origin, position(tets[e][2]) - origin,
                                            position(tets[e][3]) - origin);
    const double six_volumes = determinant(edges);
    if (!(six_volumes > 0))
      throw std::invalid_argument("make_tet_layout: a tetrahedron has no positive volume");
    layout.volume[e] = six_volumes / 6;
    const Mat3<double> gradients = inverse(edges);  // row a - 1 is g_a
    for (int k = 0; k < 9; ++k) layout.gradient[std::size_t(k) * count + e] = gradients.e[k];
    for (int a = 0; a < 4; ++a) layout.corners[e].e[a] = layout.number[std::size_t(tets[e][a])];
  }
}

void list_corners(TetLayout& layout) {
  layout.corner_start.assign(std::size_t(layout.free) + 1, 0);
  for (const Int4& tet : layout.corners)
    for (int v : tet.e)
      if (v < layout.free) ++layout.corner_start[std::size_t(v) + 1];
  for (int v = 0; v < layout.free; ++v) layout.corner_start[v + 1] += layout.corner_start[v];
  layout.corner.resize(std::size_t(layout.corner_start.back()));
  std::vector<int> next(layout.corner_start.begin(), layout.corner_start.end() - 1);
  for (int e = 0; e < layout.tets; ++e)
    for (int a = 0; a < 4; ++a)
      if (const int v = layout.corners[e].e[a]; v < layout.free) layout.corner[next[v]++] = 4 * e + a;
}

int pair_of(int a, int b) {
  const int low = std::min(a, b), high = std::max(a, b);
  return low == 0 ? high - 1 : low + high;
}

void list_blocks(TetLayout& layout) {
  struct Share {
    int column, code;
    bool operator<(const Share& other) const {
      return column != other.column ? column < other.column : code < other.code;
    }
  };
  std::vector<Share> shares;
  layout.row_start = {0};
  for (int row = 0; row < layout.free; ++row) {
    shares.clear();
    for (int c = layout.corner_start[row]; c < layout.corner_start[row + 1]; ++c) {
      const int e = layout.corner[c] / 4, a = layout.corner[c] % 4;
      for (int b = 0; b < 4; ++b)
        if (b != a) shares.push_back({layout.corners[e].e[b], 2 * (kPairs * e + pair_of(a, b)) + (a > b)});
    }
    std::sort(shares.begin(), shares.end());
    for (std::size_t s = 0; s < shares.size(); ++s) {
      if (s == 0 || shares[s].column != shares[s - 1].column) {
        layout.share_start.push_back(int(layout.share.size()));
        layout.column.push_back(shares[s].column);
        layout.row_of.push_back(row);
      }
      layout.share.push_back(shares[s].code);
    }
    layout.row_start.push_back(int(layout.column.size()));
  }
  layout.share_start.push_back(int(layout.share.size()));
}

void cut_slices(TetLayout& layout) {
  layout.slice_start = {0};
  for (int first = 0; first < layout.free; first += kSliceRows) {
    const int end = std::min(first + kSliceRows, layout.free), line = layout.slice_start.back();
    int longest = 0;
    for (int i = first; i < end; ++i) longest = std::max(longest, layout.row_start[i + 1] - layout.row_start[i]);
    const int depth = (longest + kRowLanes - 1) / kRowLanes;
    layout.slice_of.insert(layout.slice_of.end(), std::size_t(depth), first / kSliceRows);
    layout.slice_start.push_back(line + depth);
    layout.slot_column.resize(std::size_t(kSlots) * std::size_t(line + depth), 0);
    for (int i = first; i < end; ++i) {
      const int start = layout.row_start[i], count = layout.row_start[i + 1] - start;
      for (int j = 0; j < depth * kRowLanes; ++j)
        layout.slot_column[std::size_t(kSlots) * std::size_t(line + j / kRowLanes) +
                           std::size_t(kRowLanes * (i - first) + j % kRowLanes)] =
            j < count ? layout.column[std::size_t(start + j)] : i;
    }
  }
}

}  // namespace

TetLayout make_tet_layout(std::span<const double> rest, std::span<const std::array<int, 4>> tets,
                          std::span<const char> held) {
  if (rest.size() != 3 * held.size()) throw std::invalid_argument("make_tet_layout: sizes do not fit");
  if (tets.size() > std::size_t(std::numeric_limits<int>::max()) / (2 * kPairs))
    throw std::invalid_argument("make_tet_layout: too many tetrahedra");
  TetLayout layout;
  layout.vertices = int(held.size());
  layout.tets = int(tets.size());
  number_vertices(held, layout);
  measure_tets(rest, tets, layout);
  list_corners(layout);
  list_blocks(layout);
  cut_slices(layout);
  return layout;
}

}  // namespace phiflex::device

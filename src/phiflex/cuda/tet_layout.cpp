#include "phiflex/cuda/tet_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
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

// The bits of a number below 2^21, two places apart.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

// Where the middle of each tetrahedron lies on Morton's curve through cells that hold six tetrahedra of mean volume.
std::vector<std::uint64_t> places_on_curve(std::span<const double> rest,
                                           std::span<const std::array<int, 4>> tets) {
  std::vector<std::uint64_t> codes(tets.size(), 0);
  if (tets.empty()) return codes;
  double low[3], high[3], volume = 0;
  std::fill(low, low + 3, std::numeric_limits<double>::infinity());
  std::fill(high, high + 3, -std::numeric_limits<double>::infinity());
  const auto corner = [&](const std::array<int, 4>& tet, int a, int k) {
    return rest[3 * std::size_t(tet[std::size_t(a)]) + std::size_t(k)];
  };
  for (const auto& tet : tets) {
    Vec3<double> edges[3];
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < 4; ++a) {
        const double x = corner(tet, a, k);
        low[k] = std::min(low[k], x);
        high[k] = std::max(high[k], x);
        if (a > 0) edges[a - 1][k] = x - corner(tet, 0, k);
      }
    volume += std::abs(dot(edges[0], cross(edges[1], edges[2]))) / 6;
  }
  constexpr double most = (1 << 20) - 1;
  const double widest = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  const double cell = std::max(std::cbrt(6 * volume / double(tets.size())), widest / most);
  for (std::size_t e = 0; e < tets.size(); ++e)
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (int a = 0; a < 4; ++a) sum += corner(tets[e], a, k);
      const double along = cell > 0 ? std::floor((sum / 4 - low[k]) / cell) : 0;
      codes[e] |= spread(std::uint64_t(std::clamp(along, 0.0, most))) << (2 - k);
    }
  return codes;
}

void order_tets(std::span<const double> rest, std::span<const std::array<int, 4>> tets, TetLayout& layout) {
  const std::vector<std::uint64_t> codes = places_on_curve(rest, tets);
  layout.order.resize(tets.size());
  std::iota(layout.order.begin(), layout.order.end(), 0);
  std::stable_sort(layout.order.begin(), layout.order.end(),
                   [&](int a, int b) { return codes[std::size_t(a)] < codes[std::size_t(b)]; });
  std::vector<int> seen(std::size_t(layout.vertices), -1);  // the last patch that has the vertex
  layout.patch_start = {0};
  int vertices = 0;
  for (int e = 0; e < layout.tets; ++e) {
    const int patch = int(layout.patch_start.size()), count = e - layout.patch_start.back();
    const auto& tet = tets[std::size_t(layout.order[e])];
    int more = 0;
    for (int v : tet) more += seen[std::size_t(v)] != patch;
    const bool ends = e > 0 && count > kPatchTets / 2 &&
                      codes[std::size_t(layout.order[e])] >> kPatchBits !=
                          codes[std::size_t(layout.order[e - 1])] >> kPatchBits;
    if (count == kPatchTets || vertices + more > kPatchVertices || ends) {
      layout.patch_start.push_back(e);
      vertices = 0;
    }
    for (int v : tet) {
      const int own = int(layout.patch_start.size());
      vertices += seen[std::size_t(v)] != own;
      seen[std::size_t(v)] = own;
    }
  }
  if (layout.tets > 0) layout.patch_start.push_back(layout.tets);
}

// After corners are known.
void list_patches(TetLayout& layout) {
  layout.local.resize(std::size_t(layout.tets));
  layout.patch_vertices = {0};
  layout.local_start = {0};
  std::vector<int> number(std::size_t(layout.vertices)), counts;
  for (std::size_t p = 0; p + 1 < layout.patch_start.size(); ++p) {
    const int first = layout.patch_start[p], end = layout.patch_start[p + 1];
    const auto begin = std::ptrdiff_t(layout.patch_vertex.size());
    for (int e = first; e < end; ++e)
      layout.patch_vertex.insert(layout.patch_vertex.end(), layout.corners[e].e, layout.corners[e].e + 4);
    std::sort(layout.patch_vertex.begin() + begin, layout.patch_vertex.end());
    layout.patch_vertex.erase(std::unique(layout.patch_vertex.begin() + begin, layout.patch_vertex.end()),
                              layout.patch_vertex.end());
    const int vertices = int(std::ptrdiff_t(layout.patch_vertex.size()) - begin);
    for (int v = 0; v < vertices; ++v) number[std::size_t(layout.patch_vertex[std::size_t(begin + v)])] = v;
    counts.assign(std::size_t(vertices) + 1, 0);
    for (int e = first; e < end; ++e) {
      layout.local[e] = 0;
      for (int a = 0; a < 4; ++a) {
        const int v = number[std::size_t(layout.corners[e].e[a])];
        layout.local[e] |= unsigned(v) << 8 * a;
        ++counts[std::size_t(v) + 1];
      }
    }
    for (int v = 0; v < vertices; ++v) {
      counts[std::size_t(v) + 1] += counts[std::size_t(v)];
      layout.local_start.push_back(int(layout.local_corner.size()) + counts[std::size_t(v) + 1]);
    }
    const std::size_t before = layout.local_corner.size();
    layout.local_corner.resize(before + 4 * std::size_t(end - first));
    for (int e = first; e < end; ++e)
      for (int a = 0; a < 4; ++a) {
        const std::size_t v = layout.local[e] >> 8 * a & 255;
        layout.local_corner[before + std::size_t(counts[v]++)] =
            static_cast<unsigned short>(3 * kPatchTets * a + e - first);
      }
    layout.patch_vertices.push_back(int(layout.patch_vertex.size()));
  }
  layout.place_start.assign(std::size_t(layout.vertices) + 1, 0);
  for (const int v : layout.patch_vertex) ++layout.place_start[v + 1];
  for (int v = 0; v < layout.vertices; ++v) layout.place_start[v + 1] += layout.place_start[v];
  layout.place.resize(std::size_t(layout.place_start.back()));
  std::vector<int> next(layout.place_start.begin(), layout.place_start.end() - 1);
  for (std::size_t q = 0; q < layout.patch_vertex.size(); ++q)
    layout.place[next[layout.patch_vertex[q]]++] = int(q);
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
    const std::array<int, 4>& tet = tets[std::size_t(layout.order[e])];
    const Vec3<double> origin = position(tet[0]);
    const Mat3<double> edges =
        from_columns(position(tet[1]) - origin, position(tet[2]) - origin, position(tet[3]) - origin);
    const double six_volumes = determinant(edges);
    if (!(six_volumes > 0))
      throw std::invalid_argument("make_tet_layout: a tetrahedron has no positive volume");
    layout.volume[e] = six_volumes / 6;
    const Mat3<double> gradients = inverse(edges);  // row a - 1 is g_a
    for (int k = 0; k < 9; ++k) layout.gradient[std::size_t(k) * count + e] = gradients.e[k];
    for (int a = 0; a < 4; ++a) layout.corners[e].e[a] = layout.number[std::size_t(tet[std::size_t(a)])];
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
    for (int i = first; i < end; ++i)
      longest = std::max(longest, layout.row_start[i + 1] - layout.row_start[i]);
    const int depth = (longest + kRowLanes - 1) / kRowLanes;
    layout.slice_of.insert(layout.slice_of.end(), std::size_t(depth), first / kSliceRows);
    layout.slice_start.push_back(line + depth);
    layout.lines.resize(std::size_t(line + depth), Line{});
    for (int i = first; i < end; ++i) {
      const int start = layout.row_start[i], count = layout.row_start[i + 1] - start;
      for (int j = 0; j < depth * kRowLanes; ++j)
        layout.lines[std::size_t(line + j / kRowLanes)].last[kRowLanes * (i - first) + j % kRowLanes].column =
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
  for (const auto& tet : tets)
    for (int v : tet)
      if (v < 0 || v >= layout.vertices)
        throw std::invalid_argument("make_tet_layout: a vertex is out of range");
  number_vertices(held, layout);
  order_tets(rest, tets, layout);
  measure_tets(rest, tets, layout);
  list_patches(layout);
  list_corners(layout);
  list_blocks(layout);
  cut_slices(layout);
  return layout;
}

}  // namespace phiflex::device

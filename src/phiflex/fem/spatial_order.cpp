// A point's place on Morton's curve: the bits of its three coordinates, scaled to [0, 2^21), interleaved
//
//   code = ... z1 y1 x1 z0 y0 x0                                                                          (1)
#include "phiflex/fem/spatial_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace phiflex {
namespace {

constexpr int kBits = 21;

// Two zero bits between every two bits of x.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

}  // namespace

std::vector<int> spatial_order(const std::vector<Point3>& points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  if (points.empty()) return order;

  Point3 low = points[0];
  double extent = 0;
  for (const Point3& p : points)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]);
  for (const Point3& p : points)
    for (int i = 0; i < 3; ++i) extent = std::max(extent, p[i] - low[i]);
  // One scale for all directions, so that the curve's cells are cubes.
  const double scale = extent > 0 ? ((1 << kBits) - 1) / extent : 0;

  std::vector<std::uint64_t> code(points.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (int i = 0; i < 3; ++i)  // (1)
      code[p] |= spread(static_cast<std::uint64_t>((points[p][i] - low[i]) * scale)) << i;
  }
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return code[a] != code[b] ? code[a] < code[b] : a < b; });
  return order;
}

}  // namespace phiflex

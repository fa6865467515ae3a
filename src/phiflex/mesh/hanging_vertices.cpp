#include "phiflex/mesh/hanging_vertices.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

// Points sorted by the cell of a cubic grid they lie in.
class PointGrid {
 public:
  PointGrid(const std::vector<Point3>& vertices, const std::vector<int>& points, double cell) : cell_(cell) {
    for (const int v : points) entries_.emplace_back(key(cell_of(vertices[v])), v);
    std::sort(entries_.begin(), entries_.end());
  }

  using Cell = std::array<std::int64_t, 3>;
  Cell cell_of(const Point3& p) const {
    Cell out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = static_cast<std::int64_t>(std::floor(p[k] / cell_));
    return out;
  }
  template <class Visit>
  void visit(const Cell& cell, Visit visit) const {
    const std::uint64_t wanted = key(cell);
    auto at = std::lower_bound(entries_.begin(), entries_.end(), std::pair(wanted, -1));
    for (; at != entries_.end() && at->first == wanted; ++at) visit(at->second);
  }

 private:
  // Cells may collide: then a few points too many are looked at.
  static std::uint64_t key(const Cell& cell) {
    std::uint64_t h = 0;
    for (const std::int64_t x : cell) h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ull;
    return h;
  }

  double cell_;
  std::vector<std::pair<std::uint64_t, int>> entries_;
};

bool lies_inside(const Point3& p, const Point3& a, const Point3& b) {
  const Point3 edge = b - a, to_p = p - a;
  const double length2 = dot(edge, edge), along = dot(to_p, edge) / length2;
  if (!(along > 1e-9 && along < 1 - 1e-9)) return false;
  const Point3 off = to_p - along * edge;
  return dot(off, off) <= 1e-18 * length2;
}

}  // namespace

std::size_t count_hanging_vertices(const std::vector<Point3>& vertices,
                                   std::span<const std::array<int, 3>> triangles) {
  std::vector<std::array<int, 2>> edges;
  std::vector<int> points;
  double total = 0, longest = 0, reach = 0;
  for (const auto& triangle : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangle[k], b = triangle[(k + 1) % 3];
      const double length = norm(vertices[b] - vertices[a]);
      for (const double x : vertices[a]) reach = std::max(reach, std::abs(x));
      points.push_back(a);
      total += length;
      longest = std::max(longest, length);
      if (a < b) edges.push_back({a, b});
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  // Cells of two average edges: few points in a cell, few cells around an edge. A far-away or very uneven mesh gets
  // larger ones, so that cells can be numbered and the longest edge stays within twenty of them.
  const double average = total / static_cast<double>(std::max<std::size_t>(1, 3 * triangles.size()));
  const double cell = std::max({2 * average, longest / 20, reach * 1e-15});
  if (!(cell > 0) || !std::isfinite(cell)) return 0;

  const PointGrid grid(vertices, points, cell);
  std::vector<char> hangs(vertices.size(), 0);
  for (const auto& [a, b] : edges) {
    Point3 low, high;
    for (std::size_t k = 0; k < 3; ++k) {
      const double margin = 1e-9 * longest;
      low[k] = std::min(vertices[a][k], vertices[b][k]) - margin;
      high[k] = std::max(vertices[a][k], vertices[b][k]) + margin;
    }
    const PointGrid::Cell first = grid.cell_of(low), last = grid.cell_of(high);
    for (std::int64_t i = first[0]; i <= last[0]; ++i)
      for (std::int64_t j = first[1]; j <= last[1]; ++j)
        for (std::int64_t k = first[2]; k <= last[2]; ++k)
          grid.visit({i, j, k}, [&, a = a, b = b](int v) {
            if (v != a && v != b && lies_inside(vertices[v], vertices[a], vertices[b])) hangs[v] = 1;
          });
  }
  return static_cast<std::size_t>(std::count(hangs.begin(), hangs.end(), 1));
}

}  // namespace phiflex

#include "phiflex/mesh/hanging_vertices.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

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

template <class T>
void keep_different(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

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
  std::vector<int> points;
  std::vector<std::array<int, 2>> edges;
  double reach = 0;
  for (const auto& triangle : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangle[k], b = triangle[(k + 1) % 3];
      points.push_back(a);
      edges.push_back({std::min(a, b), std::max(a, b)});
      for (const double x : vertices[a]) {
        if (!std::isfinite(2 * x)) return 0;  // nothing can be said about places
        reach = std::max(reach, std::abs(x));
      }
    }
  }
  keep_different(points);
  keep_different(edges);

  // Every edge looks at a grid of cells just larger than itself: at most eight of them hold it.
  std::map<double, PointGrid> grids;
  std::vector<char> hangs(vertices.size(), 0);
  const auto check_edge = [&](int a, int b) {
    const Point3 &p = vertices[a], &q = vertices[b];
    const double extent = std::max({std::abs(p[0] - q[0]), std::abs(p[1] - q[1]), std::abs(p[2] - q[2])});
    if (!(extent > 0)) return;
    const double margin = 1e-9 * extent;
    // The second bound keeps the cells' numbers small enough to count with.
    const double cell = std::max(std::exp2(std::ceil(std::log2(1.01 * extent))), 1e-15 * reach);
    const PointGrid& grid = grids.try_emplace(cell, vertices, points, cell).first->second;
    Point3 low, high;
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(p[k], q[k]) - margin;
      high[k] = std::max(p[k], q[k]) + margin;
    }
    const PointGrid::Cell first = grid.cell_of(low), last = grid.cell_of(high);
    for (std::int64_t i = first[0]; i <= last[0]; ++i)
      for (std::int64_t j = first[1]; j <= last[1]; ++j)
        for (std::int64_t k = first[2]; k <= last[2]; ++k)
          grid.visit({i, j, k}, [&](int v) {
            if (v != a && v != b && lies_inside(vertices[v], p, q)) hangs[v] = 1;
          });
  };
  for (const auto& [a, b] : edges) check_edge(a, b);
  return static_cast<std::size_t>(std::count(hangs.begin(), hangs.end(), 1));
}

}  // namespace phiflex

#include "phiflex/mesh/surface_topology.h"

#include <algorithm>
#include <tuple>

#include "phiflex/mesh/union_find.h"

namespace phiflex {
namespace {

// An edge as one triangle sees it, from `corner` to the next.
struct HalfEdge {
  int low, high;
  int corner;   // 3 triangle + position of the edge's first vertex
  bool upward;  // runs from low to high
};

int next_corner(int corner) {
  return corner % 3 == 2 ? corner - 2 : corner + 1;
}

}  // namespace

SurfaceTopology find_surface_topology(std::span<const std::array<int, 3>> triangles, std::size_t vertices) {
  std::vector<HalfEdge> halves;
  halves.reserve(3 * triangles.size());
  std::vector<char> used_corner(3 * triangles.size(), 0);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    if (a == b || b == c || c == a) continue;
    for (int k = 0; k < 3; ++k) {
      const int from = triangles[t][k], to = triangles[t][(k + 1) % 3];
      const int corner = static_cast<int>(3 * t) + k;
      halves.push_back({std::min(from, to), std::max(from, to), corner, from < to});
      used_corner[corner] = 1;
    }
  }
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::tie(a.low, a.high, a.corner) < std::tie(b.low, b.high, b.corner);
  });

  SurfaceTopology out;
  // Corners at one vertex are joined when their triangles share an edge there; more than one group is no fan.
  UnionFind fans(3 * triangles.size());
  const auto corner_at = [](const HalfEdge& half, bool low) {
    return half.upward == low ? half.corner : next_corner(half.corner);
  };
  for (std::size_t begin = 0, end = 0; begin < halves.size(); begin = end) {
    while (end < halves.size() && halves[end].low == halves[begin].low &&
           halves[end].high == halves[begin].high)
      ++end;
    ++out.edges;
    out.defects.border_edges += end - begin == 1;
    out.defects.nonmanifold_edges += end - begin > 2;
    if (end - begin > 2) out.pinched.insert(out.pinched.end(), {halves[begin].low, halves[begin].high});
    out.defects.inconsistent_edges += end - begin == 2 && halves[begin].upward == halves[begin + 1].upward;
    for (std::size_t i = begin + 1; i < end; ++i) {
      fans.join(corner_at(halves[begin], true), corner_at(halves[i], true));
      fans.join(corner_at(halves[begin], false), corner_at(halves[i], false));
    }
  }
  std::vector<int> fan_of(vertices, -1);
  std::vector<char> counted(vertices, 0);
  for (std::size_t corner = 0; corner < used_corner.size(); ++corner) {
    if (!used_corner[corner]) continue;
    const int vertex = triangles[corner / 3][corner % 3];
    const int fan = fans.find(static_cast<int>(corner));
    if (fan_of[vertex] < 0) {
      fan_of[vertex] = fan;
    } else if (fan_of[vertex] != fan && !counted[vertex]) {
      counted[vertex] = 1;
      ++out.defects.nonmanifold_vertices;
      out.pinched.push_back(vertex);
    }
  }
  std::sort(out.pinched.begin(), out.pinched.end());
  out.pinched.erase(std::unique(out.pinched.begin(), out.pinched.end()), out.pinched.end());
  return out;
}

}  // namespace phiflex

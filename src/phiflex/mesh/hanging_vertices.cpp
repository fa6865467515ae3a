#include "phiflex/mesh/hanging_vertices.h"

#include <algorithm>
#include <cmath>

#include "phiflex/mesh/box_tree.h"
#include "phiflex/mesh/same_place.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

constexpr double kOff = 1e-9;  // of an edge's length: what counts as on it, and as its end

template <class T>
void keep_different(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

// With x = a + s (b - a) + off: p lies inside the edge when kOff < s < 1 - kOff and |off| <= kOff |b - a|.
class Edge {
 public:
  // reach: the largest coordinate of all, whose rounding is that of every difference.
  Edge(const Point3& a, const Point3& b, double reach) : a_(a), edge_(b - a), length2_(dot(edge_, edge_)) {
    for (int i = 0; i < 3; ++i) extent_ = std::max(extent_, std::abs(edge_[i]));
    for (int i = 0; i < 3; ++i) direction_[i] = edge_[i] / extent_;
    margin_ = 2 * kOff * extent_ + 1e-15 * reach;
    for (int i = 0; i < 3; ++i) {
      box_.low[i] = std::min(a[i], b[i]) - margin_;
      box_.high[i] = std::max(a[i], b[i]) + margin_;
    }
  }

  bool holds(const Point3& p) const {
    const Point3 to_p = p - a_;
    const double along = dot(to_p, edge_) / length2_;
    if (!(along > kOff && along < 1 - kOff)) return false;
    const Point3 off = to_p - along * edge_;
    return dot(off, off) <= kOff * kOff * length2_;
  }

  // False only where no point of the box lies inside the edge: by the axes, by the ends, and by the axes across the
  // edge (separating axes of a box and a line, with room for off and rounding).
  bool may_hold_in(const Bounds& box) const {
    if (!overlap(box_, box)) return false;
    Point3 to_centre, half;
    for (int i = 0; i < 3; ++i) {
      to_centre[i] = box.centre(i) - a_[i];
      half[i] = 0.5 * box.length(i);
    }
    const Point3& d = direction_;
    const double middle = dot(to_centre, d);
    const double wide = half[0] * std::abs(d[0]) + half[1] * std::abs(d[1]) + half[2] * std::abs(d[2]);
    const double length = extent_ * dot(d, d), rounding = margin_ - 2 * kOff * extent_;
    if (middle + wide + rounding <= kOff * length || middle - wide - rounding >= (1 - kOff) * length)
      return false;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const double across = std::abs(to_centre[i] * d[j] - to_centre[j] * d[i]);
      if (across > (half[i] + 2 * margin_) * std::abs(d[j]) + (half[j] + 2 * margin_) * std::abs(d[i]))
        return false;
    }
    return true;
  }

 private:
  Point3 a_, edge_, direction_{};
  double length2_, extent_ = 0, margin_ = 0;
  Bounds box_;
};

}  // namespace

HangingVertices find_hanging_vertices(const std::vector<Point3>& vertices,
                                      std::span<const std::array<int, 3>> triangles) {
  const std::vector<int> place_of = first_at_same_place(vertices);
  std::vector<int> used, places;
  std::vector<std::array<int, 2>> edges;
  double reach = 0;
  for (const auto& triangle : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = place_of[triangle[k]], b = place_of[triangle[(k + 1) % 3]];
      used.push_back(triangle[k]);
      places.push_back(a);
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
      for (const double x : vertices[a]) {
        if (!std::isfinite(2 * x)) return {};  // nothing can be said about places
        reach = std::max(reach, std::abs(x));
      }
    }
  }
  keep_different(used);
  keep_different(places);
  keep_different(edges);

  std::vector<Bounds> points;
  for (const int place : places) points.push_back({vertices[place], vertices[place]});
  BoxTree tree;
  tree.build(points);
  std::vector<char> hangs(vertices.size(), 0);
  for (const auto& [a, b] : edges) {
    const Edge edge(vertices[a], vertices[b], reach);
    tree.remove_where([&](const Bounds& box) { return edge.may_hold_in(box); },
                      [&](int i) {
                        const bool inside = edge.holds(vertices[places[i]]);
                        if (inside) hangs[places[i]] = 1;
                        return inside;
                      });
  }
  HangingVertices found{0, tree.looked_at()};
  for (const int v : used) found.count += hangs[place_of[v]];
  return found;
}

}  // namespace phiflex

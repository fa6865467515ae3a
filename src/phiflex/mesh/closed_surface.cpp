#include "phiflex/mesh/closed_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/surface_topology.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

// The nearest point of a triangle, and what it lies on: 0 to 2 a corner, 3 to 5 the edge from corner k - 3, 6 the
// face. Regions of the plane by barycentric signs (Ericson: Real-Time Collision Detection, 2005, section 5.1.5).
struct OnTriangle {
  Point3 point;
  int feature;
};

OnTriangle nearest_on_triangle(const Point3& x, const Point3& a, const Point3& b, const Point3& c) {
  const Point3 ab = b - a, ac = c - a, ax = x - a;
  const double d1 = dot(ab, ax), d2 = dot(ac, ax);
  if (d1 <= 0 && d2 <= 0) return {a, 0};
  const Point3 bx = x - b;
  const double d3 = dot(ab, bx), d4 = dot(ac, bx);
  if (d3 >= 0 && d4 <= d3) return {b, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, 3};
  const Point3 cx = x - c;
  const double d5 = dot(ab, cx), d6 = dot(ac, cx);
  if (d6 >= 0 && d5 <= d6) return {c, 2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, 5};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), 4};
  const double sum = va + vb + vc;
  return {a + (vb / sum) * ab + (vc / sum) * ac, 6};
}

Point3 unit(const Point3& a) {
  const double length = norm(a);
  return length > 0 ? (1 / length) * a : Point3{0, 1, 0};
}

double angle_between(const Point3& a, const Point3& b) {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

std::string place_of(const Point3& x) {
  return fmt::format("({:.3g}, {:.3g}, {:.3g}) m", x[0], x[1], x[2]);
}

// What is wrong, and where: the first of each kind, with numbers of vertices from 0.
std::string find_faults(const std::vector<Point3>& vertices,
                        const std::vector<std::array<int, 3>>& triangles) {
  std::string faults;
  std::map<std::pair<int, int>, std::array<int, 2>> ways;  // how many triangles go along an edge up, and down
  for (const auto& triangle : triangles) {
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
    for (int k = 0; k < 3; ++k) {
      const int from = triangle[k], to = triangle[(k + 1) % 3];
      ++ways[std::minmax(from, to)][from < to ? 0 : 1];
    }
  }
  const auto add_first = [&](const char* what, auto&& is_wrong) {
    for (const auto& [edge, count] : ways)
      if (is_wrong(count[0], count[1])) {
        faults += fmt::format("; the edge of vertices {} and {} at {} {}", edge.first, edge.second,
                              place_of(0.5 * (vertices[edge.first] + vertices[edge.second])), what);
        return;
      }
  };
  add_first("has one triangle", [](int up, int down) { return up + down == 1; });
  add_first("has more than two triangles", [](int up, int down) { return up + down > 2; });
  add_first("has two triangles of opposite orientation",
            [](int up, int down) { return up + down == 2 && up != down; });
  for (const auto& triangle : triangles) {
    const auto& [a, b, c] = triangle;
    const Point3 u = vertices[b] - vertices[a], v = vertices[c] - vertices[a];
    if (norm(cross(u, v)) > 1e-12 * std::max(dot(u, u), dot(v, v))) continue;
    faults += fmt::format("; the triangle of vertices {}, {}, {} at {} has no area", a, b, c,
                          place_of(vertices[a]));
    break;
  }
  std::map<Point3, int> places;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const auto [at, is_new] = places.try_emplace(vertices[v], static_cast<int>(v));
    if (is_new) continue;
    faults += fmt::format("; vertices {} and {} lie at one place, {}", at->second, v, place_of(vertices[v]));
    break;
  }
  return faults;
}

}  // namespace

ClosedSurface::ClosedSurface(const SurfaceMesh& mesh, const std::string& name)
    : vertices_(mesh.vertices), triangles_(mesh.triangles) {
  const SurfaceDefects defects = find_surface_topology(triangles_, vertices_.size()).defects;
  if (triangles_.empty() || defects.border_edges > 0 || defects.nonmanifold_edges > 0 ||
      defects.inconsistent_edges > 0)
    throw InputError(name, "",
                     fmt::format("{} triangles with {} open, {} branching and {} wrongly oriented edges "
                                 "bound no inside; a closed surface is needed{}",
                                 triangles_.size(), defects.border_edges, defects.nonmanifold_edges,
                                 defects.inconsistent_edges, find_faults(vertices_, triangles_)));
  double volume = 0;
  std::vector<Bounds> boxes;
  vertex_normals_.assign(vertices_.size(), {});
  std::map<std::pair<int, int>, Point3> edges;
  for (const auto& triangle : triangles_) {
    const Point3 &a = vertices_[triangle[0]], &b = vertices_[triangle[1]], &c = vertices_[triangle[2]];
    const Point3 n = unit(cross(b - a, c - a));
    volume += dot(a, cross(b, c)) / 6;
    face_normals_.push_back(n);
    boxes.push_back(bounds_of({a, b, c}));
    for (int k = 0; k < 3; ++k) {
      const int at = triangle[k], next = triangle[(k + 1) % 3], last = triangle[(k + 2) % 3];
      const double angle = angle_between(vertices_[next] - vertices_[at], vertices_[last] - vertices_[at]);
      vertex_normals_[at] = vertex_normals_[at] + angle * n;  // (1)
      Point3& of_edge = edges[std::minmax(at, next)];
      of_edge = of_edge + n;  // the angle is pi for both
    }
  }
  if (!(volume > 0))
    throw InputError(name, "",
                     fmt::format("bounds a volume of {:.3g} m^3: its triangles face inward", volume));
  for (const auto& triangle : triangles_) {
    auto& of = edge_normals_.emplace_back();
    for (int k = 0; k < 3; ++k) of[k] = edges.at(std::minmax(triangle[k], triangle[(k + 1) % 3]));
  }
  tree_.build(boxes);
}

ClosedSurface::Nearest ClosedSurface::nearest(const Point3& x) const {
  const auto on = [&](int t) {
    const auto& [a, b, c] = triangles_[t];
    return nearest_on_triangle(x, vertices_[a], vertices_[b], vertices_[c]);
  };
  const int t = tree_.nearest(x, [&](int triangle) {
    const Point3 away = x - on(triangle).point;
    return dot(away, away);
  });
  if (t < 0) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {none, {none, none, none}};
  }
  const OnTriangle found = on(t);
  const Point3 weighted = found.feature == 6  ? face_normals_[t]
                          : found.feature > 2 ? edge_normals_[t][found.feature - 3]
                                              : vertex_normals_[triangles_[t][found.feature]];
  const Point3 away = x - found.point;
  const double length = norm(away), side = dot(away, weighted) < 0 ? -1 : 1;
  return {side * length, length > 0 ? (side / length) * away : unit(weighted)};
}

}  // namespace phiflex

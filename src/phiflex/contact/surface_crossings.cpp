#include "phiflex/contact/surface_crossings.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace phiflex {
namespace {

using Long3 = Eigen::Matrix<long double, 3, 1>;

Long3 place_at(const Vector& x, int vertex) {
  return x.segment<3>(3 * Index(vertex)).cast<long double>();
}

Bounds box_of(std::span<const int> vertices, const Vector& x) {
  Bounds box;
  for (std::size_t n = 0; n < vertices.size(); ++n)
    for (int i = 0; i < 3; ++i) {
      const double value = x[3 * Index(vertices[n]) + i];
      box.low[i] = n == 0 ? value : std::min(box.low[i], value);
      box.high[i] = n == 0 ? value : std::max(box.high[i], value);
    }
  return box;
}

// -1, 0 or 1: the sign of o(a, b, c, d).
int side_of(const Long3& a, const Long3& b, const Long3& c, const Long3& d, long double rounding) {
  const long double volume = (b - a).cross(c - a).dot(d - a);
  return volume > rounding ? 1 : volume < -rounding ? -1 : 0;
}

// (1)
bool crosses(const Long3& p, const Long3& q, const Long3& a, const Long3& b, const Long3& c) {
  const long double extent = std::max({(q - p).norm(), (b - a).norm(), (c - a).norm(), (c - b).norm()});
  const long double rounding = 1e-14L * extent * extent * extent;
  if (side_of(a, b, c, p, rounding) * side_of(a, b, c, q, rounding) >= 0) return false;
  const int ab = side_of(p, q, a, b, rounding), bc = side_of(p, q, b, c, rounding),
            ca = side_of(p, q, c, a, rounding);
  return (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
}

}  // namespace

std::vector<SurfaceCrossing> find_crossings(const ContactSurface& surface, const PartPairs& pairs,
                                            const Vector& x, std::size_t most) {
  std::vector<SurfaceCrossing> crossings;
  std::vector<Bounds> boxes;
  for (const SurfaceTriangle& triangle : surface.triangles) boxes.push_back(box_of(triangle.vertices, x));
  if (boxes.empty()) return crossings;
  BoxTree tree;
  tree.build(boxes);
  std::vector<int> near;
  for (std::size_t e = 0; e < surface.edges.size() && crossings.size() < most; ++e) {
    const SurfaceEdge& edge = surface.edges[e];
    near.clear();
    tree.add_overlapping(box_of(edge.vertices, x), near);
    std::sort(near.begin(), near.end());
    for (const int t : near) {
      const SurfaceTriangle& triangle = surface.triangles[std::size_t(t)];
      if (!pairs.may_touch(edge.part, triangle.part)) continue;
      const auto& corners = triangle.vertices;
      const auto is_corner = [&](int v) {
        return std::find(corners.begin(), corners.end(), v) != corners.end();
      };
      if (is_corner(edge.vertices[0]) || is_corner(edge.vertices[1])) continue;
      if (crosses(place_at(x, edge.vertices[0]), place_at(x, edge.vertices[1]), place_at(x, corners[0]),
                  place_at(x, corners[1]), place_at(x, corners[2])))
        crossings.push_back({static_cast<int>(e), t});
    }
  }
  if (crossings.size() > most) crossings.resize(most);
  return crossings;
}

}  // namespace phiflex

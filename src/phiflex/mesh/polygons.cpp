#include "phiflex/mesh/polygons.h"

#include <cmath>

#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

constexpr std::size_t kMostClipped = 256;

Point3 polygon_normal(const std::vector<Point3>& vertices, std::span<const int> corners) {
  Point3 normal = {0, 0, 0};
  const Point3& origin = vertices[corners[0]];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    normal = normal + cross(vertices[corners[i]] - origin, vertices[corners[i + 1]] - origin);
  return normal;
}

class EarClipper {
 public:
  EarClipper(const std::vector<Point3>& vertices, std::span<const int> corners)
      : vertices_(vertices),
        loop_(corners.begin(), corners.end()),
        normal_(polygon_normal(vertices, corners)) {}

  void clip(std::vector<std::array<int, 3>>& triangles) {
    while (loop_.size() > 3) {
      std::size_t ear = 0;
      // The fan's own order (always corner 1 next) is kept where it is right. Without any ear (a degenerate
      // polygon) corner 1 is cut all the same.
      for (std::size_t i = 0; i < loop_.size(); ++i) {
        const std::size_t candidate = (i + 1) % loop_.size();
        if (is_ear(candidate)) {
          ear = candidate;
          break;
        }
        if (i + 1 == loop_.size()) ear = 1;
      }
      const std::size_t n = loop_.size();
      triangles.push_back({loop_[(ear + n - 1) % n], loop_[ear], loop_[(ear + 1) % n]});
      loop_.erase(loop_.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    triangles.push_back({loop_[0], loop_[1], loop_[2]});
  }

 private:
  double turn(int a, int b, int c) const {
    return dot(cross(vertices_[b] - vertices_[a], vertices_[c] - vertices_[a]), normal_);
  }

  bool is_ear(std::size_t i) const {
    const std::size_t n = loop_.size();
    const int a = loop_[(i + n - 1) % n], b = loop_[i], c = loop_[(i + 1) % n];
    if (!(turn(a, b, c) > 0)) return false;
    for (std::size_t k = 0; k + 3 < n; ++k) {
      const int p = loop_[(i + 2 + k) % n];
      if (p == a || p == b || p == c) continue;
      if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
  }

  const std::vector<Point3>& vertices_;
  std::vector<int> loop_;
  Point3 normal_;
};

}  // namespace

void add_polygon(const std::vector<Point3>& vertices, std::span<const int> corners,
                 std::vector<std::array<int, 3>>& triangles) {
  if (corners.size() == 3) {
    triangles.push_back({corners[0], corners[1], corners[2]});
  } else if (corners.size() > kMostClipped) {
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      triangles.push_back({corners[0], corners[i], corners[i + 1]});
  } else {
    EarClipper(vertices, corners).clip(triangles);
  }
}

}  // namespace phiflex

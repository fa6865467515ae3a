#include "phiflex/mesh/polygons.h"

#include <cmath>

#include "phiflex/mesh/box_tree.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

Point3 polygon_normal(const std::vector<Point3>& vertices, std::span<const int> corners) {
  Point3 normal = {0, 0, 0};
  const Point3& origin = vertices[corners[0]];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    normal = normal + cross(vertices[corners[i]] - origin, vertices[corners[i + 1]] - origin);
  return normal;
}

// Corners are numbered as they are given; next_ and before_ join those that are left to a loop.
class EarClipper {
 public:
  EarClipper(const std::vector<Point3>& vertices, std::span<const int> corners)
      : vertices_(vertices),
        corners_(corners),
        normal_(polygon_normal(vertices, corners)),
        left_(static_cast<int>(corners.size())) {
    for (int i = 0; i < left_; ++i) {
      next_.push_back(i + 1 < left_ ? i + 1 : 0);
      before_.push_back(i > 0 ? i - 1 : left_ - 1);
    }
    if (!has_plane()) return;
    std::vector<Bounds> points;
    for (int i = 0; i < left_; ++i)
      if (!turns_left(i)) {
        turning_right_.push_back(i);
        points.push_back({at(i), at(i)});
      }
    right_.build(points);
  }

  std::size_t clip(std::vector<std::array<int, 3>>& triangles) {
    // The fan's own order, corner 1 first, is kept where it is right.
    std::vector<int> candidates;
    for (int i = 1; i < left_; ++i) candidates.push_back(i);
    candidates.push_back(0);
    std::vector<char> gone(corners_.size(), 0);
    for (std::size_t k = 0; k < candidates.size() && left_ > 3 && has_plane(); ++k) {
      const int ear = candidates[k];
      if (gone[ear] || !is_ear(ear)) continue;
      const int a = before_[ear], c = next_[ear];
      const bool turned_right[] = {!turns_left(a), !turns_left(c)};
      triangles.push_back({corners_[a], corners_[ear], corners_[c]});
      gone[ear] = 1;
      --left_;
      next_[a] = c;
      before_[c] = a;
      first_ = a;
      if (turned_right[0] && turns_left(a)) forget(a);
      if (turned_right[1] && turns_left(c)) forget(c);
      candidates.push_back(a);
      candidates.push_back(c);
    }
    add_fan(triangles);
    return right_.looked_at();
  }

 private:
  const Point3& at(int corner) const { return vertices_[corners_[corner]]; }
  // False where a corner is not finite, or products of coordinates are not.
  bool has_plane() const { return std::isfinite(normal_[0] + normal_[1] + normal_[2]); }
  double turn(const Point3& a, const Point3& b, const Point3& c) const {
    return dot(cross(b - a, c - a), normal_);
  }
  bool turns_left(int corner) const { return turn(at(before_[corner]), at(corner), at(next_[corner])) > 0; }

  bool is_ear(int corner) {
    if (!turns_left(corner)) return false;
    const int indices[] = {corners_[before_[corner]], corners_[corner], corners_[next_[corner]]};
    const Point3 *a = &vertices_[indices[0]], *b = &vertices_[indices[1]], *c = &vertices_[indices[2]];
    const std::array<std::array<const Point3*, 2>, 3> sides = {{{a, b}, {b, c}, {c, a}}};
    std::array<Point3, 3> inward;  // turn(p, q, x) = inward.(x - p) for the side from p to q
    for (int s = 0; s < 3; ++s) inward[s] = cross(normal_, *sides[s][1] - *sides[s][0]);
    bool free = true;
    const auto may_hold = [&](const Bounds& box) {
      if (!free) return false;
      for (int s = 0; s < 3; ++s) {
        double most = 0, size = 0;
        for (int i = 0; i < 3; ++i) {
          const double far = (inward[s][i] > 0 ? box.high[i] : box.low[i]) - (*sides[s][0])[i];
          most += inward[s][i] * far;
          size += std::abs(inward[s][i] * far);
        }
        if (most < -1e-14 * size) return false;
      }
      return true;
    };
    right_.remove_where(may_hold, [&](int number) {
      const int other = corners_[turning_right_[number]];
      if (other == indices[0] || other == indices[1] || other == indices[2]) return false;
      const Point3& p = vertices_[other];
      if (turn(*a, *b, p) >= 0 && turn(*b, *c, p) >= 0 && turn(*c, *a, p) >= 0) free = false;
      return false;
    });
    return free;
  }

  // A corner that turns left from now on.
  void forget(int corner) {
    const Point3& p = at(corner);
    right_.remove_where(
        [&](const Bounds& box) {
          return overlap(box, {p, p});
        },
        [&](int number) { return turning_right_[number] == corner; });
  }

  // The rest, from its lowest corner on.
  void add_fan(std::vector<std::array<int, 3>>& triangles) const {
    int first = first_;
    for (int i = next_[first_]; i != first_; i = next_[i]) first = std::min(first, i);
    for (int b = next_[first], c = next_[b]; c != first; b = c, c = next_[c])
      triangles.push_back({corners_[first], corners_[b], corners_[c]});
  }

  const std::vector<Point3>& vertices_;
  std::span<const int> corners_;
  Point3 normal_;
  int left_, first_ = 0;  // corners that are left, and one of them
  std::vector<int> next_, before_, turning_right_;
  BoxTree right_;  // of the corners turning_right_
};

}  // namespace

std::size_t add_polygon(const std::vector<Point3>& vertices, std::span<const int> corners,
                        std::vector<std::array<int, 3>>& triangles) {
  if (corners.size() > 3) return EarClipper(vertices, corners).clip(triangles);
  triangles.push_back({corners[0], corners[1], corners[2]});
  return 0;
}

}  // namespace phiflex

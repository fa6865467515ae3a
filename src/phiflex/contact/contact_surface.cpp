#include "phiflex/contact/contact_surface.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "phiflex/base/errors.h"

namespace phiflex {
namespace {

constexpr double kLongestReach = 0.5;  // of the mean edge
constexpr double kNoExtent = 1e-12;    // sin of the smallest angle of a triangle that counts

Eigen::Vector3d rest_of(const Vector& rest, int vertex) {
  return rest.segment<3>(3 * Index(vertex));
}

// An edge as one of its triangles, or the part itself, sees it.
struct EdgeSide {
  std::array<int, 2> vertices;
  int triangle;  // -1: of the part itself
  double area;   // a third of the triangle's, or length times width
};

class SurfaceMaker {
 public:
  SurfaceMaker(const Vector& rest, ContactSurface& surface) : rest_(rest), surface_(surface) {}

  void add(const SurfacePart& part, int number) {
    part_ = &part;
    number_ = number;
    check_sizes();
    add_triangles();
    add_edges();
    add_points();
    surface_.part_reach.push_back(part.reach);
  }
  void finish() {
    auto& points = surface_.points;
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
      return std::pair(a.vertex, a.part) < std::pair(b.vertex, b.part);
    });
    for (std::size_t i = 1; i < points.size(); ++i)
      if (points[i].vertex == points[i - 1].vertex)
        problems_.push_back({"", "", fmt::format("vertex {} belongs to two surfaces", points[i].vertex)});
    if (!problems_.empty()) throw InputError(std::move(problems_));
  }

 private:
  void problem(std::string message) { problems_.push_back({"", part_->name, std::move(message)}); }

  // Two of the vertices that lie at one place, in words; empty: none do.
  std::string coincident(int a, int b, int c) const {
    for (const auto& [i, j] : {std::array{a, b}, std::array{a, c}, std::array{b, c}})
      if (rest_of(rest_, i) == rest_of(rest_, j))
        return fmt::format(": vertices {} and {} lie at one place", i, j);
    return {};
  }

  void check_sizes() {
    const double mean = mean_edge(*part_, rest_);
    if (!(part_->reach > 0))
      problem(fmt::format("the reach of contact is {} m; expected more than 0", part_->reach));
    else if (mean > 0 && part_->reach > kLongestReach * mean)
      problem(fmt::format(
          "the reach of contact is {} m; expected at most half of the mean edge of the surface, {:.3g} m",
          part_->reach, kLongestReach * mean));
    if (!(part_->width > 0) && !(part_->edges.empty() && part_->points.empty()))
      problem(fmt::format("the width of edges and points is {} m; expected more than 0", part_->width));
  }

  void add_triangles() {
    first_triangle_ = static_cast<int>(surface_.triangles.size());
    for (std::array<int, 3> corners : part_->triangles) {
      std::sort(corners.begin(), corners.end());
      surface_.triangles.push_back({corners, number_});
    }
    const auto begin = surface_.triangles.begin() + first_triangle_;
    std::sort(begin, surface_.triangles.end(),
              [](const auto& a, const auto& b) { return a.vertices < b.vertices; });
    areas_.clear();
    for (auto at = begin; at != surface_.triangles.end(); ++at) {
      const auto [a, b, c] = at->vertices;
      const Eigen::Vector3d u = rest_of(rest_, b) - rest_of(rest_, a),
                            v = rest_of(rest_, c) - rest_of(rest_, a);
      const double twice = u.cross(v).norm(), longest = std::max({u.norm(), v.norm(), (u - v).norm()});
      areas_.push_back(0.5 * twice);
      if (a == b || b == c)
        problem(fmt::format("triangle ({}, {}, {}) has a vertex twice", a, b, c));
      else if (!(twice > kNoExtent * longest * longest))
        problem(fmt::format("triangle ({}, {}, {}) at ({:.3g}, {:.3g}, {:.3g}) m has no area{}", a, b, c,
                            rest_[3 * a], rest_[3 * a + 1], rest_[3 * a + 2], coincident(a, b, c)));
      if (at != begin && (at - 1)->vertices == at->vertices)
        problem(fmt::format("triangle ({}, {}, {}) is given twice", a, b, c));
    }
  }

  void add_edges() {
    sides_.clear();
    for (std::size_t t = 0; t < areas_.size(); ++t) {
      const int triangle = first_triangle_ + static_cast<int>(t);
      const auto& v = surface_.triangles[std::size_t(triangle)].vertices;
      for (const auto& [a, b] : {std::array{0, 1}, std::array{0, 2}, std::array{1, 2}})
        sides_.push_back({{v[std::size_t(a)], v[std::size_t(b)]}, triangle, areas_[t] / 3});
    }
    for (const auto& [a, b] : part_->edges) {
      const double length = (rest_of(rest_, a) - rest_of(rest_, b)).norm();
      if (!(length > 0)) problem(fmt::format("edge ({}, {}) has no length", a, b));
      sides_.push_back({{std::min(a, b), std::max(a, b)}, -1, length * part_->width});
    }
    // The part's own edges first among equals.
    std::sort(sides_.begin(), sides_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.vertices, a.triangle) < std::pair(b.vertices, b.triangle);
    });
    first_edge_ = surface_.edges.size();
    for (const EdgeSide& side : sides_) {
      const bool known =
          surface_.edges.size() > first_edge_ && surface_.edges.back().vertices == side.vertices;
      if (!known) surface_.edges.push_back({side.vertices, number_, 1, -1, 0});
      SurfaceEdge& edge = surface_.edges.back();
      if (side.triangle < 0) {
        if (known) problem(fmt::format("edge ({}, {}) is given twice", side.vertices[0], side.vertices[1]));
        edge.area = side.area;
        continue;
      }
      if (edge.triangle < 0) {
        edge.triangle = side.triangle;
        edge.area = 0;  // an edge of triangles is no edge of the part's own
      }
      --edge.sign;  // (1)
      edge.area += side.area;
    }
  }

  void add_points() {
    faces_.clear();
    for (std::size_t t = 0; t < areas_.size(); ++t) {
      const int triangle = first_triangle_ + static_cast<int>(t);
      for (const int v : surface_.triangles[std::size_t(triangle)].vertices)
        faces_.push_back({v, number_, -1, triangle, areas_[t] / 3});
    }
    for (std::size_t e = first_edge_; e < surface_.edges.size(); ++e) {
      const SurfaceEdge& edge = surface_.edges[e];
      for (const int v : edge.vertices)
        faces_.push_back({v, number_, -edge.sign, kNoTriangle, edge.triangle < 0 ? 0.5 * edge.area : 0});
    }
    for (const int v : part_->points) faces_.push_back({v, number_, 0, kNoTriangle, 0});
    std::sort(faces_.begin(), faces_.end(), [](const SurfacePoint& a, const SurfacePoint& b) {
      return std::pair(a.vertex, a.triangle) < std::pair(b.vertex, b.triangle);
    });
    const std::size_t first = surface_.points.size();
    double total = 0;
    for (const SurfacePoint& face : faces_) {
      if (surface_.points.size() == first || surface_.points.back().vertex != face.vertex)
        surface_.points.push_back(
            {face.vertex, number_, 1, face.triangle == kNoTriangle ? -1 : face.triangle, 0});
      surface_.points.back().sign += face.sign;  // (1)
      surface_.points.back().area += face.area;
    }
    for (std::size_t p = first; p < surface_.points.size(); ++p) {
      double& area = surface_.points[p].area;
      if (area == 0) area = part_->width * part_->width;
      total += area;
    }
    const std::size_t count = surface_.points.size() - first;
    surface_.mean_point_area.push_back(count > 0 ? total / static_cast<double>(count) : 0);
  }

  static constexpr int kNoTriangle = 1 << 30;  // sorted behind all of them
  const Vector& rest_;
  ContactSurface& surface_;
  const SurfacePart* part_ = nullptr;
  int number_ = 0, first_triangle_ = 0;
  std::size_t first_edge_ = 0;
  std::vector<double> areas_;  // of the part's triangles
  std::vector<EdgeSide> sides_;
  std::vector<SurfacePoint> faces_;  // a point as each of its triangles and edges sees it
  std::vector<Problem> problems_;
};

}  // namespace

double mean_edge(const SurfacePart& part, const Vector& rest) {
  std::vector<std::array<int, 2>> edges = part.edges;
  for (const auto& [a, b, c] : part.triangles) edges.insert(edges.end(), {{a, b}, {b, c}, {a, c}});
  for (auto& [a, b] : edges)
    if (a > b) std::swap(a, b);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  double sum = 0;
  for (const auto& [a, b] : edges) sum += (rest_of(rest, a) - rest_of(rest, b)).norm();
  return edges.empty() ? 0 : sum / static_cast<double>(edges.size());
}

ContactSurface make_contact_surface(const std::vector<SurfacePart>& parts, const Vector& rest) {
  ContactSurface surface;
  SurfaceMaker maker(rest, surface);
  for (std::size_t p = 0; p < parts.size(); ++p) maker.add(parts[p], static_cast<int>(p));
  maker.finish();
  return surface;
}

}  // namespace phiflex

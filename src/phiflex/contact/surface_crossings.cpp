#include "phiflex/contact/surface_crossings.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>

#include "phiflex/mesh/box_tree.h"

namespace phiflex {
namespace {

constexpr double kDeep = 1e-6;  // of the reach

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

using Place = Eigen::Vector3d;

Place vertex_at(const Vector& x, int vertex) {
  return x.segment<3>(3 * Index(vertex));
}

Bounds around(const Place& p, double more) {
  return {{p[0] - more, p[1] - more, p[2] - more}, {p[0] + more, p[1] + more, p[2] + more}};
}

// The inside of one part.
class Inside {
 public:
  Inside(const ContactSurface& surface, int part, const std::vector<std::array<int, 4>>& tets,
         const Vector& x)
      : x_(x), tets_(tets), deep_(kDeep * surface.part_reach[std::size_t(part)]) {
    std::vector<Bounds> boxes;
    for (const auto& tet : tets) boxes.push_back(box_of(tet, x));
    tet_tree_.build(boxes);
    boxes.clear();
    for (const SurfaceTriangle& triangle : surface.triangles)
      if (triangle.part == part) {
        triangles_.push_back(triangle.vertices);
        boxes.push_back(box_of(triangle.vertices, x));
      }
    triangle_tree_.build(boxes);
  }
  bool holds(const Place& p) { return is_in_a_tet(p) && is_deep(p); }

 private:
  bool is_in_a_tet(const Place& p) {
    found_.clear();
    tet_tree_.add_overlapping(around(p, 0), found_);
    return std::any_of(found_.begin(), found_.end(), [&](int number) {
      const auto& [a, b, c, d] = tets_[std::size_t(number)];
      const Place A = vertex_at(x_, a), B = vertex_at(x_, b), C = vertex_at(x_, c), D = vertex_at(x_, d);
      const auto volume = [](const Place& i, const Place& j, const Place& k, const Place& l) {
        return (j - i).cross(k - i).dot(l - i);
      };
      const double whole = volume(A, B, C, D),
                   least = -1e-9 * whole * whole;  // of weights: rounding on a face
      return whole != 0 && volume(p, B, C, D) * whole >= least && volume(A, p, C, D) * whole >= least &&
             volume(A, B, p, D) * whole >= least && volume(A, B, C, p) * whole >= least;
    });
  }
  bool is_deep(const Place& p) {
    found_.clear();
    triangle_tree_.add_overlapping(around(p, deep_), found_);
    return std::none_of(found_.begin(), found_.end(), [&](int number) {
      StencilPoints X;
      X.col(0) = p;
      for (std::size_t i = 0; i < 3; ++i)
        X.col(Index(i + 1)) = vertex_at(x_, triangles_[std::size_t(number)][i]);
      const Eigen::Matrix3d E = stencil_edges(StencilKind::point_triangle, X);
      return (E * nearest_feet<3>(StencilKind::point_triangle, E).z).norm() <= deep_;
    });
  }

  const Vector& x_;
  const std::vector<std::array<int, 4>>& tets_;
  double deep_;  // m
  std::vector<std::array<int, 3>> triangles_;
  BoxTree tet_tree_, triangle_tree_;
  std::vector<int> found_;
};

// A vertex, or a triangle by its middle.
struct Piece {
  int part;
  Place at;
  std::vector<int> vertices;
};

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

std::vector<EnclosedPiece> find_enclosed(const ContactSurface& surface, const PartPairs& pairs,
                                         std::span<const std::vector<std::array<int, 4>>> tets,
                                         const Vector& x) {
  const std::size_t parts = surface.part_reach.size();
  std::vector<std::vector<Piece>> pieces(parts);
  for (const SurfacePoint& point : surface.points)
    pieces[std::size_t(point.part)].push_back({point.part, vertex_at(x, point.vertex), {point.vertex}});
  for (const SurfaceTriangle& triangle : surface.triangles) {
    const auto& [a, b, c] = triangle.vertices;
    pieces[std::size_t(triangle.part)].push_back(
        {triangle.part, (vertex_at(x, a) + vertex_at(x, b) + vertex_at(x, c)) / 3, {a, b, c}});
  }
  std::vector<Bounds> boxes;  // of the parts
  for (const std::vector<Piece>& of : pieces) {
    Bounds box = of.empty() ? Bounds{{1, 1, 1}, {-1, -1, -1}} : around(of.front().at, 0);
    for (const Piece& piece : of) box = united(box, around(piece.at, 0));
    boxes.push_back(box);
  }
  std::vector<EnclosedPiece> enclosed;
  for (std::size_t inside = 0; inside < parts; ++inside) {
    if (tets[inside].empty()) continue;
    std::unique_ptr<Inside> solid;
    for (std::size_t part = 0; part < parts; ++part) {
      if (part == inside || !pairs.may_touch(int(part), int(inside)) || !overlap(boxes[part], boxes[inside]))
        continue;
      for (const Piece& piece : pieces[part]) {
        if (!overlap(around(piece.at, 0), boxes[inside])) continue;
        if (!solid) solid = std::make_unique<Inside>(surface, int(inside), tets[inside], x);
        if (!solid->holds(piece.at)) continue;
        enclosed.push_back({int(part), int(inside), piece.vertices});
        break;
      }
    }
  }
  return enclosed;
}

}  // namespace phiflex

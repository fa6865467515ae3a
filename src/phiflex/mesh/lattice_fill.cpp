#include "phiflex/mesh/lattice_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "phiflex/mesh/bounds.h"
#include "phiflex/mesh/closed_surface.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/surface_topology.h"
#include "phiflex/mesh/union_find.h"
#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

// How much of an edge a cut must leave at its ends, else (1); an edge of the lattice is a cell long (between two
// corners or two centres of cubes) or half of a cube's diagonal. The two parts are Labelle and Shewchuk's.
constexpr double kLeastOfLong = 0.24999, kLeastOfShort = 0.41189;

// Points of the lattice: corners of cubes at even, centres at odd numbers in all three directions; one unit is half a
// cell.
class Lattice {
 public:
  Lattice(const std::vector<SolidPiece>& pieces, double cell) : half_(cell / 2) {
    Point3 low = pieces.front().low, high = pieces.front().high;
    for (const SolidPiece& piece : pieces)
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], piece.low[i]);
        high[i] = std::max(high[i], piece.high[i]);
      }
    double total = 1;
    for (int i = 0; i < 3; ++i) {
      first_[i] = 2 * (static_cast<int>(std::floor(low[i] / cell)) - 2);
      count_[i] = 2 * (static_cast<int>(std::ceil(high[i] / cell)) + 2) - first_[i] + 1;
      total *= count_[i];
    }
    if (total > 4e8) throw std::invalid_argument("asks for too many cells");
  }

  std::size_t size() const { return static_cast<std::size_t>(count_[0]) * count_[1] * count_[2]; }
  std::int64_t index(const std::array<int, 3>& at) const {
    return (static_cast<std::int64_t>(at[2]) * count_[1] + at[1]) * count_[0] + at[0];
  }
  std::int64_t offset(int dx, int dy, int dz) const { return index({dx, dy, dz}); }
  Point3 place(const std::array<int, 3>& at) const {
    return {half_ * (first_[0] + at[0]), half_ * (first_[1] + at[1]), half_ * (first_[2] + at[2])};
  }
  // Calls visit(index, at) for the points in [low, high], in the order of the index.
  template <class Visit>
  void each(const Point3& low, const Point3& high, Visit visit) const {
    std::array<int, 3> from{}, to{};
    for (int i = 0; i < 3; ++i) {
      from[i] = std::max(0, static_cast<int>(std::floor(low[i] / half_)) - first_[i]);
      to[i] = std::min(count_[i] - 1, static_cast<int>(std::ceil(high[i] / half_)) - first_[i]);
    }
    for (int k = from[2]; k <= to[2]; ++k)
      for (int j = from[1] + ((from[1] ^ k) & 1); j <= to[1]; j += 2)
        for (int i = from[0] + ((from[0] ^ k) & 1); i <= to[0]; i += 2)
          visit(index({i, j, k}), std::array{i, j, k});
  }
  template <class Visit>
  void each(Visit visit) const {
    each(place({0, 0, 0}), place({count_[0] - 1, count_[1] - 1, count_[2] - 1}), visit);
  }
  bool is_border(const std::array<int, 3>& at) const {
    for (int i = 0; i < 3; ++i)
      if (at[i] < 2 || at[i] > count_[i] - 3) return true;
    return false;
  }

 private:
  double half_;
  std::array<int, 3> first_{}, count_{};
};

class LatticeMesher {
 public:
  LatticeMesher(const std::vector<SolidPiece>& pieces, const std::vector<SolidCut>& cuts, double cell)
      : lattice_(pieces, cell), cell_(cell), f_(lattice_.size(), -2 * cell) {
    const Point3 margin = {2 * cell, 2 * cell, 2 * cell};
    for (const SolidPiece& piece : pieces)
      lattice_.each(piece.low - margin, piece.high + margin,
                    [&](std::int64_t p, const std::array<int, 3>& at) {
                      f_[p] = std::max(f_[p], piece.inside(lattice_.place(at)));
                    });
    lattice_.each([&](std::int64_t p, const std::array<int, 3>& at) {
      for (const SolidCut& cut : cuts)
        f_[p] = std::min(f_[p], cut.sign * (lattice_.place(at)[cut.axis] - cut.at));
      if (std::abs(f_[p]) < 1e-9 * cell) f_[p] = 0;
    });
    for (const int sign : {-1, 1}) {
      neighbours_.push_back({lattice_.offset(2 * sign, 0, 0), {2 * sign, 0, 0}, kLeastOfLong});
      neighbours_.push_back({lattice_.offset(0, 2 * sign, 0), {0, 2 * sign, 0}, kLeastOfLong});
      neighbours_.push_back({lattice_.offset(0, 0, 2 * sign), {0, 0, 2 * sign}, kLeastOfLong});
      for (const int y : {-1, 1})
        for (const int z : {-1, 1})
          neighbours_.push_back({lattice_.offset(sign, y, z), {sign, y, z}, kLeastOfShort});
    }
  }

  TetMesh fill() {
    // Each round takes points inside that were not, so it ends; two or three rounds are usual.
    for (int round = 0; round < 50; ++round) {
      warp();
      cut_tetrahedra();
      fix_orientation(mesh_);
      if (take_pinched_points_inside() == 0) break;
    }
    keep_largest_part();
    return std::move(mesh_);
  }

 private:
  struct Neighbour {
    std::int64_t offset;
    std::array<int, 3> step;  // in half cells
    double least;
  };
  struct Corner {
    std::int64_t point;
    std::array<int, 3> at;
    double f;
  };

  // (1), one point after the other: a moved one no longer cuts its edges.
  void warp() {
    g_ = f_;
    moved_.clear();
    lattice_.each([&](std::int64_t p, const std::array<int, 3>& at) {
      if (g_[p] == 0 || lattice_.is_border(at) || taken_.contains(p)) return;
      double nearest = cell_;
      const Neighbour* toward = nullptr;
      double part = 0;
      for (const Neighbour& n : neighbours_) {
        const double other = g_[p + n.offset];
        if (!(g_[p] * other < 0)) continue;
        const double t = g_[p] / (g_[p] - other);
        const double length = n.least == kLeastOfLong ? cell_ : cell_ * std::sqrt(0.75);
        if (t < n.least && t * length < nearest) {
          nearest = t * length;
          toward = &n;
          part = t;
        }
      }
      if (toward == nullptr) return;
      moved_[p] =
          lattice_.place(at) + (part * cell_ / 2) * Point3{double(toward->step[0]), double(toward->step[1]),
                                                           double(toward->step[2])};
      g_[p] = 0;
    });
  }

  int vertex_at(const Corner& corner) {
    const auto [found, is_new] = numbers_.try_emplace(corner.point, static_cast<int>(mesh_.vertices.size()));
    if (is_new) {
      const auto moved = moved_.find(corner.point);
      mesh_.vertices.push_back(moved == moved_.end() ? lattice_.place(corner.at) : moved->second);
      sources_.push_back(corner.point);
    }
    return found->second;
  }

  // (2): p is inside, n outside. A pair of neighbours is known by one of them and which neighbour it is.
  int vertex_between(const Corner& p, const Corner& n) {
    const Corner &first = p.point < n.point ? p : n, &last = p.point < n.point ? n : p;
    const auto key = std::pair(first.point, last.point);
    const auto [found, is_new] = cuts_.try_emplace(key, static_cast<int>(mesh_.vertices.size()));
    if (is_new) {
      // Only next to a point that was taken inside could a cut come close to an end.
      const double t = std::clamp(first.f / (first.f - last.f), kLeastOfLong, 1 - kLeastOfLong);
      const Point3 a = lattice_.place(first.at), b = lattice_.place(last.at);
      mesh_.vertices.push_back(a + t * (b - a));
      sources_.push_back(n.point);
    }
    return found->second;
  }

  void add(int a, int b, int c, int d) { mesh_.tets.push_back({a, b, c, d}); }

  // (3). The diagonal of a quadrilateral in a face of the lattice starts at the inner corner of greater f, so both
  // tetrahedra of the face choose the same.
  void cut_tetrahedron(std::array<Corner, 4> corners) {
    std::array<Corner, 4> in{}, out{}, on{};
    int ins = 0, outs = 0, ons = 0;
    for (const Corner& corner : corners)
      (corner.f > 0 ? in[ins++] : corner.f < 0 ? out[outs++] : on[ons++]) = corner;
    if (ins == 0) return;
    const auto comes_first = [](const Corner& a, const Corner& b) {
      return a.f != b.f ? a.f > b.f : a.point < b.point;
    };
    for (int i = 1; i < ins; ++i)
      for (int j = i; j > 0 && comes_first(in[j], in[j - 1]); --j) std::swap(in[j], in[j - 1]);
    if (outs == 0) {
      std::array<int, 4> tet{};
      for (int i = 0; i < 4; ++i) tet[i] = vertex_at(corners[i]);
      mesh_.tets.push_back(tet);
    } else if (ins == 1) {
      std::array<int, 4> tet{vertex_at(in[0])};
      for (int i = 0; i < ons; ++i) tet[1 + i] = vertex_at(on[i]);
      for (int i = 0; i < outs; ++i) tet[1 + ons + i] = vertex_between(in[0], out[i]);
      mesh_.tets.push_back(tet);
    } else if (ins == 2 && ons == 1) {
      const int z = vertex_at(on[0]), p1 = vertex_at(in[0]), p2 = vertex_at(in[1]);
      const int c1 = vertex_between(in[0], out[0]), c2 = vertex_between(in[1], out[0]);
      add(z, p1, p2, c2);
      add(z, p1, c2, c1);
    } else if (ins == 2) {
      const int p1 = vertex_at(in[0]), p2 = vertex_at(in[1]);
      const int c11 = vertex_between(in[0], out[0]), c12 = vertex_between(in[0], out[1]);
      const int c21 = vertex_between(in[1], out[0]), c22 = vertex_between(in[1], out[1]);
      const auto& x = mesh_.vertices;
      add(p1, p2, c21, c22);
      if (norm(x[c11] - x[c22]) <= norm(x[c12] - x[c21])) {
        add(p1, c11, c12, c22);
        add(p1, c11, c22, c21);
      } else {
        add(p1, c11, c12, c21);
        add(p1, c12, c22, c21);
      }
    } else {
      std::array<int, 3> p{}, c{};
      for (int i = 0; i < 3; ++i) {
        p[i] = vertex_at(in[i]);
        c[i] = vertex_between(in[i], out[0]);
      }
      add(p[0], p[1], p[2], c[2]);
      add(p[0], p[1], c[1], c[2]);
      add(p[0], c[0], c[1], c[2]);
    }
  }

  // The lattice's tetrahedra: two centres (or corners) that are neighbours along an axis, and an edge of the square of
  // points between them.
  void cut_tetrahedra() {
    mesh_ = {};
    numbers_.clear();
    cuts_.clear();
    sources_.clear();
    lattice_.each([&](std::int64_t, const std::array<int, 3>& at) {
      if (at[0] % 2 == 0 || lattice_.is_border(at)) return;  // a cube's centre
      for (int axis = 0; axis < 3; ++axis) {
        std::array<int, 3> next = at;
        next[axis] += 2;
        const Corner a = corner(at), b = corner(next);
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::array<Corner, 4> square{};
        constexpr int kRound[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        bool any_inside = a.f > 0 || b.f > 0;
        for (int i = 0; i < 4; ++i) {
          std::array<int, 3> q = at;
          ++q[axis];
          q[u] += kRound[i][0];
          q[v] += kRound[i][1];
          square[i] = corner(q);
          any_inside = any_inside || square[i].f > 0;
        }
        if (!any_inside) continue;
        for (int i = 0; i < 4; ++i) cut_tetrahedron({a, b, square[i], square[(i + 1) % 4]});
      }
    });
  }
  Corner corner(const std::array<int, 3>& at) const {
    const std::int64_t p = lattice_.index(at);
    return {p, at, g_[p]};
  }

  std::size_t take_pinched_points_inside() {
    const std::vector<int> pinched =
        find_surface_topology(boundary_triangles(mesh_), mesh_.vertices.size()).pinched;
    for (const int v : pinched) {
      f_[sources_[v]] = cell_ / 2;
      taken_.insert(sources_[v]);
    }
    return pinched.size();
  }

  void keep_largest_part() {
    UnionFind parts(mesh_.vertices.size());
    for (const auto& tet : mesh_.tets)
      for (int i = 1; i < 4; ++i) parts.join(tet[0], tet[i]);
    std::vector<int> size(mesh_.vertices.size(), 0);
    for (const auto& tet : mesh_.tets) ++size[parts.find(tet[0])];
    const int largest = static_cast<int>(std::max_element(size.begin(), size.end()) - size.begin());
    std::vector<int> number(mesh_.vertices.size(), -1);
    TetMesh kept;
    for (std::size_t v = 0; v < number.size(); ++v) {
      if (parts.find(static_cast<int>(v)) != largest) continue;
      number[v] = static_cast<int>(kept.vertices.size());
      kept.vertices.push_back(mesh_.vertices[v]);
    }
    for (const auto& tet : mesh_.tets)
      if (number[tet[0]] >= 0)
        kept.tets.push_back({number[tet[0]], number[tet[1]], number[tet[2]], number[tet[3]]});
    mesh_ = std::move(kept);
  }

  struct HashPair {
    std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& pair) const {
      return std::hash<std::int64_t>()(pair.first * 1000003 ^ pair.second);
    }
  };

  Lattice lattice_;
  double cell_;
  std::vector<double> f_, g_;  // of the union at the lattice's points; the same after (1)
  std::vector<Neighbour> neighbours_;
  std::unordered_map<std::int64_t, Point3> moved_;
  std::unordered_map<std::int64_t, int> numbers_;
  std::unordered_map<std::pair<std::int64_t, std::int64_t>, int, HashPair> cuts_;
  std::unordered_set<std::int64_t> taken_;  // by take_pinched_points_inside
  std::vector<std::int64_t> sources_;       // the lattice point that would make a vertex an inner one
  TetMesh mesh_;
};

SolidPiece around(const Point3& low, const Point3& high, std::function<double(const Point3&)> inside) {
  return {low, high, std::move(inside)};
}

}  // namespace

SolidPiece rod(const Point3& a, const Point3& b, double ra, double rb) {
  Point3 low{}, high{};
  for (int i = 0; i < 3; ++i) {
    low[i] = std::min(a[i] - ra, b[i] - rb);
    high[i] = std::max(a[i] + ra, b[i] + rb);
  }
  const Point3 along = b - a;
  const double squared = std::max(dot(along, along), 1e-300);
  return around(low, high, [=](const Point3& x) {
    const double t = std::clamp(dot(x - a, along) / squared, 0.0, 1.0);
    return ra + t * (rb - ra) - norm(x - (a + t * along));
  });
}

SolidPiece block(const Point3& low, const Point3& high) {
  return around(low, high, [=](const Point3& x) {
    double outside = 0, inside = -1e300;
    for (int i = 0; i < 3; ++i) {
      const double beyond = std::max(low[i] - x[i], x[i] - high[i]);
      outside += beyond > 0 ? beyond * beyond : 0;
      inside = std::max(inside, beyond);
    }
    return inside > 0 ? -std::sqrt(outside) : -inside;
  });
}

SolidPiece ellipsoid(const Point3& center, const Point3& radii) {
  return around(center - radii, center + radii, [=](const Point3& x) {
    // First order: (1 - s) over the length of the gradient of s = |x / radii|.
    double s = 0, gradient = 0;
    for (int i = 0; i < 3; ++i) {
      const double y = (x[i] - center[i]) / radii[i];
      s += y * y;
      gradient += y * y / (radii[i] * radii[i]);
    }
    if (s == 0) return std::min({radii[0], radii[1], radii[2]});
    return (1 - std::sqrt(s)) * std::sqrt(s / gradient);
  });
}

TetMesh fill_with_tetrahedra(const std::vector<SolidPiece>& pieces, const std::vector<SolidCut>& cuts,
                             double cell) {
  if (pieces.empty() || !(cell > 0)) throw std::invalid_argument("a lattice needs a solid and a cell");
  return LatticeMesher(pieces, cuts, cell).fill();
}

TetMesh fill_with_tetrahedra(const SurfaceMesh& surface, const std::string& name, int cells) {
  const ClosedSurface closed(surface, name);
  SolidPiece piece;
  const Bounds bounds = bounds_of(surface.vertices);
  double longest = 0;
  for (int i = 0; i < 3; ++i) longest = std::max(longest, bounds.length(i));
  const double cell = longest / cells;
  // The lattice has a point at the origin: the surface is filled about its own corner, wherever it lies.
  const auto shifted = [&](const Point3& x, double sign) {
    return Point3{x[0] + sign * bounds.low[0], x[1] + sign * bounds.low[1], x[2] + sign * bounds.low[2]};
  };
  piece.low = {0, 0, 0};
  piece.high = {bounds.length(0), bounds.length(1), bounds.length(2)};
  piece.inside = [&](const Point3& x) { return -closed.nearest(shifted(x, 1)).distance; };
  TetMesh mesh = fill_with_tetrahedra({piece}, {}, cell);
  for (Point3& x : mesh.vertices) x = shifted(x, 1);
  double filled = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) filled += tet_volume(mesh, t);
  double enclosed = 0;
  for (const auto& [a, b, c] : surface.triangles)
    enclosed += tet_volume(bounds.low, surface.vertices[std::size_t(a)], surface.vertices[std::size_t(b)],
                           surface.vertices[std::size_t(c)]);
  mesh.notes = surface.notes;
  mesh.notes.push_back(
      fmt::format("a closed surface: filled with {} tetrahedra of a lattice, {} cubes along its longest "
                  "side, {:.1f} % of its volume; `cells` beside `file` makes them finer",
                  mesh.tets.size(), cells, 100 * filled / enclosed));
  return mesh;
}

}  // namespace phiflex

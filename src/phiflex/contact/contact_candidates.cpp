#include "phiflex/contact/contact_candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/way_within.h"

namespace phiflex {
namespace {

constexpr std::size_t kFewParts = 64;                      // whose boxes are compared pair by pair
constexpr double kPartOfGap = 0.499, kPartOfRoom = 0.999;  // less than 1/2 and 1: room for rounding

constexpr std::ptrdiff_t kChunk = 128;  // points or edges of a task
constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr Bounds kNoBox = {{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};

std::ptrdiff_t chunks(std::size_t count) {
  return (static_cast<std::ptrdiff_t>(count) + kChunk - 1) / kChunk;
}

double squared_distance(StencilKind kind, const std::array<int, 4>& vertices, const Vector& x) {
  StencilPoints X = StencilPoints::Zero();
  for (int a = 0; a < vertex_count(kind); ++a) X.col(a) = x.segment<3>(3 * Index(vertices[std::size_t(a)]));
  const Eigen::Matrix3d E = stencil_edges(kind, X);
  return (E * nearest_feet<3>(kind, E).z).squaredNorm();
}

}  // namespace

PartPairs::PartPairs(int parts, bool between, bool self)
    : parts_(parts), pairs_(std::size_t(parts) * std::size_t(parts), between ? 1 : 0) {
  for (int p = 0; p < parts; ++p) set(p, p, self);
}

void PartPairs::set(int a, int b, bool may_touch) {
  pairs_[std::size_t(a) * std::size_t(parts_) + std::size_t(b)] = may_touch ? 1 : 0;
  pairs_[std::size_t(b) * std::size_t(parts_) + std::size_t(a)] = may_touch ? 1 : 0;
}

// Judges pairs and keeps those of (2).
struct ContactCandidates::Finder {
  const ContactCandidates& all;
  std::vector<ContactStencil>& found;

  bool movable(const std::array<int, 4>& vertices, int count) const {
    return std::any_of(vertices.begin(), vertices.begin() + count,
                       [&](int v) { return all.movable_[std::size_t(v)] != 0; });
  }
  // The larger radius of the vertices from begin to end.
  double radius(const std::vector<double>& radii, const std::array<int, 4>& vertices, int begin,
                int end) const {
    double largest = 0;
    for (int a = begin; a < end; ++a)
      largest = std::max(largest, radii[std::size_t(vertices[std::size_t(a)])]);
    return largest;
  }
  // (2); sets the distance.
  bool near(ContactStencil& stencil, bool same) const {
    const std::vector<double>& radii = same ? all.own_radius_ : all.radius_;
    const int side = first_side(stencil.kind), count = vertex_count(stencil.kind);
    const double limit = stencil.reach + radius(radii, stencil.vertices, 0, side) +
                         radius(radii, stencil.vertices, side, count);
    const double square = squared_distance(stencil.kind, stencil.vertices, all.reference_);
    stencil.distance = std::sqrt(square);
    return square <= limit * limit;
  }
  static bool share_a_vertex(const ContactStencil& stencil) {
    const int side = first_side(stencil.kind), count = vertex_count(stencil.kind);
    for (int a = 0; a < side; ++a)
      for (int b = side; b < count; ++b)
        if (stencil.vertices[std::size_t(a)] == stencil.vertices[std::size_t(b)]) return true;
    return false;
  }
  bool touches_at_rest(const ContactStencil& stencil, double part_reach) const {
    const double limit = kTouching * part_reach;
    return squared_distance(stencil.kind, stencil.vertices, all.rest_) <= limit * limit;
  }

  // stencil: its kind, vertices and carrier; sign: of the face that the point meets.
  void add_of_point(std::size_t point, int part, int sign, ContactStencil stencil) const {
    const ContactSurface& surface = *all.surface_;
    const SurfacePoint& p = surface.points[point];
    if (sign == 0 || !all.pairs_.may_touch(p.part, part)) return;
    if (!movable(stencil.vertices, vertex_count(stencil.kind))) return;
    const bool same = p.part == part;
    const double part_reach = surface.part_reach[std::size_t(p.part)];
    stencil.reach =
        same ? all.point_reach_[point] : std::min(part_reach, surface.part_reach[std::size_t(part)]);
    if (same && share_a_vertex(stencil)) return;
    if (!near(stencil, same)) return;
    if (same && touches_at_rest(stencil, part_reach)) return;
    // A vertex of an obstacle may stand for a large area: no more than what it meets counts.
    const bool moves = all.movable_[std::size_t(p.vertex)] != 0;
    stencil.area =
        sign * 0.5 * (moves ? p.area : std::min(p.area, surface.mean_point_area[std::size_t(part)]));
    found.push_back(stencil);
  }

  void add_of_edges(const SurfaceEdge& a, const SurfaceEdge& b) const {
    const ContactSurface& surface = *all.surface_;
    if (!all.pairs_.may_touch(a.part, b.part)) return;
    ContactStencil stencil;
    stencil.kind = StencilKind::edge_edge;
    stencil.vertices = {a.vertices[0], a.vertices[1], b.vertices[0], b.vertices[1]};
    if (!movable(stencil.vertices, 4)) return;
    const bool same = a.part == b.part;
    stencil.reach =
        std::min(surface.part_reach[std::size_t(a.part)], surface.part_reach[std::size_t(b.part)]);
    if (same && share_a_vertex(stencil)) return;
    if (!near(stencil, same)) return;
    if (same) {
      if (touches_at_rest(stencil, stencil.reach)) return;
      const double rest = std::sqrt(squared_distance(stencil.kind, stencil.vertices, all.rest_));
      stencil.reach = std::min(stencil.reach, rest);
      if (!near(stencil, same)) return;
    }
    stencil.area = 0.5 * std::min(a.area, b.area);
    const auto length2 = [&](const SurfaceEdge& edge) {
      return (all.rest_.segment<3>(3 * Index(edge.vertices[0])) -
              all.rest_.segment<3>(3 * Index(edge.vertices[1])))
          .squaredNorm();
    };
    stencil.parallel = kParallel * length2(a) * length2(b);
    found.push_back(stencil);
  }

  void find_of_point(std::size_t point, std::vector<int>& numbers) const {
    const ContactSurface& surface = *all.surface_;
    const SurfacePoint& p = surface.points[point];
    const Bounds box = all.box_around({&p.vertex, 1}, surface.part_reach[std::size_t(p.part)]);
    const auto look = [&](const BoxTree& tree) {
      numbers.clear();
      tree.add_overlapping(box, numbers);
      std::sort(numbers.begin(), numbers.end());
    };
    look(all.triangle_tree_);
    for (const int number : numbers) {
      const int t = all.near_triangles_[std::size_t(number)];
      const SurfaceTriangle& triangle = surface.triangles[std::size_t(t)];
      const auto& [a, b, c] = triangle.vertices;
      add_of_point(point, triangle.part, 1,
                   {.kind = StencilKind::point_triangle, .vertices = {p.vertex, a, b, c}, .carrier = t});
    }
    look(all.edge_tree_);
    for (const int number : numbers) {
      const SurfaceEdge& edge = surface.edges[std::size_t(all.near_edges_[std::size_t(number)])];
      add_of_point(point, edge.part, edge.sign,
                   {.kind = StencilKind::point_edge,
                    .vertices = {p.vertex, edge.vertices[0], edge.vertices[1], -1},
                    .carrier = edge.triangle});
    }
    look(all.point_tree_);
    for (const int number : numbers) {
      const SurfacePoint& q = surface.points[std::size_t(all.near_points_[std::size_t(number)])];
      add_of_point(point, q.part, q.sign,
                   {.kind = StencilKind::point_point,
                    .vertices = {p.vertex, q.vertex, -1, -1},
                    .carrier = q.triangle});
    }
  }

  void find_of_edge(std::size_t e, std::vector<int>& numbers) const {
    const SurfaceEdge& edge = all.surface_->edges[e];
    numbers.clear();
    all.edge_tree_.add_overlapping(
        all.box_around(edge.vertices, all.surface_->part_reach[std::size_t(edge.part)]), numbers);
    std::sort(numbers.begin(), numbers.end());
    for (const int number : numbers) {
      const auto other = std::size_t(all.near_edges_[std::size_t(number)]);
      if (other > e) add_of_edges(edge, all.surface_->edges[other]);
    }
  }
};

ContactCandidates::ContactCandidates(std::shared_ptr<const ContactSurface> surface, PartPairs pairs,
                                     Vector rest, std::vector<char> movable, double slack)
    : surface_(std::move(surface)),
      pairs_(std::move(pairs)),
      rest_(std::move(rest)),
      movable_(std::move(movable)),
      slack_(slack),
      radius_(movable_.size(), 0.0),
      own_radius_(movable_.size(), 0.0),
      found_(std::size_t(chunks(surface_->points.size()) + chunks(surface_->edges.size()))),
      numbers_(found_.size()) {
  part_points_.assign(surface_->part_reach.size(), 0);
  for (const SurfacePoint& p : surface_->points) {
    ++part_points_[std::size_t(p.part)];
    point_reach_.push_back(surface_->part_reach[std::size_t(p.part)]);
  }
  shorten_reaches();
}

// With radii 0 at rest the stencils are those within reach there. Other parts, whose rest shapes may lie anywhere, do
// not count.
void ContactCandidates::shorten_reaches() {
  reference_ = rest_;
  PartPairs all = pairs_;
  const int parts = static_cast<int>(part_points_.size());
  pairs_ = PartPairs(parts, false, false);
  for (int p = 0; p < parts; ++p) pairs_.set(p, p, all.may_touch(p, p));
  find();
  pairs_ = std::move(all);
  std::size_t point = 0;
  const std::vector<SurfacePoint>& points = surface_->points;
  for (const ContactStencil& stencil : stencils_) {
    if (stencil.kind == StencilKind::edge_edge) break;
    while (points[point].vertex != stencil.vertices[0]) ++point;
    const double rest = std::sqrt(squared_distance(stencil.kind, stencil.vertices, rest_));
    point_reach_[point] = std::min(point_reach_[point], rest);
  }
}

bool ContactCandidates::cover(const Vector& x, const Vector& dx) {
  if (apart(x, dx)) {
    if (stencils_.empty()) return false;
    stencils_.clear();
    valid_ = false;
    ++searches_;
    return true;
  }
  if (valid_ && covers(reference_, {radius_, own_radius_}, x, dx)) return false;
  if (!take_over(x, dx)) {
    set_reference(x, dx);
    find();
    leave();
  }
  valid_ = true;
  ++searches_;
  return true;
}

bool ContactCandidates::take_over(const Vector& x, const Vector& dx) {
  if (board_.use_count() == 1) return false;
  const std::lock_guard lock(board_->mutex);
  if (!board_->valid || !covers(board_->reference, {board_->radius, board_->own_radius}, x, dx)) return false;
  reference_ = board_->reference;
  radius_ = board_->radius;
  own_radius_ = board_->own_radius;
  stencils_ = board_->stencils;
  return true;
}

void ContactCandidates::leave() {
  if (board_.use_count() == 1) return;
  const std::lock_guard lock(board_->mutex);
  board_->valid = true;
  board_->reference = reference_;
  board_->radius = radius_;
  board_->own_radius = own_radius_;
  board_->stencils = stencils_;
}

// No two parts that may touch come within reach. Of many parts some are near: they are not looked at.
bool ContactCandidates::apart(const Vector& x, const Vector& dx) {
  const std::size_t parts = part_points_.size();
  if (parts > kFewParts) return false;
  if (clear_ > 0 && way_within(x, dx, clear_at_, clear_)) return true;  // (3)
  clear_ = 0;
  part_boxes_.assign(parts, kNoBox);
  for (const SurfacePoint& p : surface_->points) {
    Bounds& box = part_boxes_[std::size_t(p.part)];
    for (std::size_t i = 0; i < 3; ++i) {
      const double from = x[3 * Index(p.vertex) + Index(i)], to = from + dx[3 * Index(p.vertex) + Index(i)];
      box.low[i] = std::min({box.low[i], from, to});
      box.high[i] = std::max({box.high[i], from, to});
    }
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < parts; ++a)
    for (std::size_t b = a; b < parts; ++b) {
      if (!pairs_.may_touch(int(a), int(b))) continue;
      const double reach = surface_->part_reach[a] + surface_->part_reach[b];
      double gap = 0;
      for (std::size_t i = 0; i < 3; ++i)
        gap = std::max({gap, part_boxes_[a].low[i] - part_boxes_[b].high[i] - reach,
                        part_boxes_[b].low[i] - part_boxes_[a].high[i] - reach});
      if (gap == 0) return false;
      least = std::min(least, gap);
    }
  clear_at_ = x;
  clear_ = kPartOfGap * std::min(least, std::numeric_limits<double>::max());
  return true;
}

// A change of c in every coordinate is one of sqrt(3) c of a vertex, and of at most twice that less the mean of its
// part.
double ContactCandidates::room(const Vector& x) {
  if (clear_ > 0) return std::max(0., clear_ - (x - clear_at_).lpNorm<Eigen::Infinity>());
  if (!valid_) return 0;
  motion_ = x - reference_;
  find_means(motion_);
  double least = std::numeric_limits<double>::max();
  for (const SurfacePoint& p : surface_->points) {
    const auto v = std::size_t(p.vertex);
    const Eigen::Vector3d u = motion_.segment<3>(3 * Index(p.vertex));
    const double own = own_radius_[v] - (u - means_[std::size_t(p.part)]).norm();
    least = std::min({least, radius_[v] - u.norm(), 0.5 * own});
  }
  return std::max(0., kPartOfRoom * least / std::sqrt(3.));
}

// |x + t dx - x_ref| is convex in t: the ends decide.
bool ContactCandidates::covers(const Vector& reference, Radii radii, const Vector& x, const Vector& dx) {
  motion_ = x - reference;
  if (!within(radii, motion_)) return false;
  motion_ += dx;
  return within(radii, motion_);
}

bool ContactCandidates::within(Radii radii, const Vector& motion) {
  find_means(motion);
  for (const SurfacePoint& p : surface_->points) {
    const Eigen::Vector3d u = motion.segment<3>(3 * Index(p.vertex));
    if (!(u.norm() <= radii.of_vertex[std::size_t(p.vertex)])) return false;
    if (!((u - means_[std::size_t(p.part)]).norm() <= radii.own[std::size_t(p.vertex)])) return false;
  }
  return true;
}

void ContactCandidates::find_means(const Vector& motion) {
  means_.assign(part_points_.size(), Eigen::Vector3d::Zero());
  for (const SurfacePoint& p : surface_->points)
    means_[std::size_t(p.part)] += motion.segment<3>(3 * Index(p.vertex)) / part_points_[std::size_t(p.part)];
}

void ContactCandidates::set_reference(const Vector& x, const Vector& dx) {
  reference_ = x + dx;
  find_means(dx);
  for (const SurfacePoint& p : surface_->points) {
    const Eigen::Vector3d u = dx.segment<3>(3 * Index(p.vertex));
    radius_[std::size_t(p.vertex)] = u.norm() + slack_;  // (1)
    own_radius_[std::size_t(p.vertex)] = (u - means_[std::size_t(p.part)]).norm() + slack_;
  }
}

Bounds ContactCandidates::box_around(std::span<const int> vertices, double more) const {
  Bounds box;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const double around = radius_[std::size_t(vertices[k])] + more;
    for (int i = 0; i < 3; ++i) {
      const double at = reference_[3 * Index(vertices[k]) + i];
      const auto axis = std::size_t(i);
      box.low[axis] = k == 0 ? at - around : std::min(box.low[axis], at - around);
      box.high[axis] = k == 0 ? at + around : std::max(box.high[axis], at + around);
    }
  }
  return box;
}

bool ContactCandidates::is_near(std::span<const int> vertices, int part) const {
  if (part_boxes_.empty() || pairs_.may_touch(part, part)) return true;
  const Bounds box = box_around(vertices, surface_->part_reach[std::size_t(part)]);
  for (std::size_t other = 0; other < part_boxes_.size(); ++other)
    if (int(other) != part && pairs_.may_touch(part, int(other)) && overlap(box, part_boxes_[other]))
      return true;
  return false;
}

// Of many parts all are taken: comparing with all of their boxes would grow with the square of their number.
void ContactCandidates::choose_near() {
  part_boxes_.clear();
  if (part_points_.size() <= kFewParts) {
    part_boxes_.assign(part_points_.size(), kNoBox);
    for (const SurfacePoint& p : surface_->points) {
      const auto part = std::size_t(p.part);
      const Bounds box = box_around({&p.vertex, 1}, surface_->part_reach[part]);
      for (std::size_t i = 0; i < 3; ++i) {
        part_boxes_[part].low[i] = std::min(part_boxes_[part].low[i], box.low[i]);
        part_boxes_[part].high[i] = std::max(part_boxes_[part].high[i], box.high[i]);
      }
    }
  }
  near_points_.clear();
  for (std::size_t i = 0; i < surface_->points.size(); ++i)
    if (const SurfacePoint& p = surface_->points[i]; is_near({&p.vertex, 1}, p.part))
      near_points_.push_back(int(i));
  const auto choose = [&](const auto& pieces, std::vector<int>& chosen) {
    chosen.clear();
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (is_near(pieces[i].vertices, pieces[i].part)) chosen.push_back(int(i));
  };
  choose(surface_->edges, near_edges_);
  choose(surface_->triangles, near_triangles_);
}

void ContactCandidates::build_trees() {
  choose_near();
  boxes_.clear();
  for (const int i : near_points_)
    boxes_.push_back(box_around({&surface_->points[std::size_t(i)].vertex, 1}, 0));
  point_tree_.build(boxes_);
  boxes_.clear();
  for (const int i : near_edges_) boxes_.push_back(box_around(surface_->edges[std::size_t(i)].vertices, 0));
  edge_tree_.build(boxes_);
  boxes_.clear();
  for (const int i : near_triangles_)
    boxes_.push_back(box_around(surface_->triangles[std::size_t(i)].vertices, 0));
  triangle_tree_.build(boxes_);
}

void ContactCandidates::find() {
  build_trees();
  const std::ptrdiff_t of_points = chunks(near_points_.size()),
                       tasks = of_points + chunks(near_edges_.size());
  parallel_for(tasks, [&](std::ptrdiff_t task) {
    std::vector<ContactStencil>& found = found_[std::size_t(task)];
    found.clear();
    const Finder finder{*this, found};
    const bool points = task < of_points;
    const std::ptrdiff_t first = (points ? task : task - of_points) * kChunk;
    const std::vector<int>& chosen = points ? near_points_ : near_edges_;
    const auto count = static_cast<std::ptrdiff_t>(chosen.size());
    for (std::ptrdiff_t i = first; i < std::min(first + kChunk, count); ++i) {
      const auto number = std::size_t(chosen[std::size_t(i)]);
      if (points)
        finder.find_of_point(number, numbers_[std::size_t(task)]);
      else
        finder.find_of_edge(number, numbers_[std::size_t(task)]);
    }
  });
  stencils_.clear();
  for (std::ptrdiff_t task = 0; task < tasks; ++task)
    stencils_.insert(stencils_.end(), found_[std::size_t(task)].begin(), found_[std::size_t(task)].end());
}

}  // namespace phiflex

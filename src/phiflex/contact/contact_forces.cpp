#include "phiflex/contact/contact_forces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "phiflex/base/parallel.h"
#include "phiflex/contact/barrier.h"
#include "phiflex/contact/free_way.h"
#include "phiflex/linalg/way_within.h"

namespace phiflex {
namespace {

constexpr std::ptrdiff_t kTask = 512;  // stencils of a task
constexpr double kCancelled = 1e-9;    // of a point's area: a sum of signs that is 0
constexpr double kPartOfWay = 0.288;   // below 1/(2 sqrt(3))
constexpr double kMargin = 1.01;       // of distances that rounding may lower
constexpr double kFarthestFoot =
    4;  // of feet_on_plane: the largest weight, from those of the triangle's centre

std::ptrdiff_t task_count(std::size_t stencils) {
  return (static_cast<std::ptrdiff_t>(stencils) + kTask - 1) / kTask;
}

// The vertices that the feet depend on, but for the point itself; -1 where there is none.
void put_support(const ContactStencil& stencil, const Feet& feet, int* support) {
  for (int a = 1; a < 4; ++a)
    support[a - 1] = a < vertex_count(stencil.kind) && feet.y[a] != 0 ? stencil.vertices[std::size_t(a)] : -1;
  std::sort(support, support + 3);
}

// The weights y of `from` as weights of the vertices `to`. False: one that counts is not among these.
bool find_feet_among(const std::array<int, 4>& from, const Eigen::Vector4d& y, const std::array<int, 4>& to,
                     Eigen::Vector4d& feet) {
  feet.setZero();
  for (int a = 0; a < 4; ++a) {
    if (y[a] == 0) continue;
    const auto at = std::find(to.begin(), to.end(), from[std::size_t(a)]);
    if (at == to.end()) return false;
    feet[at - to.begin()] = y[a];
  }
  return true;
}

// (6) of stencil_friction.h: X the point and its carrier.
Eigen::Vector4d feet_on_plane(const StencilPoints& X, const Eigen::Vector3d& foot) {
  const Eigen::Vector3d u = X.col(2) - X.col(1), v = X.col(3) - X.col(1), n = u.cross(v);
  const double square = n.squaredNorm();
  if (!(square > 0)) return {1, -1. / 3, -1. / 3, -1. / 3};
  const Eigen::Vector3d r = foot - (X.col(1) + X.col(2) + X.col(3)) / 3;
  double b = r.cross(v).dot(n) / square, c = u.cross(r).dot(n) / square;
  const double far = std::max({std::abs(b), std::abs(c), std::abs(b + c)});
  if (far > kFarthestFoot) {
    b *= kFarthestFoot / far;
    c *= kFarthestFoot / far;
  }
  return {1, b + c - 1. / 3, -b - 1. / 3, -c - 1. / 3};
}

// (5) of stencil_friction.h, of a stencil of the point whose active stencils these are.
template <class Active>
int nearest_carrier(std::span<const Active> of_point, const ContactStencil& stencil,
                    const ContactSurface& surface) {
  if (stencil.carrier < 0) return stencil.carrier;
  const std::array<int, 3>& own = surface.triangles[std::size_t(stencil.carrier)].vertices;
  int carrier = stencil.carrier;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Active& other : of_point) {
    if (other.stencil.kind != StencilKind::point_triangle || !(other.start.square < nearest)) continue;
    const auto& vertices = other.stencil.vertices;
    if (std::find_first_of(own.begin(), own.end(), vertices.begin() + 1, vertices.end()) == own.end())
      continue;
    nearest = other.start.square;
    carrier = other.stencil.carrier;
  }
  return carrier;
}

void scatter(const std::array<int, 4>& vertices, const StencilPoints& force, Vector& f) {
  for (std::size_t a = 0; a < 4; ++a)
    if (vertices[a] >= 0) f.segment<3>(3 * Index(vertices[a])) += force.col(Index(a));
}

void add_rank_one(const std::array<int, 4>& vertices, double k, const StencilVector& g,
                  StencilBlocks& blocks) {
  StencilBlocks::Term term{vertices, k, {}};
  std::copy(g.data(), g.data() + 12, term.g.begin());
  blocks.add(term);
}

// J'Q J of stencil_friction.h (4) as two terms, along the slip and across it, with Q = 2 mu P/q in both: it majorizes
// (4). Where a contact begins to slip or turns back, iterates with (4) itself overshoot: a stack of three boxes took 29
// iterations a step, and 6 so.
// part: of Q.
void add_friction_terms(const std::array<int, 4>& vertices, const Eigen::Vector3d& arm,
                        const StencilFriction& friction, double part, StencilBlocks& blocks) {
  const Eigen::Vector3d n = arm.normalized();
  Eigen::Vector3d along = friction.way - n.dot(friction.way) * n;
  along = along.norm() > 0 ? along.normalized() : n.unitOrthogonal();
  const Eigen::Vector3d across = n.cross(along);
  const double k = part * across.dot(friction.block * across);
  for (const Eigen::Vector3d& axis : {along, across})
    add_rank_one(vertices, k, friction.slip.transpose() * axis, blocks);
}

}  // namespace

ContactForces::ContactForces(ContactCandidates candidates, const ContactLaw& law)
    : candidates_(std::move(candidates)), law_(law) {}

StencilLaw ContactForces::law_of(const ContactStencil& stencil) const {
  return {law_.modulus * stencil.reach * stencil.area, stencil.reach, stencil.parallel};
}

void ContactForces::gather(const ContactStencil& stencil, const Vector& x, StencilPoints& X) const {
  for (int a = 0; a < vertex_count(stencil.kind); ++a)
    X.col(a) = x.segment<3>(3 * Index(stencil.vertices[std::size_t(a)]));
}

void ContactForces::collect(FunctionRef<bool(std::size_t, Active&)> judge) {
  const auto stencils = candidates_.stencils();
  const std::ptrdiff_t tasks = task_count(stencils.size());
  if (found_.size() < std::size_t(tasks)) found_.resize(std::size_t(tasks));
  parallel_for(tasks, [&](std::ptrdiff_t task) {
    std::vector<Active>& found = found_[std::size_t(task)];
    found.clear();
    Active item;
    const std::size_t end = std::min(stencils.size(), std::size_t((task + 1) * kTask));
    for (std::size_t c = std::size_t(task * kTask); c < end; ++c) {
      item.stencil = stencils[c];
      item.law = law_of(stencils[c]);
      if (judge(c, item)) found.push_back(item);
    }
  });
  active_.clear();
  for (std::ptrdiff_t task = 0; task < tasks; ++task)
    active_.insert(active_.end(), found_[std::size_t(task)].begin(), found_[std::size_t(task)].end());
  cancel_signs();
}

// Equal keys within the stencils of one point: the last of them, that of the smallest face, stands for all.
void ContactForces::cancel_signs() {
  std::size_t kept = 0;
  for (std::size_t first = 0, next = 0; first < active_.size(); first = next) {
    next = first + 1;
    if (active_[first].stencil.kind == StencilKind::edge_edge) {
      active_[kept++] = active_[first];
      continue;
    }
    const auto of_this_point = [&](const Active& item) {
      return item.stencil.kind != StencilKind::edge_edge &&
             item.stencil.vertices[0] == active_[first].stencil.vertices[0];
    };
    while (next < active_.size() && of_this_point(active_[next])) ++next;
    const std::size_t count = next - first;
    keys_.assign(count, {-1, -1, -1, -1, -1, -1});
    if (of_step_ && rubs()) {
      // All are chosen before one is changed.
      const std::span<const Active> of_point(&active_[first], count);
      for (std::size_t i = 0; i < count; ++i)
        keys_[i][0] = nearest_carrier(of_point, of_point[i].stencil, candidates_.surface());
      for (std::size_t i = 0; i < count; ++i) active_[first + i].stencil.carrier = keys_[i][0];
    }
    merged_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      const Active& item = active_[first + i];
      put_support(item.stencil, item.start.feet, keys_[i].data());
      if (of_step_) put_support(item.stencil, item.end.feet, keys_[i].data() + 3);
    }
    for (std::size_t i = count; i-- > 0;) {
      if (merged_[i]) continue;
      Active& item = active_[first + i];
      double size = std::abs(item.stencil.area);
      for (std::size_t j = 0; j < i; ++j)
        if (!merged_[j] && keys_[j] == keys_[i]) {
          merged_[j] = 1;
          item.stencil.area += active_[first + j].stencil.area;
          size = std::max(size, std::abs(active_[first + j].stencil.area));
        }
      if (std::abs(item.stencil.area) <= kCancelled * size) merged_[i] = 1;
      item.law = law_of(item.stencil);
    }
    for (std::size_t i = 0; i < count; ++i)
      if (!merged_[i]) active_[kept++] = active_[first + i];
  }
  active_.resize(kept);
}

void ContactForces::look(const Vector& x) {
  of_step_ = false;
  dx_.setZero(x.size());
  candidates_.cover(x, dx_);
  known_.look(candidates_, x, dx_);
  collect([&](std::size_t candidate, Active& item) {
    if (known_.stays_out(item.stencil, candidate)) return false;
    StencilPoints X = StencilPoints::Zero();
    gather(item.stencil, x, X);
    item.E = stencil_edges(item.stencil.kind, X);
    item.start = stencil_shape(item.stencil.kind, item.law, item.E);
    return item.start.x < 1;
  });
}

double ContactForces::energy() const {
  double W = 0;
  for (const Active& item : active_) {
    if (!(item.start.square > 0)) return std::numeric_limits<double>::infinity();
    W += stencil_energy(item.law, item.start);  // (1)
  }
  return W;
}

void ContactForces::add_force(Vector& f) const {
  for (const Active& item : active_)
    scatter(item.stencil.vertices, -stencil_gradient(item.stencil.kind, item.law, item.E, item.start), f);
}

void ContactForces::add_blocks(StencilBlocks& blocks) const {
  for (const Active& item : active_) {
    const double reach2 = item.law.reach * item.law.reach;
    const double k =
        4 * item.law.weight * item.start.factor * barrier_curvature(item.start.x) / (reach2 * reach2);
    if (k > 0)
      add_rank_one(item.stencil.vertices, k, distance_half_gradient(item.start.r, item.start.feet.y), blocks);
  }
}

void ContactForces::add_stiffness_product(const Vector& dx, Vector& y) const {
  for (const Active& item : active_) {
    StencilPoints X = StencilPoints::Zero();
    gather(item.stencil, dx, X);
    const StencilMatrix H =
        stencil_hessian(item.stencil.kind, item.law, item.E, item.start, Definiteness::exact);
    const StencilVector product = H * Eigen::Map<const StencilVector>(X.data());
    scatter(item.stencil.vertices, Eigen::Map<const StencilPoints>(product.data()), y);
  }
}

StencilFriction ContactForces::friction_at(const Active& item, const Vector& x, const Vector& v) const {
  const std::array<int, 4> vertices = friction_vertices(item.stencil);
  StencilPoints X = StencilPoints::Zero(), V = StencilPoints::Zero();
  int count = 0;
  for (; count < 4 && vertices[std::size_t(count)] >= 0; ++count) {
    X.col(count) = x.segment<3>(3 * Index(vertices[std::size_t(count)]));
    V.col(count) = v.segment<3>(3 * Index(vertices[std::size_t(count)]));
  }
  const double pressure = -2 * item.law.weight * item.start.factor * barrier_slope(item.start.x) *
                          item.start.r.norm() / (item.law.reach * item.law.reach);
  Eigen::Vector4d feet;
  find_feet_among(item.stencil.vertices, item.start.feet.y, vertices, feet);  // its own carrier has them all
  return stencil_friction(law_.friction, count, X, V, feet, item.start.r, pressure, 1);
}

void ContactForces::add_friction(const Vector& x, const Vector& v, Vector& f) const {
  if (!rubs()) return;
  for (const Active& item : active_)
    if (item.start.square > 0) scatter(friction_vertices(item.stencil), friction_at(item, x, v).force, f);
}

// Q of a step is -2 df/dX of friction: half of it here.
void ContactForces::add_friction_blocks(const Vector& x, const Vector& v, StencilBlocks& blocks) const {
  if (!rubs()) return;
  for (const Active& item : active_) {
    if (!(item.start.square > 0) || !(item.law.weight > 0)) continue;
    add_friction_terms(friction_vertices(item.stencil), item.start.r, friction_at(item, x, v), 0.5, blocks);
  }
}

void ContactForces::begin(const Vector& x, double h) {
  x_ = &x;
  h_ = h;
  dx_.setZero(x.size());
  candidates_.cover(x, dx_);
  remember_start();
  // Two vertices that each change by c in every coordinate come nearer by 2 sqrt(3) c at most.
  room_ = candidates_.room(x);
  const auto stencils = candidates_.stencils();
  for (std::size_t c = 0; c < stencils.size() && room_ > 0; ++c)
    room_ = std::min(room_, kPartOfWay * (start_distance_[c] - stencils[c].reach));
  room_ = std::max(room_, 0.);
}

// The end of a step is the start of the next one: distances are known there, unless the stencils are new.
void ContactForces::remember_start() {
  const bool known = candidates_.searches() == start_search_;
  start_search_ = candidates_.searches();
  const auto stencils = candidates_.stencils();
  start_distance_.resize(stencils.size());
  if (known) {
    nowhere_.setZero(x_->size());
    known_.look(candidates_, *x_, nowhere_);
  }
  parallel_for(task_count(stencils.size()), [&](std::ptrdiff_t task) {
    const std::size_t end = std::min(stencils.size(), std::size_t((task + 1) * kTask));
    for (std::size_t c = std::size_t(task * kTask); c < end; ++c) {
      if (known) start_distance_[c] = known_.bound(stencils[c], c);
      if (known && start_distance_[c] > stencils[c].reach) continue;
      StencilPoints X = StencilPoints::Zero();
      gather(stencils[c], *x_, X);
      const Eigen::Matrix3d E = stencil_edges(stencils[c].kind, X);
      start_distance_[c] = (E * nearest_feet<3>(stencils[c].kind, E).z).norm();
    }
  });
}

bool ContactForces::step_within_room(const Vector& dx) {
  if (!(room_ > 0) || !within(dx, room_)) return false;
  of_step_ = true;
  active_.clear();
  steps_.clear();
  frictions_.clear();
  return true;
}

void ContactForces::step(const Vector& dx) {
  if (step_within_room(dx)) return;
  of_step_ = true;
  dx_ = dx;
  candidates_.cover(*x_, dx_);
  if (candidates_.searches() != start_search_) remember_start();
  end_ = *x_ + dx_;
  nowhere_.setZero(dx_.size());
  known_.look(candidates_, end_, nowhere_);
  collect([&](std::size_t candidate, Active& item) {
    // No distance is computed for what cannot have come within reach.
    if (start_distance_[candidate] >= item.law.reach && known_.stays_out(item.stencil, candidate))
      return false;
    StencilPoints X = StencilPoints::Zero();
    gather(item.stencil, *x_, X);
    item.E = stencil_edges(item.stencil.kind, X);
    gather(item.stencil, dx_, X);
    item.dE = stencil_edges(item.stencil.kind, X);
    item.end = stencil_shape(item.stencil.kind, item.law, item.E + item.dE);
    if (item.end.x >= 1 && start_distance_[candidate] >= item.law.reach) return false;
    item.start = stencil_shape(item.stencil.kind, item.law, item.E);
    return true;
  });
  steps_.resize(active_.size());
  frictions_.resize(rubs() ? active_.size() : 0);
  parallel_for(static_cast<std::ptrdiff_t>(active_.size()), [&](std::ptrdiff_t i) {
    const Active& item = active_[std::size_t(i)];
    StencilStep& made = steps_[std::size_t(i)];
    made = stencil_step(item.stencil.kind, item.law, item.E, item.dE, item.start, item.end, law_.rest, h_);
    if (rubs()) frictions_[std::size_t(i)] = friction_of(item, made);
  });
}

// The point and the carrier where there is one (stencil_friction.h).
std::array<int, 4> ContactForces::friction_vertices(const ContactStencil& stencil) const {
  if (stencil.kind == StencilKind::edge_edge || stencil.carrier < 0) return stencil.vertices;
  const auto& [a, b, c] = candidates_.surface().triangles[std::size_t(stencil.carrier)].vertices;
  return {stencil.vertices[0], a, b, c};
}

StencilFriction ContactForces::friction_of(const Active& item, const StencilStep& made) const {
  if (!(made.pressure > 0)) return {};
  const std::array<int, 4> vertices = friction_vertices(item.stencil);
  StencilPoints middle = StencilPoints::Zero(), dX = StencilPoints::Zero();
  int count = 0;
  for (; count < 4 && vertices[std::size_t(count)] >= 0; ++count) {
    const Index v = 3 * Index(vertices[std::size_t(count)]);
    dX.col(count) = dx_.segment<3>(v);
    middle.col(count) = x_->segment<3>(v) + 0.5 * dX.col(count);
  }
  Eigen::Vector4d feet;
  if (!find_feet_among(item.stencil.vertices, made.feet, vertices, feet))
    feet = feet_on_plane(middle, middle.col(0) - made.arm);
  return stencil_friction(law_.friction, count, middle, dX, feet, made.arm,
                          std::copysign(made.pressure, item.law.weight), h_);
}

void ContactForces::add_step_force(Vector& f) const {
  for (std::size_t i = 0; i < active_.size(); ++i) {
    scatter(active_[i].stencil.vertices, steps_[i].force, f);
    if (!frictions_.empty()) scatter(friction_vertices(active_[i].stencil), frictions_[i].force, f);
  }
}

ContactWork ContactForces::step_work() const {
  ContactWork work;
  for (const StencilStep& made : steps_) {
    work.energy_change += made.energy_change;
    work.dial += made.taken;
  }
  for (const StencilFriction& friction : frictions_) work.friction += friction.taken;
  return work;
}

void ContactForces::add_step_blocks(StencilBlocks& blocks) const {
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (steps_[i].stiffness > 0)
      add_rank_one(active_[i].stencil.vertices, steps_[i].stiffness, steps_[i].gradient(), blocks);
    if (!frictions_.empty() && frictions_[i].taken > 0)
      add_friction_terms(friction_vertices(active_[i].stencil), steps_[i].arm, frictions_[i], 1, blocks);
  }
}

double ContactForces::free_way(const Vector& x, const Vector& dx) {
  candidates_.cover(x, dx);
  const auto stencils = candidates_.stencils();
  known_.look(candidates_, x, dx);
  free_.resize(std::size_t(task_count(stencils.size())));
  parallel_for(static_cast<std::ptrdiff_t>(free_.size()), [&](std::ptrdiff_t task) {
    double& part = free_[std::size_t(task)];
    part = 1;
    const std::size_t end = std::min(stencils.size(), std::size_t((task + 1) * kTask));
    for (std::size_t c = std::size_t(task * kTask); c < end; ++c) {
      const ContactStencil& stencil = stencils[c];
      // Edges and corners of triangles are never nearer than the triangles.
      if (vertex_count(stencil.kind) < 4 && stencil.carrier >= 0) continue;
      if (known_.stays_out(stencil, c, kMargin * kNear * kGap)) continue;  // and is never stopped
      StencilPoints X = StencilPoints::Zero(), dX = StencilPoints::Zero();
      gather(stencil, x, X);
      gather(stencil, dx, dX);
      part = phiflex::free_way(stencil.kind, X, dX, stencil.reach, {.limit = part});
    }
  });
  return free_.empty() ? 1 : *std::min_element(free_.begin(), free_.end());
}

void ContactForces::limit_ways(const Vector& x, const Vector& dx, std::vector<double>& part) {
  candidates_.cover(x, dx);
  const auto stencils = candidates_.stencils();
  known_.look(candidates_, x, dx);
  free_.assign(stencils.size(), 1);
  parallel_for(task_count(stencils.size()), [&](std::ptrdiff_t task) {
    const std::size_t end = std::min(stencils.size(), std::size_t((task + 1) * kTask));
    for (std::size_t c = std::size_t(task * kTask); c < end; ++c) {
      const ContactStencil& stencil = stencils[c];
      if (vertex_count(stencil.kind) < 4 && stencil.carrier >= 0) continue;
      if (known_.stays_out(stencil, c, kMargin * kNear * kHeld)) continue;
      StencilPoints X = StencilPoints::Zero(), dX = StencilPoints::Zero();
      gather(stencil, x, X);
      gather(stencil, dx, dX);
      free_[c] = phiflex::free_way(stencil.kind, X, dX, stencil.reach, {.gap = kHeld});
    }
  });
  for (std::size_t c = 0; c < stencils.size(); ++c)
    if (free_[c] < 1)
      for (int a = 0; a < vertex_count(stencils[c].kind); ++a) {
        double& of_vertex = part[std::size_t(stencils[c].vertices[std::size_t(a)])];
        of_vertex = std::min(of_vertex, free_[c]);
      }
}

double ContactForces::approach_rate(const Vector& x, const Vector& v, double h) {
  dx_ = h * v;
  candidates_.cover(x, dx_);
  const auto stencils = candidates_.stencils();
  known_.look(candidates_, x, dx_);
  free_.resize(std::size_t(task_count(stencils.size())));
  parallel_for(static_cast<std::ptrdiff_t>(free_.size()), [&](std::ptrdiff_t task) {
    double& rate = free_[std::size_t(task)];
    rate = 0;
    const std::size_t end = std::min(stencils.size(), std::size_t((task + 1) * kTask));
    for (std::size_t c = std::size_t(task * kTask); c < end; ++c) {
      const ContactStencil& stencil = stencils[c];
      if (vertex_count(stencil.kind) < 4 && stencil.carrier >= 0) continue;
      if (known_.stays_out(stencil, c)) continue;
      StencilPoints X = StencilPoints::Zero(), V = StencilPoints::Zero();
      gather(stencil, x, X);
      gather(stencil, v, V);
      const Eigen::Matrix3d E = stencil_edges(stencil.kind, X);
      const Feet feet = nearest_feet<3>(stencil.kind, E);
      const Eigen::Vector3d r = E * feet.z;
      const double d = r.norm();
      if (!(d > 0)) continue;
      const double speed = -r.dot(V * feet.y) / d;
      if (speed > 0 && d - h * speed < stencil.reach) rate = std::max(rate, speed / stencil.reach);
    }
  });
  return free_.empty() ? 0 : *std::max_element(free_.begin(), free_.end());
}

const ContactStencil* ContactForces::touching() const {
  for (const Active& item : active_)
    if (!((of_step_ ? item.end : item.start).square > 0)) return &item.stencil;
  return nullptr;
}

double ContactForces::nearest() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Active& item : active_) least = std::min(least, of_step_ ? item.end.x : item.start.x);
  return std::sqrt(least);
}

}  // namespace phiflex

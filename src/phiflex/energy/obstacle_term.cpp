#include "phiflex/energy/obstacle_term.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/contact/free_way.h"
#include "phiflex/energy/limits_ways.h"
#include "phiflex/energy/own_coordinates.h"
#include "phiflex/energy/two_state_term.h"
#include "phiflex/linalg/small_symmetric.h"

namespace phiflex {
namespace {

constexpr double kPartOfDistance = 0.577;  // below 1/sqrt(3)
constexpr double kPartOfRoom = 0.5;        // what must be left of a room that is kept

auto at(const Vector& x, int vertex) {
  return x.segment<3>(3 * Index(vertex));
}
auto at(Vector& x, int vertex) {
  return x.segment<3>(3 * Index(vertex));
}

// The free vertices that meet the obstacle, by their numbers in its list, their rows and their diagonal blocks.
struct Places {
  std::vector<std::size_t> items;
  std::vector<int> rows, blocks;
  Places(const std::vector<int>& all, const FreeVertices& free, const SparsityPattern& pattern) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (const int row = free.row_of_vertex[std::size_t(all[i])]; row >= 0) {
        items.push_back(i);
        rows.push_back(row);
        blocks.push_back(pattern.diagonal(row));
      }
  }
};

void add_block_to(const Eigen::Matrix3d& A, double* block) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block[3 * i + j] += A(i, j);
}

StencilBlocks::Term rank_one(int row, double k, const Eigen::Vector3d& a) {
  return {{row, -1, -1, -1}, k, {a[0], a[1], a[2], 0, 0, 0, 0, 0, 0, 0, 0, 0}};
}

class ObstacleAssembler final : public StiffnessAssembler {
 public:
  ObstacleAssembler(const ObstacleTerm& term, Places places) : term_(term), places_(std::move(places)) {}

  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    if (term_.has_blocks()) return 0;
    for (std::size_t n = 0; n < places_.items.size(); ++n) {
      const std::size_t i = places_.items[n];
      const Eigen::Matrix3d A = term_.block(i, at(x, term_.vertices()[i]), definiteness);
      add_block_to(A, K.block(places_.blocks[n]));
    }
    return 0;
  }

 private:
  const ObstacleTerm& term_;
  Places places_;
};

// The part of the way x + t dx of vertex i on which it stays `gap` of its distance, or of the reach, away.
double way_of(const ObstacleTerm& term, std::size_t i, const Eigen::Vector3d& x, const Eigen::Vector3d& dx,
              const WaySettings& settings) {
  const SolidShape& shape = term.shape();
  SurfaceDistance near = shape.at(x);
  double e = term.skin_distance(i, near.distance), t = 0;
  if (!(e > 0)) return 0;
  const double gap = settings.gap * std::min(e, term.law().reach), length = dx.norm();
  constexpr int most = 200;  // certificates; each is a free way by itself
  for (int n = 0; n < most; ++n) {
    const double speed = shape.is_convex() ? -near.normal.dot(dx) : length;
    if (!(speed > 0)) return settings.limit;
    t += (e - gap) / speed;
    if (t >= settings.limit) return settings.limit;
    near = shape.at(x + t * dx);
    e = term.skin_distance(i, near.distance);
    if (e <= 1.25 * gap) return t;
  }
  return t;
}

class ObstacleTwoState final : public TwoStateTerm, public LimitsWays {
 public:
  ObstacleTwoState(const ObstacleTerm& term, Places places)
      : term_(term),
        places_(std::move(places)),
        e_(term.vertices().size()),
        clear_at_(3 * Index(term.vertices().size())),
        pushes_(term.vertices().size()),
        latest_(clear_at_.size()) {}

  void begin(const Vector& x, const StepDamping& damping) override {
    x_ = &x;
    h_ = damping.h;
    known_ = has_start_ = false;
    if (const double left = clear_ > 0 ? clear_ - change_of_clear(x) : 0; left > kPartOfRoom * clear_) {
      room_ = left;
      return;
    }
    find_start();
    // A change of c in every coordinate is one of sqrt(3) c at most, of the distance, too.
    room_ = term_.has_blocks() ? std::numeric_limits<double>::max() : 0;
    for (const double e : e_) room_ = std::min(room_, kPartOfDistance * (e - term_.law().reach));
    if (!(room_ > 0)) room_ = 0;
    clear_ = room_;
    take_own(term_.vertices(), x, clear_at_);
  }
  double room() const override { return room_; }
  void limit_ways(const Vector& from, const Vector& dx, std::vector<double>& part) override {
    if (!term_.has_blocks()) return;
    for (const std::size_t i : places_.items) {
      const int vertex = term_.vertices()[i];
      double& of_vertex = part[std::size_t(vertex)];
      of_vertex = way_of(term_, i, at(*x_, vertex) + at(from, vertex), at(dx, vertex),
                         {.limit = of_vertex, .gap = kHeld});
    }
  }

  void add_force(const Vector& dx, Vector& f) override {
    go(dx);
    if (!active_) return;
    for (std::size_t i = 0; i < pushes_.size(); ++i)
      if (pushes_[i].active()) at(f, term_.vertices()[i]) += pushes_[i].force();  // (4), (6)
  }

  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    if (term_.has_blocks()) return;
    go(dx);
    for (std::size_t n = 0; n < places_.items.size(); ++n)
      if (const ObstaclePush& push = pushes_[places_.items[n]]; push.active())
        add_block_to(push.tangent(definiteness), K.block(places_.blocks[n]));  // (5), (7)
  }

  void add_blocks(StencilBlocks& blocks) const override {
    if (!term_.has_blocks() || !active_) return;
    for (std::size_t n = 0; n < places_.items.size(); ++n)
      if (const ObstaclePush& push = pushes_[places_.items[n]]; push.active())
        push.add_blocks(Eigen::Matrix3d::Identity(), places_.rows[n], blocks);
  }

  double dissipated(const Vector& dx) override {
    go(dx);
    double taken = 0;
    if (!active_) return taken;
    for (const ObstaclePush& push : pushes_) taken += push.chord.taken;
    return taken;
  }
  double friction(const Vector& dx) override {
    go(dx);
    double taken = 0;
    if (!active_) return taken;
    for (const ObstaclePush& push : pushes_) taken += push.friction();
    return taken;
  }
  bool turns_bodies() const override { return active_; }

  double approach_rate(const Vector& x, const Vector& v, double h) override {
    if (!term_.has_blocks()) return 0;
    if (clear_ > 0 && own_within(term_.vertices(), v, (clear_ - change_of_clear(x)) / h)) return 0;
    const double reach = term_.law().reach;
    double rate = 0;
    for (const std::size_t i : places_.items) {
      const int vertex = term_.vertices()[i];
      const SurfaceDistance near = term_.shape().at(at(x, vertex));
      const double speed = -near.normal.dot(at(v, vertex));
      if (term_.skin_distance(i, near.distance) - h * speed < reach) rate = std::max(rate, speed / reach);
    }
    return rate;
  }

 private:
  void find_start() {
    for (std::size_t i = 0; i < e_.size(); ++i) e_[i] = term_.skin_distance(i, at(*x_, term_.vertices()[i]));
    has_start_ = true;
  }
  double change_of_clear(const Vector& x) const { return largest_own_change(term_.vertices(), x, clear_at_); }

  void go(const Vector& dx) {
    if (room_ > 0 && own_within(term_.vertices(), dx, room_)) {
      active_ = known_ = false;  // pushes_ are not looked at
      return;
    }
    if (known_ && is_own(term_.vertices(), dx, latest_)) return;
    if (!has_start_) find_start();
    active_ = false;
    for (std::size_t i = 0; i < pushes_.size(); ++i) {
      const int vertex = term_.vertices()[i];
      pushes_[i] = term_.push(i, e_[i], at(*x_, vertex), at(dx, vertex), h_);
      active_ = active_ || pushes_[i].active();
    }
    take_own(term_.vertices(), dx, latest_);
    known_ = true;
  }

  const ObstacleTerm& term_;
  Places places_;
  const Vector* x_ = nullptr;
  double h_ = 1;
  std::vector<double> e_;  // at the start of the step, if has_start_
  bool has_start_ = false;
  double room_ = 0;  // m
  // Nothing is within reach as long as no coordinate of its vertices changes from clear_at_ by more than clear_, m;
  // 0: not known.
  double clear_ = 0;
  Vector clear_at_;                   // of these vertices alone, as latest_
  std::vector<ObstaclePush> pushes_;  // of latest_
  bool active_ = false;
  Vector latest_;       // of the dx of the latest force
  bool known_ = false;  // there is one
};

}  // namespace

ObstacleTerm::ObstacleTerm(std::shared_ptr<const SolidShape> shape, std::vector<int> vertices,
                           const ObstacleLaw& law, std::vector<double> weights, std::vector<double> lowered)
    : shape_(std::move(shape)),
      vertices_(std::move(vertices)),
      law_(law),
      weights_(std::move(weights)),
      lowered_(std::move(lowered)) {}

ObstacleTerm::ObstacleTerm(std::shared_ptr<const SolidShape> shape, std::vector<int> vertices,
                           double thickness, double stiffness)
    : shape_(std::move(shape)),
      vertices_(std::move(vertices)),
      law_{.thickness = thickness},
      weights_(vertices_.size(), stiffness),
      lowered_(vertices_.size(), 0.0) {}

std::shared_ptr<ObstacleTerm> ObstacleTerm::restricted_to(FunctionRef<int(int)> number) const {
  std::vector<int> vertices;
  std::vector<double> weights, lowered;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if (const int vertex = number(vertices_[i]); vertex >= 0) {
      vertices.push_back(vertex);
      weights.push_back(weights_[i]);
      lowered.push_back(lowered_[i]);
    }
  return std::make_shared<ObstacleTerm>(shape_, std::move(vertices), law_, std::move(weights),
                                        std::move(lowered));
}

Eigen::Matrix3d ObstaclePush::tangent(Definiteness definiteness) const {
  const Eigen::Matrix3d bent = -chord.force * curvature;
  Eigen::Matrix3d A = chord.slope * g * g.transpose() +
                      (definiteness == Definiteness::projected ? positive_part(bent) : bent);  // (5)
  if (grip > 0) {
    const Eigen::Vector3d n = g.normalized();
    A += 2 * grip *
         (Eigen::Matrix3d::Identity() - n * n.transpose() - slip * slip.transpose() / (q * q));  // (7)
  }
  return A;
}

void ObstaclePush::add_blocks(const Eigen::Matrix3d& R, int row, StencilBlocks& blocks) const {
  blocks.add(rank_one(row, chord.slope, R * g));
  if (!(grip > 0)) return;
  const double length = slip.norm();
  const Eigen::Vector3d n = g.normalized(),
                        along = length > 0 ? Eigen::Vector3d(slip / length) : n.unitOrthogonal();
  blocks.add(rank_one(row, 2 * grip, R * along));
  blocks.add(rank_one(row, 2 * grip, R * n.cross(along)));
}

double ObstacleTerm::energy_of(std::size_t i, const Eigen::Vector3d& x) const {
  return obstacle_law::energy(law_, weights_[i], skin_distance(i, x));  // (1)
}

Eigen::Vector3d ObstacleTerm::force_on(std::size_t i, const Eigen::Vector3d& x) const {
  const SurfaceDistance near = shape_->at(x);
  const double e = skin_distance(i, near.distance);
  if (!obstacle_law::touches(law_, e)) return Eigen::Vector3d::Zero();
  return obstacle_law::pressure(law_, weights_[i], e) * near.normal;  // (1)
}

ObstaclePush ObstacleTerm::push(std::size_t i, double e, const Eigen::Vector3d& x, const Eigen::Vector3d& dx,
                                double h) const {
  const double e_next = skin_distance(i, x + dx);
  ObstaclePush push;
  push.chord = obstacle_law::chord(law_, weights_[i], e, e_next, h);
  if (!push.active()) return push;
  const SurfaceDistance middle = shape_->at(x + 0.5 * dx);
  push.g = middle.normal;
  push.curvature = middle.curvature;
  if (const double square = dx.squaredNorm(); square > 0)
    push.g += dx * ((e_next - e - middle.normal.dot(dx)) / square);  // (3)
  const double size = push.g.norm();
  if (law_.friction.coefficient == 0 || !(size > 0)) return push;
  push.slip = dx - push.g * (push.g.dot(dx) / (size * size));
  push.q = std::hypot(push.slip.norm(), h * law_.friction.slip_speed);
  push.grip = law_.friction.coefficient * push.chord.force * size / push.q;  // (6)
  return push;
}

double ObstacleTerm::energy(const Vector& x) const {
  double W = 0;
  for (std::size_t i = 0; i < vertices_.size(); ++i) W += energy_of(i, at(x, vertices_[i]));
  return W;
}

void ObstacleTerm::add_force(const Vector& x, Vector& f) const {
  for (std::size_t i = 0; i < vertices_.size(); ++i) at(f, vertices_[i]) += force_on(i, at(x, vertices_[i]));
}

void ObstacleTerm::add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const {
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    at(y, vertices_[i]) += block(i, at(x, vertices_[i]), Definiteness::exact) * at(dx, vertices_[i]);
}

Eigen::Matrix3d ObstacleTerm::block(std::size_t i, const Eigen::Vector3d& x,
                                    Definiteness definiteness) const {
  const SurfaceDistance near = shape_->at(x);
  const double e = skin_distance(i, near.distance);
  if (!obstacle_law::touches(law_, e)) return Eigen::Matrix3d::Zero();
  const Eigen::Matrix3d bent = -obstacle_law::pressure(law_, weights_[i], e) * near.curvature;
  return obstacle_law::stiffness(law_, weights_[i], e) * near.normal * near.normal.transpose() +
         (definiteness == Definiteness::projected ? positive_part(bent) : bent);  // (1), (2)
}

void ObstacleTerm::add_block(std::size_t i, const Eigen::Vector3d& x, const Eigen::Matrix3d& R, int row,
                             StencilBlocks& blocks) const {
  const SurfaceDistance near = shape_->at(x);
  const double e = skin_distance(i, near.distance);
  if (obstacle_law::touches(law_, e))
    blocks.add(rank_one(row, obstacle_law::stiffness(law_, weights_[i], e), R * near.normal));
}

void ObstacleTerm::add_blocks(const Vector& x, const FreeVertices& free, StencilBlocks& blocks) const {
  if (!has_blocks()) return;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if (const int row = free.row_of_vertex[std::size_t(vertices_[i])]; row >= 0)
      add_block(i, at(x, vertices_[i]), Eigen::Matrix3d::Identity(), row, blocks);
}

void ObstacleTerm::add_untouched_stiffness(Vector& k) const {
  if (has_blocks()) return;
  for (std::size_t i = 0; i < vertices_.size(); ++i) k[vertices_[i]] += weights_[i];
}

double ObstacleTerm::free_way_of(std::size_t i, const Eigen::Vector3d& x, const Eigen::Vector3d& dx,
                                 double limit) const {
  return way_of(*this, i, x, dx, {.limit = limit});
}

double ObstacleTerm::free_way(const Vector& x, const Vector& dx) const {
  double part = 1;
  if (!has_blocks()) return part;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    part = std::min(part, free_way_of(i, at(x, vertices_[i]), at(dx, vertices_[i]), part));
  return part;
}

std::string ObstacleTerm::diagnose(const Vector& x) const {
  if (!has_blocks() || !x.allFinite()) return {};
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if (const double e = skin_distance(i, at(x, vertices_[i])); !(e > 0))
      return fmt::format("vertex {} of the model is inside an obstacle, {:.3g} m deep", vertices_[i], -e);
  return {};
}

std::unique_ptr<StiffnessAssembler> ObstacleTerm::make_assembler(const FreeVertices& free,
                                                                 const SparsityPattern& pattern) const {
  return std::make_unique<ObstacleAssembler>(*this, Places(vertices_, free, pattern));
}

std::unique_ptr<TwoStateTerm> ObstacleTerm::make_two_state(const FreeVertices& free,
                                                           const SparsityPattern& pattern) const {
  return std::make_unique<ObstacleTwoState>(*this, Places(vertices_, free, pattern));
}

}  // namespace phiflex

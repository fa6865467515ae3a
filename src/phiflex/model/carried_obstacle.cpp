#include "phiflex/model/carried_obstacle.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "phiflex/energy/own_coordinates.h"

namespace phiflex {
namespace {

auto at(const Vector& x, int vertex) {
  return x.segment<3>(3 * Index(vertex));
}
auto at(Vector& x, int vertex) {
  return x.segment<3>(3 * Index(vertex));
}

void add_block(const Eigen::Matrix3d& A, double* block) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block[3 * i + j] += A(i, j);
}

}  // namespace

double CarriedObstacle::energy(double t, const Vector& x) const {
  const Path::Pose pose = path_.pose(t);
  const std::vector<int>& vertices = term_->vertices();
  double W = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    W += term_->energy_of(i, pose.start_of(at(x, vertices[i])));
  return W;
}

void CarriedObstacle::add_force(double t, const Vector& x, Vector& f) const {
  const Path::Pose pose = path_.pose(t);
  const std::vector<int>& vertices = term_->vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i)
    at(f, vertices[i]) += pose.R * term_->force_on(i, pose.start_of(at(x, vertices[i])));  // (1)
}

void CarriedObstacle::add_force_rate(double t, const Vector& x, Vector& g) const {
  const Path::Pose pose = path_.pose(t);
  const Path::Twist twist = path_.twist(t);
  const std::vector<int>& vertices = term_->vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Eigen::Vector3d y = pose.start_of(at(x, vertices[i]));
    const Eigen::Vector3d f = pose.R * term_->force_on(i, y);
    if (f.isZero(0)) continue;
    const Eigen::Vector3d u = pose.R.transpose() * twist.at(at(x, vertices[i]));
    at(g, vertices[i]) +=
        twist.angular.cross(f) + pose.R * (term_->block(i, y, Definiteness::exact) * u);  // (3)
  }
}

void CarriedObstacle::add_stiffness_product(double t, const Vector& x, const Vector& dx, Vector& y) const {
  const Path::Pose pose = path_.pose(t);
  const std::vector<int>& vertices = term_->vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Eigen::Matrix3d K0 = term_->block(i, pose.start_of(at(x, vertices[i])), Definiteness::exact);
    at(y, vertices[i]) += pose.R * (K0 * (pose.R.transpose() * at(dx, vertices[i])));
  }
}

void CarriedObstacle::add_stiffness(double t, const Vector& x, const FreeVertices& free,
                                    Definiteness definiteness, SparseMatrix& K) const {
  if (has_blocks()) return;
  const Path::Pose pose = path_.pose(t);
  const std::vector<int>& vertices = term_->vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const int row = free.row_of_vertex[std::size_t(vertices[i])];
    if (row < 0) continue;
    const Eigen::Matrix3d K0 = term_->block(i, pose.start_of(at(x, vertices[i])), definiteness);
    if (K0.isZero(0)) continue;
    add_block(pose.R * K0 * pose.R.transpose(), K.block(K.pattern().diagonal(row)));  // (1)
  }
}

void CarriedObstacle::add_blocks(double t, const Vector& x, const FreeVertices& free,
                                 StencilBlocks& blocks) const {
  if (!has_blocks()) return;
  const Path::Pose pose = path_.pose(t);
  const std::vector<int>& vertices = term_->vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (const int row = free.row_of_vertex[std::size_t(vertices[i])]; row >= 0)
      term_->add_block(i, pose.start_of(at(x, vertices[i])), pose.R, row, blocks);
}

double CarriedObstacle::free_way(double t, const Vector& x, double t_next, const Vector& dx) const {
  double part = 1;
  if (!has_blocks()) return part;
  const Path::Pose now = path_.pose(t), next = path_.pose(t_next);
  for (std::size_t i = 0; i < term_->vertices().size(); ++i) {
    const int vertex = term_->vertices()[i];
    const Eigen::Vector3d y = now.start_of(at(x, vertex)),
                          dy = next.start_of(at(x, vertex) + at(dx, vertex)) - y;
    part = std::min(part, term_->free_way_of(i, y, dy, part));
  }
  return part;
}

double CarriedObstacle::power(double t, const Vector& x, Side side) const {
  const Path::Pose pose = path_.pose(t);
  const Path::Twist twist = path_.twist(t, side);
  const std::vector<int>& vertices = term_->vertices();
  double power = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Eigen::Vector3d f = pose.R * term_->force_on(i, pose.start_of(at(x, vertices[i])));
    power += f.dot(twist.at(at(x, vertices[i])));  // (2)
  }
  return power;
}

CarriedTwoState::CarriedTwoState(const CarriedObstacle& obstacle, const FreeVertices& free,
                                 const SparsityPattern& pattern)
    : obstacle_(obstacle), pushes_(obstacle.term().vertices().size()), latest_(3 * Index(pushes_.size())) {
  const std::vector<int>& vertices = obstacle.term().vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (const int row = free.row_of_vertex[std::size_t(vertices[i])]; row >= 0) {
      items_.push_back(i);
      rows_.push_back(row);
      blocks_.push_back(pattern.diagonal(row));
    }
}

void CarriedTwoState::begin(double t, double h, const Vector& x) {
  x_ = &x;
  h_ = h;
  now_ = obstacle_.path().pose(t);
  middle_ = obstacle_.path().pose(t + 0.5 * h);
  next_ = obstacle_.path().pose(t + h);
  known_ = false;
}

void CarriedTwoState::go(const Vector& dx) {
  const ObstacleTerm& term = obstacle_.term();
  if (known_ && is_own(term.vertices(), dx, latest_)) return;
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    const int vertex = term.vertices()[i];
    const Eigen::Vector3d x = at(*x_, vertex), y = now_.start_of(x);
    pushes_[i] = term.push(i, term.skin_distance(i, y), y, next_.start_of(x + at(dx, vertex)) - y, h_);
  }
  take_own(term.vertices(), dx, latest_);  // a scene has one of these for each body and obstacle
  known_ = true;
}

void CarriedTwoState::add_force(const Vector& dx, Vector& f) {
  go(dx);
  for (std::size_t i = 0; i < pushes_.size(); ++i)
    if (pushes_[i].active()) at(f, obstacle_.term().vertices()[i]) += middle_.R * pushes_[i].force();  // (4)
}

void CarriedTwoState::add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) {
  if (obstacle_.has_blocks()) return;
  go(dx);
  for (std::size_t n = 0; n < items_.size(); ++n)
    if (const ObstaclePush& push = pushes_[items_[n]]; push.active())
      add_block(middle_.R * push.tangent(definiteness) * middle_.R.transpose(), K.block(blocks_[n]));
}

void CarriedTwoState::add_blocks(StencilBlocks& blocks) const {
  if (!obstacle_.has_blocks()) return;
  for (std::size_t n = 0; n < items_.size(); ++n)
    if (const ObstaclePush& push = pushes_[items_[n]]; push.active())
      push.add_blocks(middle_.R, rows_[n], blocks);
}

double CarriedTwoState::approach_rate(double t, const Vector& x, const Vector& v, double h) const {
  const ObstacleTerm& term = obstacle_.term();
  double rate = 0;
  if (!obstacle_.has_blocks()) return rate;
  const Path::Pose pose = obstacle_.path().pose(t);
  const Path::Twist twist = obstacle_.path().twist(t);
  const double reach = term.law().reach;
  for (const std::size_t i : items_) {
    const int vertex = term.vertices()[i];
    const SurfaceDistance near = term.shape().at(pose.start_of(at(x, vertex)));
    const double speed = (pose.R * near.normal).dot(twist.at(at(x, vertex)) - at(v, vertex));
    if (term.skin_distance(i, near.distance) - h * speed < reach) rate = std::max(rate, speed / reach);
  }
  return rate;
}

double CarriedTwoState::friction(const Vector& dx) {
  go(dx);
  double taken = 0;
  for (const ObstaclePush& push : pushes_) taken += push.friction();
  return taken;
}

double CarriedTwoState::dissipated(const Vector& dx) {
  go(dx);
  double taken = 0;
  for (const ObstaclePush& push : pushes_) taken += push.chord.taken;
  return taken;
}

double CarriedTwoState::work(const Vector& dx) {
  go(dx);
  const ObstacleTerm& term = obstacle_.term();
  double work = 0;
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    if (!pushes_[i].active()) continue;
    const Eigen::Vector3d x = at(*x_, term.vertices()[i]), d = at(dx, term.vertices()[i]);
    work += (middle_.R * pushes_[i].force()).dot(d) + term.energy_of(i, next_.start_of(x + d)) -
            term.energy_of(i, now_.start_of(x)) + pushes_[i].friction() + pushes_[i].chord.taken;  // (5)
  }
  return work;
}

}  // namespace phiflex

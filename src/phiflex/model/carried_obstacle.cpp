#include "phiflex/model/carried_obstacle.h"

#include <Eigen/Geometry>
#include <algorithm>

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
  double W = 0;
  for (const int vertex : term_->vertices()) W += term_->energy_of(pose.start_of(at(x, vertex)));
  return W;
}

void CarriedObstacle::add_force(double t, const Vector& x, Vector& f) const {
  const Path::Pose pose = path_.pose(t);
  for (const int vertex : term_->vertices())
    at(f, vertex) += pose.R * term_->force_on(pose.start_of(at(x, vertex)));  // (1)
}

void CarriedObstacle::add_force_rate(double t, const Vector& x, Vector& g) const {
  const Path::Pose pose = path_.pose(t);
  const Path::Twist twist = path_.twist(t);
  for (const int vertex : term_->vertices()) {
    const Eigen::Vector3d y = pose.start_of(at(x, vertex));
    const Eigen::Vector3d f = pose.R * term_->force_on(y);
    if (f.isZero(0)) continue;
    const Eigen::Vector3d u = pose.R.transpose() * twist.at(at(x, vertex));
    at(g, vertex) += twist.angular.cross(f) + pose.R * (term_->block(y, Definiteness::exact) * u);  // (3)
  }
}

void CarriedObstacle::add_stiffness_product(double t, const Vector& x, const Vector& dx, Vector& y) const {
  const Path::Pose pose = path_.pose(t);
  for (const int vertex : term_->vertices()) {
    const Eigen::Matrix3d K0 = term_->block(pose.start_of(at(x, vertex)), Definiteness::exact);
    at(y, vertex) += pose.R * (K0 * (pose.R.transpose() * at(dx, vertex)));
  }
}

void CarriedObstacle::add_stiffness(double t, const Vector& x, const FreeVertices& free,
                                    Definiteness definiteness, SparseMatrix& K) const {
  const Path::Pose pose = path_.pose(t);
  for (const int vertex : term_->vertices()) {
    const int row = free.row_of_vertex[vertex];
    if (row < 0) continue;
    const Eigen::Matrix3d K0 = term_->block(pose.start_of(at(x, vertex)), definiteness);
    if (K0.isZero(0)) continue;
    add_block(pose.R * K0 * pose.R.transpose(), K.block(K.pattern().diagonal(row)));  // (1)
  }
}

double CarriedObstacle::power(double t, const Vector& x, Side side) const {
  const Path::Pose pose = path_.pose(t);
  const Path::Twist twist = path_.twist(t, side);
  double power = 0;
  for (const int vertex : term_->vertices()) {
    const Eigen::Vector3d f = pose.R * term_->force_on(pose.start_of(at(x, vertex)));
    power += f.dot(twist.at(at(x, vertex)));  // (2)
  }
  return power;
}

CarriedTwoState::CarriedTwoState(const CarriedObstacle& obstacle, const FreeVertices& free,
                                 const SparsityPattern& pattern)
    : obstacle_(obstacle) {
  for (const int vertex : obstacle.term().vertices())
    if (const int row = free.row_of_vertex[vertex]; row >= 0) {
      free_vertices_.push_back(vertex);
      blocks_.push_back(pattern.diagonal(row));
    }
}

void CarriedTwoState::begin(double t, double h, const Vector& x) {
  x_ = &x;
  now_ = obstacle_.path().pose(t);
  middle_ = obstacle_.path().pose(t + 0.5 * h);
  next_ = obstacle_.path().pose(t + h);
}

ObstaclePush CarriedTwoState::push(const Vector& dx, int vertex) const {
  const Eigen::Vector3d x = at(*x_, vertex), y = now_.start_of(x);
  return obstacle_.term().push(y, next_.start_of(x + at(dx, vertex)) - y);
}

void CarriedTwoState::add_force(const Vector& dx, Vector& f) {
  for (const int vertex : obstacle_.term().vertices()) {
    const ObstaclePush along = push(dx, vertex);
    at(f, vertex) += middle_.R * (obstacle_.term().stiffness() * along.chord.value * along.g);  // (4)
  }
}

void CarriedTwoState::add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) {
  for (std::size_t i = 0; i < free_vertices_.size(); ++i) {
    const Eigen::Matrix3d A =
        obstacle_.term().stiffness() * push(dx, free_vertices_[i]).tangent(definiteness);
    add_block(middle_.R * A * middle_.R.transpose(), K.block(blocks_[i]));
  }
}

double CarriedTwoState::work(const Vector& dx) const {
  const ObstacleTerm& term = obstacle_.term();
  double work = 0;
  for (const int vertex : term.vertices()) {
    const ObstaclePush along = push(dx, vertex);
    const Eigen::Vector3d f = middle_.R * (term.stiffness() * along.chord.value * along.g);
    const Eigen::Vector3d x = at(*x_, vertex), d = at(dx, vertex);
    work += f.dot(d) + term.energy_of(next_.start_of(x + d)) - term.energy_of(now_.start_of(x));
  }
  return work;
}

}  // namespace phiflex

#include "phiflex/build/reactions.h"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "phiflex/build/model_parts.h"
#include "phiflex/model/modulation.h"

namespace phiflex {

Reactions::Reactions(std::shared_ptr<const ModelParts> parts) : parts_(std::move(parts)) {
  for (const TimedConstraint& timed : parts_->constraints) names_.push_back(timed.name);
  for (const ObstacleParts& obstacle : parts_->obstacle_parts) names_.push_back(obstacle.name);
}

void Reactions::add(std::size_t to, Index vertex, const Eigen::Vector3d& force) {
  wrenches_[to].force += force;
  wrenches_[to].torque += Eigen::Vector3d(x_.segment<3>(3 * vertex)).cross(force);
}

const std::vector<Wrench>& Reactions::update(const DeformableModel& model, const State& at, double h,
                                             const Vector& impulses) {
  wrenches_.assign(names_.size(), {});
  model.expand(at, x_, v_);
  add_constraints(model, at, h);
  add_obstacles(at.t);
  if (impulses.size() > 0 && h > 0) add_projections(at.t, h, impulses);
  return wrenches_;
}

void Reactions::add_constraints(const DeformableModel& model, const State& at, double h) {
  if (parts_->constraints.empty()) return;
  owner_.assign(std::size_t(model.vertices()), -1);
  bool any = false;
  for (std::size_t i = 0; i < parts_->constraints.size(); ++i) {
    const TimedConstraint& timed = parts_->constraints[i];
    if (!ActiveTime{0, timed.until}.covers(at.t)) continue;
    any = true;
    for (const int vertex : timed.constraint.vertices) owner_[std::size_t(vertex)] = static_cast<int>(i);
  }
  if (!any) return;
  model.vertex_forces(at, f_);
  const bool moved = h > 0 && model.constraints().moves();
  if (moved) {
    State earlier = at;
    earlier.t -= h;
    model.constraints().expand(at, unused_, v_, Side::before);
    model.constraints().expand(earlier, unused_, before_, Side::before);
  }
  for (std::size_t vertex = 0; vertex < owner_.size(); ++vertex) {
    if (owner_[vertex] < 0) continue;
    const Index row = 3 * Index(vertex);
    Eigen::Vector3d force = -f_.segment<3>(row);  // (1)
    if (moved)
      force +=
          parts_->description.vertex_mass[Index(vertex)] / h * (v_.segment<3>(row) - before_.segment<3>(row));
    add(std::size_t(owner_[vertex]), Index(vertex), force);
  }
}

void Reactions::add_obstacles(double t) {
  for (std::size_t i = 0; i < parts_->obstacle_parts.size(); ++i) {
    const ObstacleParts& obstacle = parts_->obstacle_parts[i];
    if (obstacle.projecting >= 0) continue;
    f_.setZero(x_.size());
    for (const TermPointer& term : obstacle.terms) term->add_force(x_, f_);
    for (const auto& carried : obstacle.carried) carried->add_force(t, x_, f_);
    for (const auto& friction : obstacle.friction) friction->add_force({t, x_, v_}, f_);
    for (Index vertex = 0; vertex < x_.size() / 3; ++vertex)
      add(parts_->constraints.size() + i, vertex, f_.segment<3>(3 * vertex));
  }
}

// A vertex that was projected lies on the surface of its obstacle: of several, the nearest one pushed it.
void Reactions::add_projections(double t, double h, const Vector& impulses) {
  for (Index vertex = 0; vertex < x_.size() / 3; ++vertex) {
    const Eigen::Vector3d impulse = impulses.segment<3>(3 * vertex);
    if (impulse.isZero(0)) continue;
    double least = std::numeric_limits<double>::infinity();
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < parts_->obstacle_parts.size(); ++i) {
      const int number = parts_->obstacle_parts[i].projecting;
      if (number < 0) continue;
      const Obstacle& obstacle = parts_->obstacles[std::size_t(number)];
      const double gap =
          std::abs(distance_to(obstacle, obstacle.path.pose(t), x_.segment<3>(3 * vertex)).distance -
                   obstacle.thickness);
      if (gap < least) least = gap, nearest = i;
    }
    if (std::isfinite(least)) add(parts_->constraints.size() + nearest, vertex, impulse / h);
  }
}

}  // namespace phiflex

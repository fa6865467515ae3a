// What the outside exerts on the bodies where it holds or stops them.
//
// A vertex v of mass m that is held gets, beside the force f_v of potentials, loads and damping, the force
//
//   R_v = m (u(t) - u(t - h)) / h - f_v                                                                   (1)
//
// that makes it follow its path, whose velocity is u: weight and inertia of the held vertices are in it. A
// constraint exerts the sums of R_v and of x_v x R_v, the torque about the origin, over its vertices; a vertex
// of several constraints belongs to the last one, which it follows. The mass is the lumped one.
//
// An obstacle exerts the force of its potential and friction at the state, or, where it projects, the impulses
// of the step over its length.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/model/carried_obstacle.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/projection_filter.h"

namespace phiflex {

struct ModelParts;  // build/model_parts.h

struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   // N
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  // N m, about the origin
};

// What an obstacle consists of in a model.
struct ObstacleParts {
  std::string name;
  std::vector<TermPointer> terms;
  std::vector<std::shared_ptr<const CarriedObstacle>> carried;
  std::vector<std::shared_ptr<const Load>> friction;
  int projecting = -1;  // of ModelParts::obstacles; -1: it does not project
};

// Made for one assembly; keeps working memory.
class Reactions {
 public:
  explicit Reactions(std::shared_ptr<const ModelParts> parts);
  // Of constraints and obstacles, in this order.
  const std::vector<std::string>& names() const { return names_; }
  // One for each name. model: of the assembly, with the constraints that are active. h: length of the step that
  // ended in the state, 0 for the initial state. impulses: of projections in that step, N s, three numbers a vertex, or
  // empty.
  const std::vector<Wrench>& update(const DeformableModel& model, const State& at, double h,
                                    const Vector& impulses);

 private:
  void add_constraints(const DeformableModel& model, const State& at, double h);
  void add_obstacles(double t);
  void add_projections(double t, double h, const Vector& impulses);
  void add(std::size_t to, Index vertex, const Eigen::Vector3d& force);

  std::shared_ptr<const ModelParts> parts_;
  std::vector<std::string> names_;
  std::vector<Wrench> wrenches_;
  std::vector<int> owner_;  // of each vertex, the constraint that it follows; -1: none
  Vector x_, v_, before_, unused_, f_;
};

}  // namespace phiflex

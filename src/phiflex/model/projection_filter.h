// Step-end projection out of obstacles with Coulomb friction. A vertex at x with velocity v, an obstacle with
// signed distance d, normal n and surface velocity u there (it may move rigidly), thickness r, friction mu:
// where d(x) < r,
//
//   x+ = x + (r - d) n                                                                                    (1)
//   w = v - u,   w_n = w.n,   w_t = w - w_n n;   and if w_n < 0, with the change of normal speed -w_n,
//   v+ = u + w_t max(0, 1 - mu |w_n|/|w_t|)                                                               (2)
//
// so that a vertex either sticks or slides with the impulse on the cone |p_t| = mu p_n. A vertex that already
// leaves keeps its velocity. Where obstacles meet, their corrections may undo one another: all are repeated, at
// most kPasses times, until no vertex is inside any.
//
// The obstacle's work is that of its impulses, sum m (v+ - v).u, m the lumped mass; friction takes
// sum m/2 (|w_t|^2 - |w_t+|^2).
#pragma once

#include <memory>
#include <vector>

#include "phiflex/energy/solid_shape.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/step_filter.h"

namespace phiflex {

struct Obstacle {
  std::shared_ptr<const SolidShape> shape;  // where it is at the start of its path
  Path path;
  std::vector<int> vertices;  // that meet it
  double thickness = 0;       // r, m
  double friction = 0;        // mu
};

class ProjectionFilter final : public StepFilter {
 public:
  static constexpr int kPasses = 8;
  // The model must outlive it.
  ProjectionFilter(const DeformableModel& model, std::vector<Obstacle> obstacles);
  FilterReport apply(double h, State& at) override;

 private:
  bool project_out_of(const Obstacle& obstacle, State& at, FilterReport& report);

  const DeformableModel& model_;
  std::vector<Obstacle> obstacles_;
};

// Distance to the obstacle at time t, with normal and curvature turned as it is.
SurfaceDistance distance_to(const Obstacle& obstacle, const Path::Pose& pose, const Eigen::Vector3d& x);

}  // namespace phiflex

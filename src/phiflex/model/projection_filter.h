// Step-end projection out of obstacles with Coulomb friction. A vertex at x with velocity v, an obstacle with
// signed distance d, normal n and surface velocity u there (it may move rigidly), thickness r, friction mu:
// where d(x) < r,
//
//   w = v - u,   w_n = w.n,   w_t = w - w_n n;   and if w_n < 0, with the change of normal speed -w_n,
//   v+ = u + w_t max(0, 1 - mu |w_n|/|w_t|)                                                               (1)
//   x+ = x + (r - d) n                                                                                    (2)
//
// so that a vertex either sticks or slides with the impulse on the cone |p_t| = mu p_n. A vertex that already
// leaves keeps its velocity. Where obstacles meet, their corrections may undo one another: all are repeated, at
// most kPasses times, until no vertex is inside any.
//
// The obstacle's work W_o is that of its impulses, sum m (v+ - v).u, m the lumped mass; friction takes
// F = sum m/2 (|w_t|^2 - |w_t+|^2).
//
// (1) takes energy. (2) may give some: it strains what holds the vertex, or lifts it. With W and T the potential and
// kinetic energies, q_1, v_1 the end of the step by the method and L what the method lost in it, (1) and (2) may not
// lead above
//
//   W(q) + T(v) <= B = W(q_1) + T(v_1) + L + W_o - F                                                      (3)
//
// Where they do, the bodies with a vertex in contact are changed further, until (3) holds; P is (2), and (4) is left
// out where a hundredth of their T is enough:
//
//   q <- P(q - s M^-1 dW/dq)       while W falls: what a vertex is joined to follows it                   (4)
//   q <- P(q_0 + theta (q - q_0))  theta = 1/2, 1/4, .., 0, only where W(q) alone is above B: q_0, the beginning
//                                  of the step, was outside and had no more energy                        (5)
//   v <- a mean(v) + b (v - mean(v))   by body, first 0 <= b <= 1 with a = 1, then 0 <= a <= 1 with b = 0   (6)
//
// (6) meets (3) then, with less of F where a body is taken back and has not slid, unless damping took so much in the
// step that W(q_0) itself is above B: then contact gives back a part of that. So the energy after a step is never above
// that before it, but for what a moving obstacle does: where (5) with theta = 0 is pushed by one, what is still above B
// is its work. Bodies that touch nothing are not changed.
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
  FilterReport apply(const StepEnd& step, State& at) override;

 private:
  enum class Change { place_and_velocity, place };
  void project(Change change, State& at, FilterReport& report);
  bool project_out_of(const Obstacle& obstacle, Change change, State& at, FilterReport& report);
  void limit_energy(const StepEnd& step, double bound, State& at, FilterReport& report);  // (3)
  void relax(double enough, State& at);                                                   // (4)
  bool draw_back(const State& from, double bound, State& at);  // (5); false: not even its beginning is below
  void slow_down(double most, State& at);                      // (6): T(v) <= most
  double potential(const State& at) const { return model_.potential_energy(at); }

  const DeformableModel& model_;
  std::vector<Obstacle> obstacles_;
  std::vector<int> body_of_vertex_;
  std::vector<char> touched_;  // by body
  Vector inverse_mass_;        // of the free rows of touched bodies, else 0
  State trial_, still_;
  std::vector<Eigen::Vector4d> momentum_;  // and mass, by body
  Vector f_, f_before_, mean_, rest_;
};

// Distance to the obstacle at time t, with normal and curvature turned as it is.
SurfaceDistance distance_to(const Obstacle& obstacle, const Path::Pose& pose, const Eigen::Vector3d& x);

}  // namespace phiflex

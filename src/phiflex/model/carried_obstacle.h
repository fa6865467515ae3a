// An obstacle, penalty or barrier, that is carried along by a prescribed rigid motion (path.h). With W0 the energy of
// the obstacle where it starts (energy/obstacle_term.h), R and o the motion's rotation and offset, p its pivot and
// u(t, x) its velocity at the place x,
//
//   W(t, x) = W0(y),    y_v = p + R'(x_v - p - o),    f = R f0(y),    K = R K0(y) R'                      (1)
//   dW/dt at fixed x = sum_v f_v.u(t, x_v): the power of the mover                                        (2)
//   df/dt at fixed x = w x f + K u,    w the angular velocity                                             (3)
//
// The force of an energy-momentum step is the discrete gradient of W0 along the step as the obstacle sees it, turned
// as it is turned in the middle: with dy the change of y,
//
//   f = R(t + h/2) f0(y, y + dy)                                                                           (4)
//   work of the mover = sum_v f_v.dx_v + W(t + h, x + dx) - W(t, x) + what friction and the dial take      (5)
//
// which is the force times the path where the obstacle is shifted only, and zero where it does not move. Vertices pass
// no barrier on the straight way from y to y + dy: where the obstacle turns within a step, this is near, not exact.
#pragma once

#include <memory>

#include "phiflex/energy/obstacle_term.h"
#include "phiflex/model/path.h"

namespace phiflex {

class CarriedTwoState;

class CarriedObstacle {
 public:
  CarriedObstacle(std::shared_ptr<const ObstacleTerm> term, Path path)
      : term_(std::move(term)), path_(std::move(path)) {}

  // x, f, g and y hold three numbers for every vertex of the model.
  double energy(double t, const Vector& x) const;  // J
  void add_force(double t, const Vector& x, Vector& f) const;
  void add_force_rate(double t, const Vector& x, Vector& g) const;                           // (3)
  void add_stiffness_product(double t, const Vector& x, const Vector& dx, Vector& y) const;  // y += K dx
  void add_stiffness(double t, const Vector& x, const FreeVertices& free, Definiteness definiteness,
                     SparseMatrix& K) const;
  // As of a PotentialTerm, at time t: stiffness beside the pattern, and the free part of the way from x at time t to
  // x + dx at time t_next.
  bool has_blocks() const { return term_->has_blocks(); }
  void add_blocks(double t, const Vector& x, const FreeVertices& free, StencilBlocks& blocks) const;
  double free_way(double t, const Vector& x, double t_next, const Vector& dx) const;
  double power(double t, const Vector& x, Side side) const;  // (2), W; side: of a knot of the path

  const ObstacleTerm& term() const { return *term_; }
  const Path& path() const { return path_; }

 private:
  std::shared_ptr<const ObstacleTerm> term_;
  Path path_;
};

// (4) and (5) of one obstacle, which must outlive it.
class CarriedTwoState {
 public:
  CarriedTwoState(const CarriedObstacle& obstacle, const FreeVertices& free, const SparsityPattern& pattern);

  void begin(double t, double h, const Vector& x);  // x must stay valid until the next call
  void add_force(const Vector& dx, Vector& f);
  // As of a TwoStateTerm; near where the obstacle turns.
  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K);
  void add_blocks(StencilBlocks& blocks) const;
  double approach_rate(double t, const Vector& x, const Vector& v, double h) const;
  double friction(const Vector& dx);    // taken by it, J
  double dissipated(const Vector& dx);  // taken by the dial, J
  double work(const Vector& dx);        // of the mover, J

 private:
  void go(const Vector& dx);

  const CarriedObstacle& obstacle_;
  std::vector<std::size_t> items_;  // of the obstacle's vertices, those that are free
  std::vector<int> rows_, blocks_;  // of these
  Path::Pose now_, middle_, next_;
  const Vector* x_ = nullptr;
  double h_ = 1;
  std::vector<ObstaclePush> pushes_;  // of latest_, in the obstacle's frame
  Vector latest_;                     // the dx of the latest force
  bool known_ = false;                // there is one
};

}  // namespace phiflex

// Coulomb's friction at an obstacle, smoothed about rest, for methods that know forces alone. (Energy-momentum steps
// have that of energy/obstacle_term.h (6), with the pressure of the step.) A vertex that the obstacle presses with
// P(e), of stiffness k(e) (energy/obstacle_law.h), with the normal n, and the velocity v where the obstacle has u,
// feels
//
//   f = -mu P w_t/q,    w_t = (I - n n')(v - u),    q = sqrt(|w_t|^2 + s^2)                               (1)
//   -df/dv = mu P/q (I - n n' - w_t w_t'/q^2), positive semidefinite                                      (2)
//   df/dt at fixed x, v = -mu k (n.u) w_t/q                                                               (3)
//
// s, the slip speed, is what a body held by friction creeps with, about: half of the cone's force is reached at
// s/sqrt(3). (3) leaves out that the normal of a moving curved obstacle turns and that its velocity changes.
#pragma once

#include "phiflex/energy/obstacle_term.h"
#include "phiflex/model/load.h"
#include "phiflex/model/path.h"

namespace phiflex {

class ObstacleFriction final : public Load {
 public:
  // path: of the obstacle. Its law has mu and s.
  ObstacleFriction(std::shared_ptr<const ObstacleTerm> obstacle, Path path)
      : obstacle_(std::move(obstacle)), path_(std::move(path)) {}

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;
  bool is_friction() const override { return true; }
  double mover_power(const Motion& at) const override;
  std::unique_ptr<DragAssembler> make_drag_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;

  // What a vertex that touches slides with.
  struct Slip {
    double pressed = 0;  // mu P, N; 0: it does not touch
    double rate = 0;     // mu k, N/m
    Eigen::Vector3d normal, w_t, u;
    double q = 1;
  };
  // Of obstacle().vertices()[i].
  Slip slip(const Motion& at, std::size_t i, const Path::Pose& pose, const Path::Twist& twist) const;
  const ObstacleTerm& obstacle() const { return *obstacle_; }
  const Path& path() const { return path_; }

 private:
  // function(3 vertex, slip) of the vertices that touch.
  template <class Function>
  void for_each_slip(const Motion& at, Function function) const;

  std::shared_ptr<const ObstacleTerm> obstacle_;
  Path path_;
};

}  // namespace phiflex

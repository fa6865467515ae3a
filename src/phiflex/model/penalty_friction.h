// Coulomb's friction at a penalty obstacle, smoothed about rest. A vertex of depth p inside an obstacle of stiffness k, with
// the normal n, and the velocity v where the obstacle has u, is pressed with k p and feels
//
//   f = -mu k p w_t/q,    w_t = (I - n n')(v - u),    q = sqrt(|w_t|^2 + s^2)                             (1)
//   -df/dv = mu k p/q (I - n n' - w_t w_t'/q^2), positive semidefinite                                    (2)
//   df/dt at fixed x, v = -mu k (n.u) w_t/q                                                               (3)
//
// s, the slip speed, is what a body held by friction creeps with, about: half of the cone's force is reached at
// s/sqrt(3). (3) leaves out that the normal of a moving curved obstacle turns and that its velocity changes.
#pragma once

#include "phiflex/energy/obstacle_term.h"
#include "phiflex/model/load.h"
#include "phiflex/model/path.h"

namespace phiflex {

class PenaltyFriction final : public Load {
 public:
  // path: of the obstacle, by default it rests. friction mu, slip_speed s [m/s].
  PenaltyFriction(std::shared_ptr<const ObstacleTerm> obstacle, Path path, double friction, double slip_speed)
      : obstacle_(std::move(obstacle)),
        path_(std::move(path)),
        friction_(friction),
        slip_speed_(slip_speed) {}

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;
  std::unique_ptr<DragAssembler> make_drag_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;

  // What a vertex that touches slides with.
  struct Slip {
    double pressed = 0;  // mu k p, N; 0: it does not touch
    Eigen::Vector3d normal, w_t, u;
    double q = 1;
  };
  Slip slip(const Motion& at, int vertex, const Path::Pose& pose, const Path::Twist& twist) const;
  const ObstacleTerm& obstacle() const { return *obstacle_; }
  const Path& path() const { return path_; }

 private:
  std::shared_ptr<const ObstacleTerm> obstacle_;
  Path path_;
  double friction_, slip_speed_;
};

}  // namespace phiflex

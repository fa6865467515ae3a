// An obstacle as an energy of the vertices that meet it: with the signed distance d of a solid shape (solid_shape.h)
// and e_v = d(x_v) - thickness + lowered_v, a penalty or a barrier U_v(e) of pressure P and stiffness k
// (obstacle_law.h),
//
//   W(x) = sum_v U_v(e_v),     f_v = P n,     K_vv = k n n' - P H                                           (1)
//   projected: K_vv = k n n' + P (-H)+ , which for convex shapes is k n n'                                  (2)
//
// The force of an energy-momentum step from x to x + dx is a discrete gradient. With F the mean pressure of
// obstacle_law.h and g the discrete gradient of d (Gonzalez 1996), m the middle of the step,
//
//   g = n(m) + dx (d(x + dx) - d(x) - n(m).dx)/(dx.dx),     dx.g = d(x + dx) - d(x)                       (3)
//   f = F g                                                                                               (4)
//   -2 df/dx+ ~ (-2 dF/de+) g g' - F H(m)                                                                 (5)
//
// Friction along the step, with the pressure F |g| of the same iterate, n = g/|g|, the slip u = dx - (dx.n) n,
//
//   f = -mu F |g| u/q,    q = sqrt(|u|^2 + (h s0)^2),    takes mu F |g| |u|^2/q                            (6)
//   -2 df/dx+ ~ 2 mu F |g|/q (1 - n n' - u u'/q^2)                                                         (7)
//
// (For methods that know forces alone, friction is a load: model/obstacle_friction.h.)
//
// lowered_v, mostly 0, puts the skin deeper for a vertex that starts too near: so it starts without energy.
//
// The stiffness of a penalty is part of the pattern, on its diagonal; that of a barrier, which comes and goes with
// every contact, stands beside it (add_blocks). A barrier is not passed: free_way().
#pragma once

#include <memory>
#include <vector>

#include "phiflex/base/function_ref.h"
#include "phiflex/energy/obstacle_law.h"
#include "phiflex/energy/potential_term.h"
#include "phiflex/energy/solid_shape.h"

namespace phiflex {

// What (3) to (7) need of one vertex along a step.
struct ObstaclePush {
  ObstacleChord chord;
  Eigen::Vector3d g = Eigen::Vector3d::Zero();
  Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();  // H(m)
  Eigen::Vector3d slip = Eigen::Vector3d::Zero();       // u, m
  double q = 1;                                         // m
  double grip = 0;                                      // mu F |g|/q, N/m; 0: no friction

  bool active() const { return chord.force != 0; }
  Eigen::Vector3d force() const { return chord.force * g - grip * slip; }  // (4), (6), N
  double friction() const { return grip * slip.squaredNorm(); }            // taken by it, J
  Eigen::Matrix3d tangent(Definiteness definiteness) const;                // (5), (7), N/m
  // (5), (7) projected: sums of k a a' with vectors turned by R, at a block row. Of (7) what majorizes it, without u
  // u': with (7) itself iterates overshoot where a contact begins to slip (contact/contact_forces.cpp).
  void add_blocks(const Eigen::Matrix3d& R, int row, StencilBlocks& blocks) const;
};

class ObstacleTerm final : public PotentialTerm {
 public:
  // vertices: those that meet the obstacle; weights: one for each (obstacle_law.h); lowered: one for each, m.
  ObstacleTerm(std::shared_ptr<const SolidShape> shape, std::vector<int> vertices, const ObstacleLaw& law,
               std::vector<double> weights, std::vector<double> lowered);
  // A penalty. thickness [m], stiffness [N/m].
  ObstacleTerm(std::shared_ptr<const SolidShape> shape, std::vector<int> vertices, double thickness,
               double stiffness);

  Account account() const override { return Account::contact; }
  double energy(const Vector& x) const override;
  void add_force(const Vector& x, Vector& f) const override;
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override;
  void add_couplings(std::vector<Coupling>&) const override {}
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override;
  bool has_blocks() const override { return law_.kind == ObstacleLaw::Kind::barrier; }
  void add_blocks(const Vector& x, const FreeVertices& free, StencilBlocks& blocks) const override;
  void add_untouched_stiffness(Vector& k) const override;
  double free_way(const Vector& x, const Vector& dx) const override;
  std::string diagnose(const Vector& x) const override;

  // The same for some of its vertices, by other numbers: number(v), or -1 where v is left out.
  std::shared_ptr<ObstacleTerm> restricted_to(FunctionRef<int(int)> number) const;

  const SolidShape& shape() const { return *shape_; }
  const std::vector<int>& vertices() const { return vertices_; }
  const ObstacleLaw& law() const { return law_; }
  double weight(std::size_t i) const { return weights_[i]; }
  // Of vertices()[i] at x.
  double skin_distance(std::size_t i, double d) const { return d - law_.thickness + lowered_[i]; }  // e, m
  double skin_distance(std::size_t i, const Eigen::Vector3d& x) const {
    return skin_distance(i, shape_->at(x).distance);
  }
  double energy_of(std::size_t i, const Eigen::Vector3d& x) const;
  Eigen::Vector3d force_on(std::size_t i, const Eigen::Vector3d& x) const;
  // Along a step of length h; e: skin_distance(i, x).
  ObstaclePush push(std::size_t i, double e, const Eigen::Vector3d& x, const Eigen::Vector3d& dx,
                    double h) const;
  // K_vv of (1) or (2); zero where nothing touches.
  Eigen::Matrix3d block(std::size_t i, const Eigen::Vector3d& x, Definiteness definiteness) const;
  // k and n of (2), a barrier's part of add_blocks; R turns n.
  void add_block(std::size_t i, const Eigen::Vector3d& x, const Eigen::Matrix3d& R, int row,
                 StencilBlocks& blocks) const;
  // The part of the way x + t dx on which a barrier is not reached: by steps of (d - gap)/-(n.dx), which a convex shape
  // allows, or of (d - gap)/|dx|.
  double free_way_of(std::size_t i, const Eigen::Vector3d& x, const Eigen::Vector3d& dx, double limit) const;

 private:
  std::shared_ptr<const SolidShape> shape_;
  std::vector<int> vertices_;
  ObstacleLaw law_;
  std::vector<double> weights_, lowered_;
};

}  // namespace phiflex

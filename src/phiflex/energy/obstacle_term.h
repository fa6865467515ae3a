// A penalty obstacle: with the signed distance d of a solid shape (solid_shape.h) and the depth
// p_v = max(0, thickness - d(x_v)),
//
//   W(x) = sum_v k/2 p_v^2,     f_v = k p_v n,     K_vv = k (n n' - p_v H)   where p_v > 0                (1)
//   projected: K_vv = k n n' + k p_v (-H)+ , which for convex shapes is k n n'                            (2)
//
// k is a stiffness per vertex [N/m], as of the floor (floor_term.h).
//
// The force of an energy-momentum step from x to x + dx is a discrete gradient. With a, b the signed depths
// thickness - d at its ends and g the discrete gradient of d (Gonzalez 1996) with m the middle of the step,
//
//   g = n(m) + dx (d(x + dx) - d(x) - n(m).dx)/(dx.dx),     dx.g = d(x + dx) - d(x)                       (3)
//   f = k/2 (b+^2 - a+^2)/(b - a) g,                        a+ = max(0, a)                                (4)
//   -2 df/dx+ ~ k c(a, b) g g' - f H(m),      c(a, b) as of the floor; exact for planes                   (5)
#pragma once

#include <memory>
#include <vector>

#include "phiflex/energy/penalty_chord.h"
#include "phiflex/energy/potential_term.h"
#include "phiflex/energy/solid_shape.h"

namespace phiflex {

// What (3) to (5) need of one vertex along a step; the force is k chord.value g.
struct ObstaclePush {
  PenaltyChord chord;
  Eigen::Vector3d g = Eigen::Vector3d::Zero();
  Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();       // H(m)
  Eigen::Matrix3d tangent(Definiteness definiteness) const;  // (5) over k
};

class ObstacleTerm final : public PotentialTerm {
 public:
  // vertices: those that meet the obstacle. thickness [m], stiffness [N/m].
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

  const SolidShape& shape() const { return *shape_; }
  const std::vector<int>& vertices() const { return vertices_; }
  double thickness() const { return thickness_; }
  double stiffness() const { return stiffness_; }
  // Of one vertex at x.
  double energy_of(const Eigen::Vector3d& x) const;
  Eigen::Vector3d force_on(const Eigen::Vector3d& x) const;
  ObstaclePush push(const Eigen::Vector3d& x, const Eigen::Vector3d& dx) const;
  // K_vv of (1) or (2); zero outside.
  Eigen::Matrix3d block(const Eigen::Vector3d& x, Definiteness definiteness) const;

 private:
  std::shared_ptr<const SolidShape> shape_;
  std::vector<int> vertices_;
  double thickness_, stiffness_;
};

}  // namespace phiflex

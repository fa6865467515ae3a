// THE WAIST: what an integrator knows of the world.
//
//   M q'' = f(t, q, v)
//
// Constraints are removed below: all degrees of freedom here are free. A system does not change during a step, in which
// it may be shared between threads. Mass, pattern and number of degrees of freedom never change. Between steps the
// owner may change the forces (EigenFitSystem: EigenFitCorrection::update(); viscoelastic bodies:
// DeformableModel::begin_step() and end_step()). Outside a material's domain the
// potential energy is +infinity and the force is not finite.
#pragma once

#include <cstdint>
#include <memory>

#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/system/state.h"
#include "phiflex/system/step_meters.h"
#include "phiflex/system/tangent.h"
#include "phiflex/system/two_state_force.h"

namespace phiflex {

class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;

  virtual Index dofs() const = 0;
  virtual const MassMatrix& mass() const = 0;
  // The largest side of the box around the bodies at rest, m: positions are rounded relative to it.
  virtual double extent() const { return 1; }
  virtual double potential_energy(const State& at) const = 0;      // J
  virtual void force(const State& at, Vector& f) const = 0;        // N
  virtual bool force_depends_on_velocity() const { return true; }  // false spares explicit methods forces
  // Another number whenever the owner has changed the force: a force that a method carries from one step to the next is
  // of use while it stays.
  virtual std::int64_t force_version() const { return 0; }

  virtual std::shared_ptr<const SparsityPattern> pattern() const = 0;  // of K and D
  virtual std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const = 0;
  // A split K = K_s + rest, for methods that treat only the stiff part implicitly: the same tangent, but its K
  // is K_s alone (g and D are whole). Null: the system offers no split, all of K counts as stiff.
  virtual std::unique_ptr<AssembledTangent> stiff_tangent(Definiteness) const { return nullptr; }
  // The force of energy-momentum steps. Null: the system has none of its own (it may be averaged along the
  // chord from one state to the other).
  virtual std::unique_ptr<TwoStateForce> two_state_force() const { return nullptr; }
  // Contacts: whether free_way() can be below 1 at all.
  virtual bool has_contacts() const { return false; }
  // The part, in [0, 1], of the straight way from one state to the other on which nothing passes through anything; held
  // vertices and obstacles go from their place at from.t to that at to.t. A state with a finite energy may lie behind a
  // surface: no step may end in a state that was not reached along free ways.
  virtual double free_way(const State& from, const State& to) const { return (void)from, (void)to, 1; }
  // A bound on the eigenvalues of M^-1 K of the contacts alone, 1/s^2.
  virtual double contact_stiffness(const State& at) const { return (void)at, 0; }
  // A bound on the eigenvalues of M^-1 K of penalties that may be met at any place, touched or not, 1/s^2.
  virtual double untouched_stiffness() const { return 0; }
  // A bound on the eigenvalues of M^-1 D of the friction between bodies alone, 1/s.
  virtual double contact_drag(const State& at) const { return (void)at, 0; }
  // Of methods that divide their steps. Null: the ends of a whole step tell its work as well; nothing rubs, or friction
  // cannot be taken so.
  virtual std::unique_ptr<WorkMeter> work_meter() const { return nullptr; }
  virtual std::unique_ptr<FrictionKick> friction_kick() const { return nullptr; }
  // Positions of the vertices behind the block rows, three numbers each, m: their rigid motions are what stiffness does
  // not resist. Empty: the system has no such vertices.
  virtual void positions(const State& at, Vector& x) const { (void)at, x.resize(0); }
  virtual bool has_positions() const { return false; }
  // R_v of every vertex with K(to) ~ R K(from) R', R empty where the system has no vertices that turn.
  virtual void rotations(const State& from, const State& to, BlockRotations& R) const {
    (void)from, (void)to, R.clear();
  }

  double kinetic_energy(const State& at) const { return 0.5 * mass().dot(at.v, at.v); }
};

}  // namespace phiflex

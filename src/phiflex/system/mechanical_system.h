// THE WAIST: what an integrator knows of the world.
//
//   M q'' = f(t, q, v)
//
// Constraints are removed below: all degrees of freedom here are free. A system never changes; it may be
// shared between threads. Outside a material's domain the potential energy is +infinity and the force is not
// finite.
#pragma once

#include <memory>

#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/system/state.h"
#include "phiflex/system/tangent.h"
#include "phiflex/system/two_state_force.h"

namespace phiflex {

class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;

  virtual Index dofs() const = 0;
  virtual const MassMatrix& mass() const = 0;
  virtual double potential_energy(const State& at) const = 0;      // J
  virtual void force(const State& at, Vector& f) const = 0;        // N
  virtual bool force_depends_on_velocity() const { return true; }  // false spares explicit methods forces

  virtual std::shared_ptr<const SparsityPattern> pattern() const = 0;  // of K and D
  virtual std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const = 0;
  // A split K = K_s + rest, for methods that treat only the stiff part implicitly: the same tangent, but its K
  // is K_s alone (g and D are whole). Null: the system offers no split, all of K counts as stiff.
  virtual std::unique_ptr<AssembledTangent> stiff_tangent(Definiteness) const { return nullptr; }
  virtual std::unique_ptr<Tangent> matrix_free_tangent() const {
    return assembled_tangent(Definiteness::exact);
  }
  // The force of energy-momentum steps. Null: the system has none of its own (it may be averaged along the
  // chord from one state to the other).
  virtual std::unique_ptr<TwoStateForce> two_state_force() const { return nullptr; }
  // R_v of every vertex with K(to) ~ R K(from) R', R empty where the system has no vertices that turn.
  virtual void rotations(const State& from, const State& to, BlockRotations& R) const {
    (void)from, (void)to, R.clear();
  }

  double kinetic_energy(const State& at) const { return 0.5 * mass().dot(at.v, at.v); }
};

}  // namespace phiflex

// Energies + mass + damping + constraints + loads: a MechanicalSystem.
//
//   M q'' = f(t, q, v) = -dW/dx + loads(t, x, v) - alpha M v - beta K* v_x       on the free vertices     (1)
//
// W: the terms, which know no time, and penalty obstacles that are carried along a path, W(t, x).
//
// q is the displacement of the free vertices from the rest shape (constraint_map.h); x and v_x are positions
// and velocities of all vertices, so that held vertices act through x(t), and through their velocity in the
// damping beta K* and in drag. The mass acts between free vertices only: what a consistent mass would pass on
// from a moved vertex is felt at the knots of its path alone, and left out, as is its part in alpha M.
//
// A model never changes, and may be shared between threads: working memory comes from a pool. Viscoelastic bodies are
// the exception: their branches (energy/prony_term.h) remember, and the owner of the model calls begin_step() before
// each step and one of end_step() and cancel_step() after it. After construction nothing is allocated as long as one
// thread uses it. A released or changed constraint is another model: make it from the changed description (terms and
// loads are shared) and hand_over() the state.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/model/constraint_map.h"
#include "phiflex/model/model_description.h"
#include "phiflex/model/rayleigh_damping.h"
#include "phiflex/model/workspace_pool.h"
#include "phiflex/system/mechanical_system.h"

namespace phiflex {

struct Energies {  // J
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0;
  double total() const { return kinetic + elastic + gravity + contact; }
};

struct Momenta {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   // kg m/s
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  // kg m^2/s, about the origin
};

class DeformableModel : public MechanicalSystem {
 public:
  // Misuse (sizes that do not fit, a free vertex without mass that a term couples) is a
  // std::invalid_argument. Every vertex may be held: such a model has energies and no degrees of freedom.
  explicit DeformableModel(ModelDescription description);
  ~DeformableModel() override;

  // -- MechanicalSystem
  Index dofs() const override { return map_.dofs(); }
  const MassMatrix& mass() const override { return *mass_; }
  double extent() const override { return extent_; }
  double potential_energy(const State& at) const override;
  void force(const State& at, Vector& f) const override;
  bool force_depends_on_velocity() const override {
    return !damping_.none() || !description_.loads.empty();  // of the loads, drag does
  }
  std::int64_t force_version() const override { return force_version_; }
  std::shared_ptr<const SparsityPattern> pattern() const override { return pattern_; }
  // df/dt: moved vertices and time-dependent loads (deformable_tangent.h, (3)).
  void force_rate(const Motion& at, Vector& g) const;
  // A tangent refers to its model, which must outlive it.
  std::unique_ptr<AssembledTangent> assembled_tangent(Definiteness definiteness) const override;

  // The terms' stiff parts, where a term has a soft one (springs: material and geometric stiffness).
  std::unique_ptr<AssembledTangent> stiff_tangent(Definiteness definiteness) const override;
  // Of energy-momentum steps (deformable_two_state.h); it refers to its model.
  std::unique_ptr<TwoStateForce> two_state_force() const override;
  void rotations(const State& from, const State& to, BlockRotations& R) const override;
  void positions(const State& at, Vector& x) const override;
  bool has_positions() const override { return map_.dimension() == 3; }
  // Of the terms and carried obstacles with blocks beside the pattern (PotentialTerm::has_blocks).
  bool has_contacts() const override { return has_contacts_; }
  double free_way(const State& from, const State& to) const override;
  double contact_stiffness(const State& at) const override;
  double untouched_stiffness() const override { return untouched_stiffness_; }
  double contact_drag(const State& at) const override;
  // Where something rubs, or obstacles are moved; both refer to this model.
  std::unique_ptr<WorkMeter> work_meter() const override;
  std::unique_ptr<FrictionKick> friction_kick() const override;
  void force_without_friction(const State& at, Vector& f) const;
  // blocks = the stiffness of the contacts at time t, over the free rows.
  void contact_blocks(double t, const Vector& x, StencilBlocks& blocks) const;

  // -- What it is made of
  const ModelDescription& description() const { return description_; }
  const ConstraintMap& constraints() const { return map_; }
  const std::vector<TermPointer>& terms() const { return terms_; }  // of all bodies, then the shared ones
  const RayleighDamping& damping() const { return damping_; }
  Index vertices() const { return map_.vertices(); }
  double total_mass() const;  // kg, of all vertices of all ranks
  const Team& team() const { return mass_->team(); }
  const Share* share() const { return description_.share.get(); }  // null: the model is whole
  // Whether some vertex of some rank is free.
  bool has_free_vertices() const { return has_free_vertices_; }

  // -- Between free and all vertices
  State state(double t, const Vector& x, const Vector& v) const;  // all -> free
  void expand(const State& at, Vector& x, Vector& v) const;       // free -> all

  // -- The memory of viscoelastic bodies; without them nothing happens.
  bool has_memory() const { return !description_.branches.empty(); }
  void begin_step(const State& now, double h);
  double end_step(const State& next);    // what the branches dissipated, J
  void cancel_step();                    // a step that was begun was not made
  void undo_step();                      // takes the latest end_step() back
  void slacken_branches();               // they have no force until relax_branches()
  void relax_branches(const State& at);  // as after a long rest at this state
  void save_memory(ArchiveWriter& out) const;
  void load_memory(ArchiveReader& in);
  void take_memory(const DeformableModel& from);  // of the same bodies

  // -- What the ledger asks
  Energies energies(const State& at) const;  // kinetic: of the free vertices
  Momenta momenta(const State& at) const;    // of the free vertices
  // What the outside does, for all vertices: the loads on the free ones; on moved ones the force with which
  // their mover resists the potentials (what it spends against damping is counted by the ledger).
  void external_forces(const State& at, Vector& e) const;
  // Forces of friction on all vertices, and the power of the movers of what rubs (load.h), W; false, and nothing done,
  // when nothing rubs.
  bool friction_forces(const State& at, Vector& f, double& mover_power) const;
  // The force on every vertex, held ones too, without damping by mass: potentials, loads, damping by stiffness.
  void vertex_forces(const State& at, Vector& f) const;
  // Of the movers of obstacles (carried_obstacle.h, (2)), W; side: of a knot of their paths.
  double obstacle_power(const State& at, Side side) const;

  // Why a state has no finite energy or force, in words that name body and vertex or element; empty when it
  // has.
  std::string diagnose(const State& at) const;

 private:
  void add_potential_forces(double t, const Vector& x, Vector& f) const;  // -dW/dx
  void force(const State& at, bool with_friction, Vector& f) const;

  ModelDescription description_;
  ConstraintMap map_;
  std::vector<TermPointer> terms_;
  double extent_;  // m
  bool has_contacts_, has_free_vertices_;
  double untouched_stiffness_;  // 1/s^2
  std::int64_t force_version_ = 0;
  std::shared_ptr<const SparsityPattern> pattern_;
  std::unique_ptr<MassMatrix> mass_;
  RayleighDamping damping_;
  mutable WorkspacePool workspaces_;
};

// The same moment seen by another model of the same vertices: positions stay; a released vertex starts with
// the velocity its path had until then.
State hand_over(const DeformableModel& from, const State& at, const DeformableModel& to);

// The vertex of [first, first + count) nearest to a point in the rest shape; the lowest of several.
int nearest_vertex(const Vector& rest, int first, int count, const Eigen::Vector3d& point);

// Of the box around these vertices, x y z of each, in their unit; 0 where there is none.
double largest_side(const Vector& positions);

}  // namespace phiflex

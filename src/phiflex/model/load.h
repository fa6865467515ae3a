// A force that is no term's: f(t, x, v) of time and of all vertices' positions and velocities (three
// numbers for every vertex, held ones included). Its work is external.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/energy/potential_term.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

struct Motion {
  double t;         // s
  const Vector& x;  // positions, m
  const Vector& v;  // velocities, m/s
};

// Adds -df/dv to a matrix over the free vertices; made once per pattern.
class DragAssembler {
 public:
  virtual ~DragAssembler() = default;
  virtual void add_drag(const Motion& at, SparseMatrix& D) const = 0;
};

// Adds -df/dx to a matrix over the free vertices; made once per pattern.
class LoadStiffness {
 public:
  virtual ~LoadStiffness() = default;
  // Projected: a part of it that is positive semidefinite.
  virtual void add_stiffness(const Motion& at, Definiteness definiteness, SparseMatrix& K) const = 0;
};

class Load {
 public:
  virtual ~Load() = default;
  virtual void add_force(const Motion& at, Vector& f) const = 0;
  // g += df/dt at fixed x and v. The jumps at the ends of an active time are not seen.
  virtual void add_force_rate(const Motion& at, Vector& g) const = 0;
  // The pairs of vertices coupled by drag or stiffness.
  virtual void add_couplings(std::vector<Coupling>& couplings) const;
  // Of a load whose -df/dx is symmetric. Null: how the force changes with the positions is left out of tangents.
  virtual std::unique_ptr<LoadStiffness> make_stiffness(const FreeVertices& free,
                                                        const SparsityPattern& pattern) const;
  // y -= df/dx dx, with the df/dx of make_stiffness().
  virtual void add_stiffness_product(const Motion& at, const Vector& dx, Vector& y) const {
    (void)at, (void)dx, (void)y;
  }
  // Friction is no external work: what it takes is booked apart (energy_ledger.h).
  virtual bool is_friction() const { return false; }
  // Of friction: what the movers of its obstacles spend on it, sum of f.u with u the velocity of the obstacle; W.
  virtual double mover_power(const Motion& at) const { return (void)at, 0; }
  // Drag that couples vertices which no pattern foresees stands beside it (linalg/stencil_blocks.h).
  virtual bool has_drag_blocks() const { return false; }
  // blocks += such a part of -df/dv, made positive semidefinite, over the free rows.
  virtual void add_drag_blocks(const Motion& at, const FreeVertices& free, StencilBlocks& blocks) const {
    (void)at, (void)free, (void)blocks;
  }
  // Null: the force does not depend on the velocity, but for has_drag_blocks().
  virtual std::unique_ptr<DragAssembler> make_drag_assembler(const FreeVertices& free,
                                                             const SparsityPattern& pattern) const;
};

inline void Load::add_couplings(std::vector<Coupling>&) const {}

inline std::unique_ptr<LoadStiffness> Load::make_stiffness(const FreeVertices&,
                                                           const SparsityPattern&) const {
  return nullptr;
}

inline std::unique_ptr<DragAssembler> Load::make_drag_assembler(const FreeVertices&,
                                                                const SparsityPattern&) const {
  return nullptr;
}

}  // namespace phiflex

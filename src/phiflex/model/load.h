// A force that has no potential: f(t, x, v) of time and of all vertices' positions and velocities (three
// numbers for every vertex, held ones included).
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

class Load {
 public:
  virtual ~Load() = default;
  virtual void add_force(const Motion& at, Vector& f) const = 0;
  // g += df/dt at fixed x and v. The jumps at the ends of an active time are not seen.
  virtual void add_force_rate(const Motion& at, Vector& g) const = 0;
  // The pairs of vertices coupled by drag.
  virtual void add_couplings(std::vector<Coupling>& couplings) const;
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

inline std::unique_ptr<DragAssembler> Load::make_drag_assembler(const FreeVertices&,
                                                                const SparsityPattern&) const {
  return nullptr;
}

}  // namespace phiflex

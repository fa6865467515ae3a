// A potential energy W(x) of the vertices' positions, with its derivatives:
//
//   force = -dW/dx,     K = +d2W/dx2.
//
// x, f and y hold three numbers for every vertex of the model, constrained ones included: x = (x_0, y_0, z_0,
// x_1, ...). Terms know nothing of constraints, bodies or time. Every sum over elements is made in a fixed
// order: the same bits for any number of threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phiflex/linalg/sparse_matrix.h"
#include "phiflex/linalg/stencil_blocks.h"
#include "phiflex/linalg/vector.h"
#include "phiflex/system/definiteness.h"

namespace phiflex {

// Which vertices are free: block row of a vertex in the matrices, or -1 when it is constrained.
struct FreeVertices {
  std::vector<int> row_of_vertex;
  std::vector<int> vertex_of_row;
};

// Adds a term's stiffness to a matrix over the free vertices. Made once per pattern; it holds the scatter
// maps.
class StiffnessAssembler {
 public:
  virtual ~StiffnessAssembler() = default;
  // K += d2W/dx2 at x, or its projection. Returns how many elements were changed by the projection.
  virtual Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const = 0;
};

class TwoStateTerm;  // energy/two_state_term.h

class PotentialTerm {
 public:
  // The column of the energy ledger it belongs to.
  enum class Account { elastic, gravity, contact };

  virtual ~PotentialTerm() = default;
  virtual Account account() const = 0;
  virtual double energy(const Vector& x) const = 0;  // J; +infinity outside the domain
  virtual void add_force(const Vector& x, Vector& f) const = 0;
  // y += K(x) dx, without assembling.
  virtual void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const = 0;
  // The pairs of vertices whose block of K can be nonzero (the diagonal need not be listed).
  virtual void add_couplings(std::vector<Coupling>& couplings) const = 0;
  virtual std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                             const SparsityPattern& pattern) const = 0;
  // Its force as a function of two states, for energy-momentum steps. It refers to the term.
  virtual std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                                       const SparsityPattern& pattern) const = 0;
  // Some methods treat only the stiff part of K implicitly. A term with a part that is not stiff says so and
  // makes an assembler of the rest; by default all of K is stiff.
  virtual bool has_soft_stiffness() const { return false; }
  virtual std::unique_ptr<StiffnessAssembler> make_stiff_assembler(const FreeVertices& free,
                                                                   const SparsityPattern& pattern) const {
    return make_assembler(free, pattern);
  }
  // Contact couples vertices that no pattern foresees: its stiffness stands beside the pattern
  // (linalg/stencil_blocks.h).
  virtual bool has_blocks() const { return false; }
  // blocks += the part of d2W/dx2 that make_assembler() leaves out, made positive semidefinite, over the free rows.
  virtual void add_blocks(const Vector& x, const FreeVertices& free, StencilBlocks& blocks) const {
    (void)x, (void)free, (void)blocks;
  }
  // k_v += the largest stiffness, N/m, with which a term that acts only where something touches may ever meet vertex v,
  // touched or not: explicit steps must be short enough for it before the vertex arrives. Of terms without blocks.
  virtual void add_untouched_stiffness(Vector& k) const { (void)k; }
  // The part, in [0, 1], of the straight way from x to x + dx on which nothing passes through anything.
  virtual double free_way(const Vector& x, const Vector& dx) const { return (void)x, (void)dx, 1; }
  // T_v += what says how the neighbourhood of v turned from one shape to another; its rotation is the polar
  // factor of the sum. Nine numbers per vertex, by rows.
  virtual void add_turning(const Vector& from, const Vector& to, Vector& T) const {
    (void)from, (void)to, (void)T;
  }
  // Why the energy is not finite at x ("tetrahedron 17 is inverted: J = -0.2, ..."); empty when it is.
  virtual std::string diagnose(const Vector& x) const;
};

inline std::string PotentialTerm::diagnose(const Vector&) const {
  return {};
}

}  // namespace phiflex

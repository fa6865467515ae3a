// The bodies that nothing holds, and the rigid part of what acts on them. About a body's centre c, with
// y = M x and r a residual in kg m/s,
//
//   p = sum r_a,   l = sum (x_a - c) x r_a,   I = tr(Q) 1 - Q,   Q = sum (x_a - c) (y_a - m_a c)'         (1)
//   the rigid velocity with the momenta of r:   u_a = p/m + (I^-1 l) x (x_a - c)                          (2)
//
// m_a: row sums of M. A body without extent in some direction has no inertia about it, and turns not.
//
// Forces change with w, so that (2) is removed several times. Where a stiff contact pushes the body, h^2 k/(4 m) > 1,
// each removal makes a larger rigid part than it took away. A body whose part falls to less than half of the first one
// is corrected; what was done to another is taken back. Bodies that touch each other count as one: the forces between
// them have no resultant and no torque, and (1), (2) are sums over all of them.
#pragma once

#include <vector>

#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/linalg/stencil_blocks.h"
#include "phiflex/model/constraint_map.h"

namespace phiflex {

class FreeBodies {
 public:
  // couplings: the pairs of all vertices that hold together.
  // share: null where the model is whole; else its connected sets take the place of those of the couplings.
  FreeBodies(const ConstraintMap& map, const std::vector<Coupling>& couplings, const MassMatrix& mass,
             const Share* share = nullptr);

  bool none() const { return bodies_.empty(); }
  // Before the first of several removals from w. contacts: which rows touch; null: none.
  void begin_removal(const Vector& w, const StencilBlocks* contacts);
  // w -= (2), so that the rigid part of `residual` becomes zero if it falls by M times what w falls by.
  // x: positions of all vertices.
  void remove_rigid_part(const Vector& x, const Vector& residual, const MassMatrix& mass, Vector& w);

 private:
  struct Body {
    std::vector<int> rows;  // of its vertices
    double mass = 0;
    int next = -1;           // of those that touch, in a chain from the first one
    bool follows = false;    // is not the first of a chain
    double first_part = -1;  // u'M u of the first removal, J; below 0: not made yet; of the first of a chain
    bool left_alone = false;
  };
  int lowest(int body);

  std::vector<int> vertex_of_row_;
  std::vector<Body> bodies_;
  std::vector<int> body_of_row_;  // -1: of a held one
  std::vector<int> touched_;      // one of lower number that a body touches, or itself
  Vector row_mass_;               // one number a row of vertices
  Vector positions_, image_;      // x and M x over the free vertices
  Vector before_;                 // w before the first removal
};

}  // namespace phiflex

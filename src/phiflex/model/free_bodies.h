// The bodies that nothing holds, and the rigid part of what acts on them. About a body's centre c, with
// y = M x and r a residual in kg m/s,
//
//   p = sum r_a,   l = sum (x_a - c) x r_a,   I = tr(Q) 1 - Q,   Q = sum (x_a - c) (y_a - m_a c)'         (1)
//   the rigid velocity with the momenta of r:   u_a = p/m + (I^-1 l) x (x_a - c)                          (2)
//
// m_a: row sums of M. A body without extent in some direction has no inertia about it, and turns not.
#pragma once

#include <vector>

#include "phiflex/linalg/mass_matrix.h"
#include "phiflex/model/constraint_map.h"

namespace phiflex {

class FreeBodies {
 public:
  // couplings: the pairs of all vertices that hold together.
  FreeBodies(const ConstraintMap& map, const std::vector<Coupling>& couplings, const MassMatrix& mass);

  bool none() const { return bodies_.empty(); }
  // w -= (2), so that the rigid part of `residual` becomes zero if it falls by M times what w falls by.
  // x: positions of all vertices.
  void remove_rigid_part(const Vector& x, const Vector& residual, const MassMatrix& mass, Vector& w);

 private:
  struct Body {
    std::vector<int> rows;  // of its vertices
    double mass;
  };

  std::vector<int> vertex_of_row_;
  std::vector<Body> bodies_;
  Vector row_mass_;           // one number a row of vertices
  Vector positions_, image_;  // x and M x over the free vertices
};

}  // namespace phiflex

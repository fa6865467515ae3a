// The energy of a contact stencil (stencil.h, barrier.h), a function of C = E'E alone:
//
//   U = W m(c) beta(x),     x = D/dhat^2,     c = |e_a x e_b|^2                                             (1)
//
// W [J]: kappa dhat A, a soft layer of modulus kappa [Pa] and thickness dhat [m] over the area A [m^2], times the sign
// of the stencil in the sum over a surface (contact_surface.h). m: only for two edges, else 1.
//
//   dU   = 2 W m beta'/dhat^2 g.dX + W beta m' dc,         g = r (x) y                                       (2)
//   d2U  = 4 W m beta''/dhat^4 g g' + W m beta'/dhat^2 D''
//          + 2 W m' beta'/dhat^2 (g dc' + dc g') + W beta (m'' dc dc' + m' c'')                              (3)
//   projected:  4 W m beta''/dhat^4 g g'                                                                     (4)
//
// (4) is positive semidefinite for W > 0, and what resists approach. With a = e_a, b = e_b,
//
//   dc/da = 2 (b.b a - a.b b),    c'' by differentiation of it                                               (5)
#pragma once

#include "phiflex/contact/stencil.h"
#include "phiflex/system/definiteness.h"

namespace phiflex {

struct StencilLaw {
  double weight = 0;    // W, J; negative where the stencil is subtracted
  double reach = 0;     // dhat, m
  double parallel = 0;  // c0 of the mollifier, m^4; 0: there is none
};

// A stencil at one state.
struct StencilShape {
  Feet feet;
  Eigen::Vector3d r;  // between the feet, m
  double square = 0;  // D, m^2
  double x = 0;       // D/dhat^2
  double cross = 0;   // c, m^4; 0 without a mollifier
  double factor = 1;  // m
};
StencilShape stencil_shape(StencilKind kind, const StencilLaw& law, const Eigen::Matrix3d& E);

// (1), J; +infinity (or -infinity for a subtracted one) at D = 0.
double stencil_energy(const StencilLaw& law, const StencilShape& shape);
// (2): dU/dX, a column per vertex; the force is its negative, N.
StencilPoints stencil_gradient(StencilKind kind, const StencilLaw& law, const Eigen::Matrix3d& E,
                               const StencilShape& shape);
// (3) or (4), N/m.
StencilMatrix stencil_hessian(StencilKind kind, const StencilLaw& law, const Eigen::Matrix3d& E,
                              const StencilShape& shape, Definiteness definiteness);

// Adds forces on the edge vectors e_1 and e_2 of an edge-edge stencil to those on its vertices.
inline void add_edge_forces(const Eigen::Vector3d& on_a, const Eigen::Vector3d& on_b, StencilPoints& f) {
  f.col(0) -= on_a;
  f.col(1) += on_a;
  f.col(2) -= on_b;
  f.col(3) += on_b;
}

}  // namespace phiflex

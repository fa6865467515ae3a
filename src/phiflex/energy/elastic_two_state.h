// The energy-momentum force of tetrahedra of one material law, at each of an element's points with its share
// of the rest volume V. With F+ = F + dF, Fbar = F + dF/2 and the
// strain E = (C - 1)/2, C = F'F,
//
//   f_a = -V Fbar S g_a,   dE = sym(Fbar'dF) = (C+ - C)/2                                                 (1)
//   S = 1/2 [S(C + 2 g1 dE) + S(C + 2 g2 dE)],   g = 1/2 -+ 1/(2 sqrt 3),   S(C) = 2 dpsi/dC              (2)
//   S += dE [psi+ - psi - S:dE]/(dE:dE)   where 4 dE:dE > 1e-6 c^2                                        (3)
//   S += damping (two_state_term.h, (2))
//
// so that S:dE = psi+ - psi; S is symmetric, and f makes no torque about the midpoint. c = min(1, 9 det C/(tr
// C)^2) bounds the least eigenvalue of C from below, up to a factor 4/9: below the limit of (3) no eigenvalue
// changes by more than some 2e-3 of itself, and the error of (2), the fifth derivative of psi along the step
// by 4320, is less than roundings; above it the quotient magnifies the rounding of psi by 1e3 at most. Simo
// and Tarnow, The discrete energy-momentum method (1992); Gonzalez, Time integration and discrete Hamiltonian
// systems (1996).
//
// Where the law is not a function of C (a linear material; an element that is inverted at one end of the
// step), the stress is averaged along the chord by three Gauss points and corrected in the same way,
//
//   f_a = -V P g_a,   P = sum_i w_i P(F + g_i dF),   P += dF [psi+ - psi - P:dF]/(dF:dF)                  (4)
//
// which keeps the energy, and linear but not angular momentum. In between, where det F or det F+ is below 0.05, the
// stress is a mean of both ((5) of material/two_state.h): no jump. A linear material's damping acts on its own
// strain, dE = sym(dF), with F replaced by 1.
//
// The tangent, the change of the quotient in (3) and (4) left out (it is of the order of the rule's error):
//
//   K_ab = V [(g_a.S g_b) 1 + sym. part of B_a(Fbar)' A B_b(F+)],   B_a(F) y = sym(F'y g_a')              (5)
//   A = sum_i 2 g_i dS/dC(C + 2 g_i dE) + 2 (chi + eta/h) C0
//
// Projected: positive parts of S and A, and Fbar on both sides.
//
// What depends on the law is asked of a PointLaw.
#pragma once

#include <memory>

#include "phiflex/energy/point_law.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {

// Element: Tet4 or Tet10. tets and law must outlive it.
template <class Element>
std::unique_ptr<TwoStateTerm> make_elastic_two_state(const TetBatchesOf<Element>& tets, const PointLaw& law,
                                                     const FreeVertices& free,
                                                     const SparsityPattern& pattern);

}  // namespace phiflex

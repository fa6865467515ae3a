// The stiff part of the volume change of quadratic tetrahedra, by its mean over each element (mean dilatation). With
// the shape functions' gradients G_n, the points' weights w_q and the rest volume V of an element (fem/tet_element.h),
//
//   F_q = sum_n x_n G_n',   J = sum_q w_q det F_q,   W(x) = sum_e V kappa/2 (J - 1)^2                       (1)
//   p = kappa (J - 1),   d_n = V dJ/dx_n = V sum_q w_q cof(F_q) G_n,   f_n = -p d_n                         (2)
//   K_nm = kappa/V d_n d_m' + p V sum_q w_q [F_q (G_m x G_n)],    [y] z = y x z                             (3)
//
// (the second part of (3) from cof(F)(u x v) = F u x F v; the projected stiffness is the first, which is positive
// semidefinite). An element has one condition on its volume instead of one at each of its points: quadratic tetrahedra
// then bend without locking however large kappa is. The law of the elements keeps the volume stiffness of Poisson's
// ratio 0.4, at its points (build/body_terms.h). Its part of the Cauchy stress is the pressure p 1.
// Nagtegaal, Parks, Rice, On numerically accurate finite element solutions in the fully plastic range (1974); Hughes,
// Generalization of selective integration procedures to anisotropic and nonlinear media (1980); Simo, Taylor, Pister,
// Variational and projection methods for the volume constraint in finite deformation elasto-plasticity (1985).
//
// Between two states F and F+ = F + dF of a point, with F_m = F + dF/2, dE = sym(F_m' dF) = (C+ - C)/2 and C_m = C +
// dE, det C is a polynomial of degree 3 along the way, so that Simpson's rule is exact:
//
//   Z = 2/(det F + det F+) (cof C + 4 cof C_m + cof C+)/6,   Z:dE = det F+ - det F                          (4)
//   D_n = V sum_q w_q F_m Z G_n,   dx.D = V (J+ - J),   f = -q D                                             (5)
//   q = kappa ((J + J+)/2 - 1 + (chi + eta/h)(J+ - J) - chi ratio dJ_before)                                (6)
//
// so that dx.f = -(W+ - W) - what the damping of two_state_term.h takes, with C0 = kappa 1 1', and f has no resultant
// and no torque. Where a point turns inside out and det F + det F+ is near 0, F_m Z is (cof F + 4 cof F_m + cof F+)/6,
// which has a torque. In the tangent d2D/dx+ is that of a small step.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "phiflex/energy/potential_term.h"
#include "phiflex/mesh/mid_edges.h"

namespace phiflex {

class DilatationTerm final : public PotentialTerm {
 public:
  struct Element {
    QuadraticTet nodes;                        // vertices of the model
    double volume;                             // V, m^3
    double kappa;                              // Pa
    std::array<Eigen::Vector3d, 4> gradients;  // of the barycentric coordinates, 1/m
  };
  // J and d of one element.
  struct Dilatation {
    double J = 0;
    std::array<Eigen::Vector3d, 10> d;
  };

  // rest: of all vertices, m. kappa: of each tetrahedron, Pa.
  DilatationTerm(const Vector& rest, const std::vector<QuadraticTet>& tets, const std::vector<double>& kappa);

  Account account() const override { return Account::elastic; }
  double energy(const Vector& x) const override;
  void add_force(const Vector& x, Vector& f) const override;
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override;

  const std::vector<Element>& elements() const { return elements_; }
  double mean_J(std::size_t element, const Vector& x) const;

 private:
  std::vector<Element> elements_;
};

}  // namespace phiflex

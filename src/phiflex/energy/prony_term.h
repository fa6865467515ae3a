// Viscoelastic branches beside the elastic law of tetrahedra: generalized Maxwell elements, a Prony series on the
// deviatoric part. With the isochoric strain E = (J^(-2/3) C - 1)/2, the strain A_i of the dashpot of branch i and its
// spring d_i,
//
//   W = sum_e V_e sum_q w_q sum_i G_i |d_i|^2,   d_i = E - A_i,   dA_i/dt = d_i / tau_i                        (1)
//
// per element e and point q; G_i = ratio_i mu, mu the shear modulus of the element's law at rest. At constant strain
// d_i decays as exp(-t/tau_i), and what a branch dissipates is 2 G_i |d_i|^2 / tau_i per volume and time.
//
// A step of the length h takes E as linear in time, for which (1) has a solution: with x = h/tau_i, e = exp(-x),
// phi = (1 - e)/x, kappa = 2 (1 - phi)/x and dE = E+ - E,
//
//   d+ = e d + phi dE,     mean of d over the step = phi d + kappa dE/2                                       (2)
//
// (Taylor, Pister, Goudreau 1970; Simo 1987). The mean stress of the step is that of a potential,
//
//   P(E) = G (2 phi d:(E - E0) + kappa |E - E0|^2) + const = G kappa |E - A*|^2 + const,   A* = E0 - (phi/kappa) d   (3)
//
// so that within a step all branches of a point together are one elastic law (energy/overstress.h), for every
// integrator and exactly for energy-momentum steps. What the branches dissipate in the step is what P took beyond the
// change of W:
//
//   D = sum V w G ((1 - e^2) |d|^2 + 2 phi (1 - e) d:dE + (kappa - phi^2) |dE|^2) >= 0                          (4)
//
// which is the integral of 2 G |d|^2/tau along (2). The limits are right: h << tau is an elastic spring (phi = kappa =
// 1), h >> tau a dashpot of the viscosity G tau.
//
// Between steps the term has the energy and the force of (1). Its owner calls begin_step() before each step and
// end_step() or cancel_step() after it; without these calls the branches are elastic springs.
// Taylor, Pister, Goudreau, Thermomechanical analysis of viscoelastic solids (1970); Simo, On a fully three-dimensional
// finite-strain viscoelastic damage model (1987); Holzapfel, Simo, A new viscoelastic constitutive model for continuous
// media at finite thermomechanical changes (1996).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "phiflex/base/archive.h"
#include "phiflex/energy/elastic_term.h"
#include "phiflex/material/prony.h"

namespace phiflex {

// Elements with the same series.
struct PronyElements {
  PronySeries series;
  std::vector<Tet> tets;                // vertices of the model
  std::vector<QuadraticTet> quadratic;  // given: the elements are quadratic
  std::vector<double> modulus;          // mu of each, Pa
  std::vector<int> elements;            // the model's numbers of them
  std::vector<int> number;              // the user's, for messages
  int first_vertex = 0;                 // of the user's mesh
};

class PronyTerm : public ElasticTerm {
 public:
  const std::vector<int>& elements() const {
    return elements_;
  }  // the model's numbers, in the order of the states
  // x: of all vertices where the step begins, and where it ended.
  virtual void begin_step(const Vector& x, double h) = 0;
  virtual double end_step(const Vector& x) = 0;  // (2); returns (4), J
  virtual void cancel_step() = 0;                // the step was not made
  virtual void undo_step() = 0;                  // takes the latest end_step() back
  // Without any force, until relax_at().
  virtual void slacken() = 0;
  // As after a long rest at x: d_i = 0.
  virtual void relax_at(const Vector& x) = 0;

  // The strains A_i. Another term has the same elements and the same number of branches.
  virtual void save(ArchiveWriter& out) const = 0;
  virtual void load(ArchiveReader& in) = 0;  // ArchiveError
  virtual void take(const PronyTerm& other) = 0;

 protected:
  explicit PronyTerm(std::vector<int> elements) : elements_(std::move(elements)) {}

 private:
  std::vector<int> elements_;
};

// Of (2) to (4) for x = h/tau.
struct PronyFactors {
  double e, phi, kappa, rest;  // rest: kappa - phi^2
  explicit PronyFactors(double x);
};

std::unique_ptr<PronyTerm> make_prony_term(const Vector& rest, const PronyElements& elements);

}  // namespace phiflex

// A term's part of the force of an energy-momentum step (system/two_state_force.h): with dx the change of all
// vertices' positions along the step,
//
//   dx'f(x, x + dx) = -(W(x + dx) - W(x)) - what damping takes                                            (1)
//
// and, for forces between a body's own vertices, no resultant and no torque about x + dx/2. Damping of a
// strain measure E that no rotation changes, with the modulus C0 at rest, is
//
//   stress += chi C0:(dE - ratio dE_before) + (eta/h) C0:dE,    E* part = chi/2 sum V dE:C0:dE            (2)
//
// dx, not x + dx, is what is handed over: small changes of strain keep all their digits.
#pragma once

#include <span>

#include "phiflex/energy/potential_term.h"

namespace phiflex {

struct StepDamping {
  double h = 1;                    // the step, s
  double eta = 0;                  // of Kelvin and Voigt, s
  double chi = 0;                  // the dial
  double ratio = 1;                // min(1, h/h_before)
  const double* memory = nullptr;  // dE_before of this term; null: zero
};

class TwoStateTerm {
 public:
  virtual ~TwoStateTerm() = default;

  // A step from x. What depends on x alone is computed here; x and the memory must stay valid until the next call.
  virtual void begin(const Vector& x, const StepDamping& damping) = 0;
  // Of a contact, after begin(): where no coordinate changes by more, nothing is touched and all ways are free; m.
  // 0: nothing is known.
  virtual double room() const { return 0; }
  virtual void add_force(const Vector& dx, Vector& f) = 0;  // (1); not finite outside the domain
  // K += the symmetric part of -2 df/dx+ over the free vertices, damping included, or that part made positive
  // semidefinite.
  virtual void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) = 0;
  // blocks += the part of -2 df/dx+ that has no place in the pattern, made positive semidefinite, over the free rows;
  // at the dx of the latest add_force().
  virtual void add_blocks(StencilBlocks& blocks) const { (void)blocks; }
  // The fastest approach, over the reach, of what may come within reach in a time h from x with velocities v; 1/s.
  virtual double approach_rate(const Vector& x, const Vector& v, double h) {
    return (void)x, (void)v, (void)h, 0;
  }
  virtual double dissipated(const Vector&) { return 0; }  // by eta, or by contacts that do not rebound, J
  virtual double friction(const Vector&) { return 0; }    // taken by friction, J
  // Whether the latest force of add_force comes from outside, or had a torque from within.
  virtual bool turns_bodies() const = 0;
  // Whether elements are inverted at an end of the step of the latest add_force(), or nearly so.
  virtual bool is_inside_out() const { return false; }

  // dE of the step, in an order of the term's own, and the dial's part of E* of such a memory, J.
  virtual Index memory_size() const { return 0; }
  virtual void strain_change(const Vector& dx, double* memory) { (void)dx, (void)memory; }
  virtual double dial_energy(double chi, const double* memory) { return (void)chi, (void)memory, 0; }

  // How fast its elements turn and strain, one number each; 1/s. Not finite: infinite.
  virtual Index elements() const { return 0; }
  virtual void rates(const Vector& x, const Vector& v, std::span<double> spin, std::span<double> strain) {
    (void)x, (void)v, (void)spin, (void)strain;
  }
};

}  // namespace phiflex

// The force of an energy-momentum step: a function of the two ends of a step. With w the mean velocity,
//
//   q+ = q + h w,   f_em(q, q+):   dq'f_em = -(W(q+) - W(q)) + what loads and damping do along the step   (1)
//
// and no resultant or torque from within a body, whatever the step (Simo and Tarnow: The discrete
// energy-momentum method, 1992; Gonzalez: Time integration and discrete Hamiltonian systems, 1996). Loads and
// damping are those at the middle of the step, with the velocity w.
//
// The dial adds frame-indifferent damping with a memory of one step,
//
//   S += chi C0:(dE - ratio dE_before),   dE = (C+ - C)/2,   C0 the rest tensor,                           (2)
//
// whose memory dE_before belongs to the integrator: some numbers per element, in an order of the system's own.
#pragma once

#include <memory>

#include "phiflex/linalg/sparse_matrix.h"
#include "phiflex/linalg/vector.h"
#include "phiflex/system/state.h"
#include "phiflex/system/tangent.h"

namespace phiflex {

struct Dial {
  double chi = 0;                  // 0: no damping
  double ratio = 1;                // min(1, h/h_before)
  const Vector* memory = nullptr;  // dE of the step before; null: zero
};

// What the step's ledger needs, exact in the sense of (1); J.
struct StepWork {
  double external = 0;    // done by loads and by moved constraints
  double dissipated = 0;  // taken by physical damping, and by contacts that do not rebound fully
  double friction = 0;    // taken by friction

  StepWork& operator+=(const StepWork& other) {
    external += other.external;
    dissipated += other.dissipated;
    friction += other.friction;
    return *this;
  }
};

// How fast elements turn and strain, 90th percentiles over the elements; 1/s.
struct ElementRates {
  double spin = 0;
  double strain = 0;
  double approach = 0;  // the fastest of what may touch, over the reach of the contact
};

class TwoStateForce {
 public:
  virtual ~TwoStateForce() = default;

  // The current step: from `now`, of length h. What depends on q alone is computed here. `now` and the dial's
  // memory must stay valid until the next begin().
  virtual void begin(const State& now, double h, const Dial& dial) = 0;
  // After begin(): where h |w| is at most so long in every coordinate, no contact is touched, and ways between such w
  // and from q are free (MechanicalSystem::free_way); m. 0: nothing is known.
  virtual double room() const { return 0; }
  // f_em at q+ = q + h w; not finite where q + h w is outside a material's domain.
  virtual void force(const Vector& w, Vector& f) = 0;
  // At the w of the latest call: K = the symmetric part of -2 df_em/dq+ (stiffness, dial and strain damping),
  // D = -df_em/dw of loads and mass damping. A step's matrix is then M + h/2 D + h^2/4 K. Projected: as
  // linearized, made positive semidefinite element by element.
  virtual void linearize(const Vector& w, Definiteness definiteness) = 0;
  virtual const SparseMatrix& K() const = 0;
  virtual const SparseMatrix* D() const = 0;  // null: there is none

  // What K has beside its pattern, of contacts: positive semidefinite, at the w of the latest force(), until the next
  // call of any function here. Null: there are no contacts, at no time.
  virtual const StencilBlocks* blocks() { return nullptr; }

  virtual StepWork work(const Vector& w) = 0;
  // Whether contacts may push: stiff forces that come within a step. What changes w after convergence must then be
  // looked at again.
  virtual bool has_contact_forces() const { return false; }
  // Whether elements are inverted at an end of the step of the latest force(), or nearly so: there it changes fast.
  virtual bool is_inside_out() const { return false; }
  // Sets the rigid part of the residual M (w - v) - h/2 f_em of every free body to zero.
  virtual void correct_momenta(Vector&) {}
  virtual ElementRates rates(const State&) { return {}; }
  // ElementRates::approach of what may come within reach in a time h.
  virtual double approach_rate(const State& at, double h) { return (void)at, (void)h, 0; }

  // The dial's memory after this step, and chi/2 sum V dE:C0:dE of a memory, the dial's part of E*.
  virtual Index memory_size() const { return 0; }
  virtual void strain_change(const Vector& w, Vector& memory) { (void)w, memory.resize(0); }
  virtual double dial_energy(double chi, const Vector& memory) { return (void)chi, (void)memory, 0; }
};

}  // namespace phiflex

// The energy-momentum step, of `em` and `emx` alike. With w the solution of (1) of em_solver.h,
//
//   q+ = q + h w,   v+ = 2 w - v    (with a fit T: v+ = 2 T w - v)                                        (1)
//
// keeps energy, and, for bodies that are free, both momenta. Start of the solver:
//
//   w_1 + (w_1 - w_0) (h_1 + h)/(h_1 + h_0),   v where less is known of the steps before                  (2)
//
// with w_0, w_1 of the last two substeps, of lengths h_0 and h_1: a line through the mean velocities at their middles;
// 2 w_1 - w_0 for equal lengths. The factor is at most 2. Where contacts are met, an impact may lie between them: then
// lengths that differ start from v, too, rates are those of v, and fewer substeps are taken at once. Without contacts
// rates are those of (q+ - q)/h over the last whole step.
// A step is divided as substep_control.h asks. One that does not converge is halved, five times at most; what
// is left then is made by a backward Euler step of that 32nd part, converged too, and counted. When this has cost more
// than explicit steps would, those are made instead (em_ladder.h).
//
// The dial rho in [1/3, 1] (two_state_force.h, (2)) has
//
//   chi = rho (1 - rho)/(2 (1 + rho)^2),   E* = T + W + chi/2 sum V dE:C0:dE                              (3)
//
// and E* never rises. Simo and Tarnow: The discrete energy-momentum method, 1992; Gonzalez: Time integration
// and discrete Hamiltonian systems, 1996.
#pragma once

#include <array>
#include <memory>

#include "phiflex/integrate/em_ladder.h"
#include "phiflex/integrate/em_solver.h"
#include "phiflex/integrate/halving.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/newton.h"
#include "phiflex/integrate/step_memory.h"
#include "phiflex/integrate/substep_control.h"

namespace phiflex {

class EnergyMomentumMethod : public Integrator {
 public:
  using Options = EmOptions;
  const MethodInfo& info() const final { return info_; }
  StepReport step(const State& now, double h, State& next) final;
  const KeptInverse* kept_inverse() const final { return &solver_.kept(); }
  void save(ArchiveWriter& out) const final;
  void load(ArchiveReader& in) final;

 protected:
  // fit: null for none.
  EnergyMomentumMethod(const MethodInfo& info, const MechanicalSystem& system, const EmOptions& options,
                       std::unique_ptr<ModalFit> fit);

 private:
  // What is carried from substep to substep, and kept when a step succeeds.
  struct Memory {
    StepMemory last;            // the last substep
    int known = 0;              // how many of w and w_before there are
    double length_before = 0;   // of the substep of w_before, s
    Vector w, w_before;         // m/s
    Vector mean;                // velocity of the last whole step, m/s
    Vector strain;              // the dial's dE
    Vector modal;               // dq of the fitted modes, for the dial
    double largest_energy = 0;  // kinetic, J
  };
  StepStatus advance(const State& now, double h, State& next, Work& work);
  StepStatus advance_or_fall_back(const State& now, double h, State& next, Work& work);
  StepStatus backward_euler(const State& now, double h, State& next, Work& work);
  bool explicit_steps(const State& now, double h, State& next, Work& work);  // false: they fail
  void start_afresh(const State& next);                                      // after a step of another method
  const State& resolved_motion(const State& now, double h);                  // where rates are taken
  SubstepEffort effort(const Work& work) const;                              // of a step that was made
  void predict(const State& now, double h);
  void remember(const State& next, double h);

  MethodInfo info_;
  const MechanicalSystem& system_;
  NewtonOptions last_resort_;
  double chi_;
  EmSolver solver_;
  std::unique_ptr<ModalFit> fit_;
  Halving halving_;
  bool has_contacts_;
  SubstepControl substeps_;
  EmLadder ladder_;
  std::unique_ptr<NewtonSolver> newton_;  // only where the last resort was needed
  ImplicitStage stage_;
  Memory memory_, kept_;
  std::array<State, 2> inner_;
  // Of the step under way.
  double smallest_step_ = 0;
  int first_ = 0;             // 1: the step makes the first factorization
  int repeated_at_most_ = 0;  // factorizations, of a substep
  StepWork step_work_;
  State resolved_;
  Vector start_, w_, f_;
};

}  // namespace phiflex

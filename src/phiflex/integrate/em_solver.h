// The nonlinear solver of energy-momentum steps. Unknown: the mean velocity w (m/s) of a step of length h.
//
//   r(w) = M (w - v) - h/2 f_em(q, q + h w) = 0;    with a fit T (modal_fit.h)  M T (T w - v) - h/2 f_em  (1)
//
// One factorization of A0 = M + h/2 D + h^2/4 K is kept over iterations and steps, and turned with the body
// by the rotations R from where it was made to where the step is:
//
//   d = -R A0^-1 R' r(w)                                                                                  (2)
//
// and, where K has a low-rank part beside it, with (2) of linalg/low_rank.h for the modes of the step.
//
// Contacts stand beside A0, as they are at the iterate: with their blocks B (linalg/stencil_blocks.h),
//
//   d = -(R A0 R' + h^2/4 B)^-1 r(w)                                                                      (6)
//
// by conjugate gradients on the kept factorization (linalg/beside_solver.h; on several ranks
// ImplicitMatrix::precondition_beside()), to 1e-2. Where all iterates stay within the
// room of the step (TwoStateForce::room), nothing is met and no way is looked at. Else no iterate moves farther than
// the way to it is free (MechanicalSystem::free_way), so that a state behind a surface, where (1) has solutions, too,
// is never reached. Where the way is not free, the vertices that stand in it are held back, each on its own
// (holds_back.h), and the others go on; if that is not enough, all go 0.9 of the free part. (To shorten every way for
// the one contact that is met first takes twice as many iterations.) Where six iterates in a row are cut short, the
// contact does not push against what approaches it: the step has failed.
//
// Iterates follow from d by Anderson acceleration. One that leaves a material's domain is drawn back, halfway
// to the last one inside, until the force is finite; one with inverted elements, ten times at most, until
//
//   r'M^-1 r  does not grow                                                                               (8)
//
// for A0 knows nothing of the other side, and d is too long by factors of 1e3 there. Where A0 is not positive definite,
// it is made from the projected stiffness.
//
// The step's error of energy is 2 w'r exactly. Stop when
//
//   |d|_M <= tol (|w - v|_M + 0.01 |w|_M)   and   2 |w'r| <= etol (w'M w + 1e-8 largest so far)           (3)
//   or  h |d|_M <= 1e-12 extent sqrt(sum of masses)  and the second of (3) holds, or d no longer falls    (4)
//
// extent: the largest side of the bodies at rest. Corrections below (4) are rounding of positions. What is left of the
// energy error is then taken out along the secant of the last two iterates, which costs nothing:
//
//   w + beta dw,   (w + beta dw)'(r + beta dr) = 0,   where |beta| <= 1/2                                 (5)
//
// Where it cannot, and the error is above a tenth of etol, the next iterate is taken if its error is smaller, for
// one force and no solve: errors that stay are most of them gains, and would add up over a long run. Then the rigid
// part of the residual is taken out (TwoStateForce::correct_momenta), which changes the energy, too: of stiff bodies,
// where the rigid part and the others are large and cancel in w'r, by more than etol. Where contacts do not push, the
// new error is known, r + M (change of w); where it is above a tenth of etol,
//
//   (5) is made anew between both iterates with their momenta corrected                                   (7)
//
// so that it leaves the momenta. After (7), and where contacts may push, the result is looked at, for one force: the
// iterate that met (3), with its momenta corrected alone or as it is, takes its place if the way to it is not free or
// its error of the energy is larger than that of the iterate, above a tenth of etol and above 1e-13 w'M w, which is
// rounding. Where contacts push, etol of (3) is a fifth of the given one: impacts come one after the other, and their
// errors would add up.
//
// A fresh factorization is made after 12 iterations, or when |d| grows, then halfway back to the best
// iterate: four times in a step at most, and 30 iterations in all. Then the step has not converged, and is not
// accepted. Where contacts push, |d| grows when an iterate meets new ones, which no factorization knows: it goes back
// halfway and keeps the one it has.
#pragma once

#include <memory>

#include "phiflex/integrate/anderson.h"
#include "phiflex/integrate/em_options.h"
#include "phiflex/integrate/modal_fit.h"
#include "phiflex/linalg/beside_solver.h"
#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/way_within.h"
#include "phiflex/system/holds_back.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

// The equation of one step.
struct EmStep {
  const State& now;
  double h;
  Dial dial;
  ModalFit* fit = nullptr;             // updated for this step; null: none
  const Vector* fit_before = nullptr;  // coefficients of the step before, for the dial; null: zero
  double largest_energy = 0;           // of (3), J
};

class EmSolver {
 public:
  EmSolver(const MechanicalSystem& system, const EmOptions& options);

  // From a first w; w is defined when the status is ok.
  StepStatus solve(const EmStep& step, const Vector& start, Vector& w, Work& work);
  // Of the latest solve: factorizations beyond the one that a new length of the step takes.
  int repeated_factorizations() const { return repeated_; }
  const KeptInverse& kept() const { return matrix_.kept(); }
  TwoStateForce& force() { return *force_; }  // of the latest step

  // The point at which the factorization was made; loading makes it again.
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  // Where a factorization was made: the step and the iterate.
  struct Linearization {
    State now;
    double h = 0, chi = 0, ratio = 1;
    Vector memory, w;  // memory is empty when there is none
    Definiteness definiteness = Definiteness::exact;
    State middle;  // of the step
  };

  StepStatus start_at_trial(const EmStep& step, Work& work);  // w_ = 0 before
  StepStatus move_to_trial(const EmStep& step, Work& work);
  // The free part of the way to q + h w, from a state or from that of an iterate.
  double free_way(const EmStep& step, const State& from, const Vector& w);
  double free_way(const EmStep& step, const Vector& from, const Vector& w);
  bool in_room(const EmStep& step, const Vector& w) const {
    return room_ > 0 && !any(team_, !within(w, room_ / step.h));
  }
  double size_of(const Vector& r);                   // of (8)
  bool limit_trial(const EmStep& step, Work& work);  // by the way from w_; false: it stalls
  bool evaluate(const EmStep& step, Work& work);     // r_trial_ at trial_; false: not finite
  StepStatus factorize(const EmStep& step, Work& work);
  SolveStatus factorize_as(Definiteness definiteness, Work& work);  // at factorized_
  // In parts of what (3) allows.
  double energy_error(const EmStep& step, const Vector& w, const Vector& r) const;
  // (5), (7): w from w_, which meets (3).
  void correct(const EmStep& step, bool has_before, Vector& w, Work& work);
  // (5): `to` and its residual; false: it cannot, and they are as before.
  bool follow_secant(const Vector& w, const Vector& r, const Vector& w_before, const Vector& r_before,
                     Vector& to, Vector& r_to);
  void follow_settled_secant(Vector& w);  // (7); w as before where it cannot
  void settle_momenta(Vector& w, Vector& r);
  // Whether a corrected w may take the place of w_. The force at it is looked at where contacts push, or always.
  enum class Look { if_contacts_push, always };
  bool may_replace_iterate(const EmStep& step, const Vector& w, Look look, Work& work);
  // w and r_end_; false: it cannot be evaluated, and trial_ is no iterate.
  bool correct_by_another_iterate(const EmStep& step, Vector& w, Work& work);
  void warp(const EmStep& step);
  void find_direction(const EmStep& step, Work& work);
  void add_low_rank_inverse(double h, const Vector& r, Vector& z);
  bool converged(const EmStep& step, double size, double size_before);
  static void place_middle(const State& now, double h, const Vector& w, State& middle);
  double norm(const Vector& x) const;

  const MechanicalSystem& system_;
  const Team& team_;  // that shares it
  double tolerance_, energy_tolerance_;
  bool may_project_;
  double position_floor_;
  int repeated_ = 0;
  std::unique_ptr<TwoStateForce> force_;
  HoldsBack* holder_;                          // force_, if it is one; null: it is not
  std::unique_ptr<AssembledTangent> tangent_;  // of a system whose K has a low-rank part; else null
  ImplicitMatrix matrix_;
  Linearization factorized_;
  State middle_;
  BlockRotations R_;  // of (2)
  Vector positions_;
  Anderson anderson_;
  BesideSolver beside_;
  bool touches_ = false;  // d_ is that of (6)
  int cuts_ = 0;          // in a row
  double room_ = 0;       // of the step, at most half of the longest correction, m
  bool in_room_ = false;  // all iterates of the step were
  State from_, to_;
  Vector w_, r_, d_, trial_, r_trial_, f_, difference_, best_w_, modal_;
  Vector r_end_, settled_, r_settled_;  // of correct()
};

}  // namespace phiflex

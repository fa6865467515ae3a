// Steps on a system with contacts. A step of length h from now to next is accepted when nothing passed through
// anything,
//
//   free_way(now, next) = 1                                                                               (1)
//
// and when the method could know the stiffness of the contacts. With lambda a bound on the eigenvalues of M^-1 K of the
// contacts alone (MechanicalSystem::contact_stiffness), at now, and lambda+ at next,
//
//   h sqrt(max(lambda, lambda+)) <= 1/5   explicit: their error of energy goes with its square              (2)
//                                <= 1     resolved: methods without damping whose end is not what they solve for
//   h sqrt(lambda+ - 4 lambda) <= 1       linearized at now, with damping                                   (3)
//
// With delta a bound on the eigenvalues of M^-1 D of friction between bodies (MechanicalSystem::contact_drag), explicit
// methods keep
//
//   h max(delta, delta+) <= 1                                                                             (5)
//
// so that friction does not turn a slip around and gives no energy; `verlet` takes friction implicitly (leapfrog.h),
// and has no need of it.
//
// Stages of a step may lie in a contact, or behind it, when neither end does. Methods that are resolved must not be
// thrown by them: with the accelerations a and a+ at both ends, in the norm of M,
//
//   |v+ - v| <= 2 h max(|a|, |a+|) + 1e-3 |v|                                                             (4)
//
// A barrier that is met in the midst of a step is far stiffer at its end; a method that has not seen it coming is
// thrown back with energy that nothing paid for. Methods that solve for the force at the end, and damp, need (1) alone.
// A step that is not accepted, or fails, is halved, twelve times at most.
#pragma once

#include <memory>

#include "phiflex/base/function_ref.h"
#include "phiflex/integrate/halving.h"
#include "phiflex/integrate/integrator.h"

namespace phiflex {

class ContactGuard {
 public:
  using Accepted = FunctionRef<void(const State& from, const State& to)>;

  // resolves_drag: (5) holds.
  ContactGuard(const MechanicalSystem& system, ContactStep kind, bool resolves_drag = true);
  bool needed() const { return system_.has_contacts(); }

  // One step, halved where it is not accepted; the step itself where there are no contacts. accepted: of each part in
  // turn; where a later part fails, so does the step.
  StepStatus advance(Halving::OneStep step, const State& now, double h, State& next, Work& work,
                     Accepted accepted);
  // Of methods that (2) is for: whether a contact pushed at an end of any step since the guard was made.
  bool has_met() const { return met_; }

 private:
  double acceleration(const State& at, Work& work);  // |a| of (4); infinite where the force is not finite

  const MechanicalSystem& system_;
  ContactStep kind_;
  bool resolves_drag_;
  Halving halving_;
  bool met_ = false;
  Vector f_, a_;
};

// The method itself where the system has no contacts or the method guards its steps; else the method with guarded
// steps.
std::unique_ptr<Integrator> guard_contacts(std::unique_ptr<Integrator> method,
                                           const MechanicalSystem& system);

}  // namespace phiflex

// A one-step map (or a multistep method with its history): reads now, writes next. Rejecting a step is not
// using next; what an integrator keeps of earlier steps changes only when a step succeeds. (A kept
// factorization, which only speeds up solves, may be renewed by a step that fails.)
#pragma once

#include <string>
#include <string_view>

#include "phiflex/base/archive.h"
#include "phiflex/linalg/kept_inverse.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

// How a method meets contacts (contact_guard.h): their forces linearized at the beginning of a step, solved for at its
// end, in need of steps that resolve them, taken explicitly; or it guards its steps itself.
enum class ContactStep { linearized, solved, resolved, explicit_force, guarded };

// What a method declares of itself; the contract tests hold it to every word.
// What the scene's integrator `auto` (run/choose_method.h) takes a method for. At most one method has each role.
enum class AutoRole {
  none,           // never
  explicit_step,  // as many substeps as stability asks for
  implicit_step,
  fitted_step,  // implicit_step whose lowest modes are exact, for held bodies
  last_resort   // where a step of the others failed
};

struct MethodInfo {
  std::string_view name;     // the word in scenes
  std::string_view summary;  // one line
  int order = 1;             // of accuracy in q and v
  bool exact_on_linear = false;
  bool symplectic = false;
  bool l_stable = false;
  bool conditionally_stable = false;  // only for h w_max below stability_limit
  double stability_limit = 0;
  bool reversible = false;
  bool conserves_linear_energy = false;  // quadratic energies are kept exactly
  bool held_bodies_only = false;         // refuses bodies that may turn freely
  bool objective_damping = false;  // damping by stiffness acts on strains, whichever way a part has turned
  int embedded_order = 0;          // of the method behind the error estimate; 0: there is none
  int history = 1;                 // steps it looks back on
  std::string_view citation;       // key in docs/references.bib
  ContactStep contact = ContactStep::linearized;
  AutoRole auto_role = AutoRole::none;
  bool fixed_linear_part = false;  // builds on a linear part of the force that never changes
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual const MethodInfo& info() const = 0;
  // `now` may be another state than the last step ended in (a contact has changed it): the method compares
  // (step_memory.h), and then starts without its memory of earlier steps.
  virtual StepReport step(const State& now, double h, State& next) = 0;

  // The inverse that its implicit steps keep; null: it has none, or one of another kind.
  virtual const KeptInverse* kept_inverse() const { return nullptr; }

  // What is carried from step to step, for a restart that continues bit for bit.
  virtual void save(ArchiveWriter&) const {}
  virtual void load(ArchiveReader&) {}
};

}  // namespace phiflex

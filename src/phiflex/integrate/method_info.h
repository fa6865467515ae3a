// What a method declares of itself. In a header of its own: who reads the catalogue needs nothing of the waist.
#pragma once

#include <optional>
#include <string_view>

namespace phiflex {

// How a method meets contacts (contact_guard.h): their forces linearized at the beginning of a step, solved for at its
// end, in need of steps that resolve them, taken explicitly; or it guards its steps itself.
enum class ContactStep { linearized, solved, resolved, explicit_force, guarded };

// What the scene's integrator `auto` (run/choose_method.h) takes a method for. At most one method has each role.
enum class AutoRole {
  none,           // never
  explicit_step,  // as many substeps as stability asks for
  implicit_step,
  fitted_step,  // implicit_step whose lowest modes are exact, for held bodies
  last_resort   // where a step of the others failed
};

// What a usual step takes, counted. A method whose steps have no matrices keeps none.
struct UsualStep {
  double forces = 1, matrices = 0;
  double products = 0;    // of the matrix with a column
  double iterations = 0;  // of conjugate gradients
};

// The contract tests check every member.
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
  double largest_weight = 1;       // of a remainder in the formula: errors of remainders are multiplied by it
  bool keeps_overshoot = false;    // what the first step adds at h w > 1 does not decay
  // Of a method whose steps the ranks of phiflex-mpi share (docs/cluster.md): of vectors it asks for sums, products and
  // the system's inner products alone. For the time that phiflex-mpi foresees.
  std::optional<UsualStep> on_ranks = {};
};

}  // namespace phiflex

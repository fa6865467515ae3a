// The matrix  A = a M + b D + c K  at a state, and solves with it.
//
// The exact stiffness comes first; project() replaces it by the positive semidefinite one, so that a method
// whose right-hand side holds K can form it again from the same K. The factorization inside outlives the step
// (ImplicitMatrix decides how long), warped by the rotations of the vertices since; the state at which it was
// made is remembered and saved, so that a resumed run factorizes the same matrix and continues bit for bit.
#pragma once

#include <memory>
#include <string>

#include "phiflex/integrate/shared_options.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

class TangentSolver {
 public:
  // tolerance: of the solves with a kept factorization, relative. std::invalid_argument: solver_conflict() has
  // something to say.
  TangentSolver(const MechanicalSystem& system, const TangentOptions& options, double tolerance);

  // Assembles the exact K and D at a state.
  void linearize(const State& at, Shift shift, Work& work);
  // Assembles the projected K at the same state; false when that is not allowed (never with an indefinite
  // factorization) or has been done already.
  bool project(Work& work);
  const AssembledTangent& tangent() const { return *current_; }  // of the latest of these calls
  SolveStatus solve(const Vector& rhs, Vector& x, Work& work);   // A x = rhs
  void add_mass(double tau, Work& work);                         // A += tau M, with the current K and D
  // Makes sure that there is a factorization, of A or, as the policy has it, a kept one; it is what inverse()
  // applies, for modes and other bases that need no exact inverse.
  SolveStatus prepare(Work& work);
  ShiftInverse& inverse() { return inverse_; }
  const KeptInverse& kept() const { return matrix_.kept(); }

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  struct Linearization {
    State at;
    Shift shift;
    Definiteness definiteness = Definiteness::exact;
  };
  bool can_project() const { return may_project_ && latest_.definiteness == Definiteness::exact; }
  void assemble(Definiteness definiteness, Work& work);
  void set_matrix();
  void warp();
  void remember_factorization();

  const MechanicalSystem& system_;
  bool may_project_;
  std::unique_ptr<AssembledTangent> exact_, projected_;  // the second only when it is needed
  AssembledTangent* current_;
  ImplicitMatrix matrix_;
  ImplicitShiftInverse inverse_;
  Vector positions_;
  BlockRotations rotations_;  // from the state of the factorization to the latest
  Linearization latest_, factorized_;
  bool factorized_is_latest_ = false;
};

StepStatus to_step_status(SolveStatus status);
// Why an indefinite factorization, if that is asked for, cannot be had with these options on this system; else empty.
std::string solver_conflict(const MechanicalSystem& system, const TangentOptions& options);
// A multigrid needs positions: systems without them are factorized.
inline LinearSolver solver_for(const MechanicalSystem& system, const TangentOptions& options) {
  if (options.factorization == Factorization::indefinite) return LinearSolver::indefinite;
  return system.has_positions() ? options.solver : LinearSolver::factorization;
}

}  // namespace phiflex

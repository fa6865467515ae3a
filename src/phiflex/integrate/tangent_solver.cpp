#include "phiflex/integrate/tangent_solver.h"

#include <stdexcept>

#include "phiflex/system/state.h"

namespace phiflex {

TangentSolver::TangentSolver(const MechanicalSystem& system, const TangentOptions& options, double tolerance)
    : system_(system),
      may_project_(options.project_hessian && options.factorization == Factorization::cholesky),
      exact_(system.assembled_tangent(Definiteness::exact)),
      current_(exact_.get()),
      matrix_(system.mass(), system.pattern(), options.refactor, tolerance, solver_for(system, options)),
      inverse_(matrix_) {
  if (const std::string conflict = solver_conflict(system, options); !conflict.empty())
    throw std::invalid_argument("factorization: " + conflict);
}

std::string solver_conflict(const MechanicalSystem& system, const TangentOptions& options) {
  if (options.factorization != Factorization::indefinite) return {};
  if (options.solver == LinearSolver::multigrid)
    return "\"indefinite\" is a factorization, and `solver` asks for a multigrid; leave one of them out";
  if (system.has_contacts())
    return "\"indefinite\" does not serve contacts by a barrier; take \"mode\": \"penalty\" for them, or "
           "leave it out";
  return {};
}

void TangentSolver::assemble(Definiteness definiteness, Work& work) {
  if (definiteness == Definiteness::projected && !projected_)
    projected_ = system_.assembled_tangent(Definiteness::projected);
  current_ = definiteness == Definiteness::exact ? exact_.get() : projected_.get();
  latest_.definiteness = definiteness;
  factorized_is_latest_ = false;
  const PhaseTimer timer(work.assembly_seconds);
  ++work.assemblies;
  current_->update(latest_.at);
  set_matrix();
}

void TangentSolver::set_matrix() {
  matrix_.set(latest_.shift, current_->D(), current_->K());
  if (latest_.definiteness == Definiteness::projected) matrix_.expect_definite();
  matrix_.add_low_rank(current_->low_rank());
  matrix_.add_blocks(current_->blocks(), current_->drag_blocks());
  if (matrix_.needs_positions()) {
    system_.positions(latest_.at, positions_);
    matrix_.set_positions(positions_);
  }
  warp();
}

void TangentSolver::warp() {
  if (!matrix_.has_factorization() || matrix_.needs_factorization()) return;
  system_.rotations(factorized_.at, latest_.at, rotations_);
  matrix_.warp(rotations_);
}

void TangentSolver::linearize(const State& at, Shift shift, Work& work) {
  latest_.at = at;
  latest_.shift = shift;
  assemble(Definiteness::exact, work);
}

bool TangentSolver::project(Work& work) {
  if (!can_project()) return false;
  ++work.projected_hessians;
  assemble(Definiteness::projected, work);
  return true;
}

void TangentSolver::add_mass(double tau, Work& work) {
  latest_.shift.a += tau;
  factorized_is_latest_ = false;
  const PhaseTimer timer(work.assembly_seconds);
  set_matrix();
}

SolveStatus TangentSolver::solve(const Vector& rhs, Vector& x, Work& work) {
  const SolveStatus status = matrix_.solve(rhs, x, work);
  remember_factorization();
  // A multigrid converges on the projected stiffness where it does not on one that is almost indefinite.
  if (status == SolveStatus::not_converged && can_project()) return SolveStatus::not_positive_definite;
  return status;
}

SolveStatus TangentSolver::prepare(Work& work) {
  const SolveStatus status = matrix_.prepare(work);
  remember_factorization();
  return status;
}

void TangentSolver::remember_factorization() {
  if (factorized_is_latest_ || !matrix_.factorization_is_current()) return;
  factorized_ = latest_;
  factorized_is_latest_ = true;
}

void TangentSolver::save(ArchiveWriter& out) const {
  matrix_.save_structure(out);
  out.put(std::int64_t{matrix_.has_factorization()});
  if (matrix_.has_factorization()) {
    put_state(factorized_.at, out);
    out.put(factorized_.shift.a);
    out.put(factorized_.shift.b);
    out.put(factorized_.shift.c);
    out.put(std::int64_t{factorized_.definiteness == Definiteness::projected});
  }
  matrix_.save(out);
}

void TangentSolver::load(ArchiveReader& in) {
  matrix_.drop_factorization();
  matrix_.load_structure(in);
  if (in.get_integer() != 0) {
    get_state(in, system_.dofs(), latest_.at);
    latest_.shift.a = in.get_double();
    latest_.shift.b = in.get_double();
    latest_.shift.c = in.get_double();
    const bool projected = in.get_integer() != 0;
    Work not_of_a_step;
    assemble(projected ? Definiteness::projected : Definiteness::exact, not_of_a_step);
    if (matrix_.refactor(not_of_a_step) != SolveStatus::ok)
      throw ArchiveError("the kept factorization cannot be made again: the archive is of another system");
    factorized_ = latest_;
  }
  matrix_.load(in);
}

StepStatus to_step_status(SolveStatus status) {
  switch (status) {
    case SolveStatus::ok:
      return StepStatus::ok;
    case SolveStatus::not_positive_definite:
      return StepStatus::not_positive_definite;
    case SolveStatus::not_converged:
      return StepStatus::not_converged;
    case SolveStatus::not_finite:
      break;
  }
  return StepStatus::not_finite;
}

}  // namespace phiflex

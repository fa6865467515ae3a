#include "phiflex/integrate/rest_solver.h"

namespace phiflex {
namespace {

constexpr double kUnusedTolerance =
    1e-12;  // solves have a factorization of their own, and no use for a tolerance

}  // namespace

RestSolver::RestSolver(const MechanicalSystem& system, const RestOptions& options)
    : tangent_(system, {.refactor = RefactorPolicy::always, .project_hessian = options.project_hessian},
               kUnusedTolerance) {
  rest_.q = rest_.v = Vector::Zero(system.dofs());
}

StepStatus RestSolver::prepare(Shift shift, const State& first, Work& work) {
  if (shift_ == shift) return StepStatus::ok;
  shift_.reset();
  SolveStatus status = factorize_at(rest_, shift, work);
  if (status == SolveStatus::not_finite) status = factorize_at(first, shift, work);
  if (status == SolveStatus::ok) shift_ = shift;
  return to_step_status(status);
}

SolveStatus RestSolver::factorize_at(const State& at, Shift shift, Work& work) {
  tangent_.linearize(at, shift, work);
  SolveStatus status = tangent_.prepare(work);
  if (status == SolveStatus::not_positive_definite && tangent_.project(work)) status = tangent_.prepare(work);
  return status;
}

StepStatus RestSolver::solve(const Vector& rhs, Vector& x, Work& work) {
  return to_step_status(tangent_.solve(rhs, x, work));
}

void RestSolver::save(ArchiveWriter& out) const {
  out.put(std::int64_t{shift_.has_value()});
  if (!shift_) return;
  out.put(shift_->a);
  out.put(shift_->b);
  out.put(shift_->c);
  tangent_.save(out);
}

void RestSolver::load(ArchiveReader& in) {
  shift_.reset();
  if (in.get_integer() == 0) return;
  Shift shift;
  shift.a = in.get_double();
  shift.b = in.get_double();
  shift.c = in.get_double();
  tangent_.load(in);
  shift_ = shift;
}

}  // namespace phiflex

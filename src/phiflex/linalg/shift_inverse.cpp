#include "phiflex/linalg/shift_inverse.h"

#include <stdexcept>

#include "phiflex/linalg/work_rates.h"

namespace phiflex {

double ImplicitShiftInverse::shift() const {
  return matrix_.shift().c / matrix_.shift().a;
}

// (a M + c K)^-1 a R = (M + s K)^-1 R.
void ImplicitShiftInverse::apply(const Matrix& R, Matrix& X, Work& work) {
  matrix_.precondition(R, X, work);
  X *= matrix_.shift().a;
}

double ImplicitShiftInverse::preparation_work() const {
  return matrix_.needs_factorization() ? matrix_.factorization_work() / matrix_.product_work() : 0;
}

double ImplicitShiftInverse::solve_work() const {
  return matrix_.preconditioner_work() / matrix_.product_work();
}

SolveStatus KeptShiftInverse::prepare(Work&) {
  if (!kept_.ready()) throw std::logic_error("KeptShiftInverse: nothing was built");
  return SolveStatus::ok;
}

void KeptShiftInverse::apply(const Matrix& R, Matrix& X, Work& work) {
  const PhaseTimer timer(work.solve_seconds);
  if (kept_.is_exact()) {
    kept_.solve(R, X);
  } else {
    kept_.precondition(R, X);
  }
  work.solves += R.cols();
}

double KeptShiftInverse::solve_work() const {
  return kept_.solve_work() / product_work(kept_.pattern());
}

SolveStatus FactorizedShiftInverse::prepare(Work&) {
  if (!factorization_.ready()) throw std::logic_error("FactorizedShiftInverse: no factorization is there");
  return SolveStatus::ok;
}

SolveStatus OuterShiftInverse::prepare(Work&) {
  if (!solver_.ready()) throw std::logic_error("OuterShiftInverse: nothing was built");
  return SolveStatus::ok;
}

void FactorizedShiftInverse::apply(const Matrix& R, Matrix& X, Work& work) {
  const PhaseTimer timer(work.solve_seconds);
  factorization_.solve(R, X);
  work.solves += R.cols();
}

double FactorizedShiftInverse::solve_work() const {
  return phiflex::solve_work(factorization_) / product_work(factorization_.pattern());
}

}  // namespace phiflex

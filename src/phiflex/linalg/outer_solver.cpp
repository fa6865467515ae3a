#include "phiflex/linalg/outer_solver.h"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

#include "phiflex/linalg/halo.h"
#include "phiflex/linalg/work_rates.h"

namespace phiflex {
namespace {

constexpr double kSolveTolerance = 1e-6, kProbeTolerance = 1e-8;
constexpr int kMostSolveIterations = 100, kProbeSteps = 24;
constexpr double kUsualIterations = 20;  // to 1e-6, whatever the size and the stiffness

}  // namespace

OuterSolver::OuterSolver(const MassMatrix& mass, std::shared_ptr<const SparsityPattern> pattern)
    : mass_(mass) {
  const Halo* halo = pattern->halo();
  if (!halo) throw std::invalid_argument("OuterSolver: the matrix belongs to one rank");
  inverse_ = halo->make_inverse(std::move(pattern));
}

FactorStatus OuterSolver::build(const SparseMatrix& A, const Vector& positions, Work& work) {
  A_ = nullptr;
  const FactorStatus status = inverse_->build(A, positions);
  if (status != FactorStatus::ok) return status;
  A_ = &A;
  // Any vector will do, as long as it is the same every time.
  std::mt19937 random(1 + unsigned(mass_.team().rank()));
  rhs_.resize(A.rows());
  for (Index i = 0; i < rhs_.size(); ++i)
    rhs_[i] = mass_.diagonal()[i] * (double(random()) / double(std::mt19937::max()) - 0.5);
  switch (iterate(rhs_, kProbeTolerance, kProbeSteps, x_, work)) {
    case End::converged:
    case End::gave_up:
      return FactorStatus::ok;
    case End::not_positive_definite:
      A_ = nullptr;
      return FactorStatus::not_positive_definite;
    case End::not_finite:
      break;
  }
  A_ = nullptr;
  return FactorStatus::not_finite;
}

OuterSolver::End OuterSolver::iterate(const Vector& rhs, double tolerance, int limit, Vector& x, Work& work) {
  const Team& team = mass_.team();
  r_ = rhs;
  x.setZero(rhs.size());
  inverse_->precondition(r_, z_);
  ++work.solves;
  double rz = dot(team, r_, z_);
  const double target = tolerance * tolerance * rz;
  p_ = z_;
  for (int iteration = 0; iteration < limit; ++iteration) {
    if (!std::isfinite(rz)) return End::not_finite;
    if (rz < 0) return End::not_positive_definite;
    if (rz == 0 || (iteration > 0 && rz <= target)) return End::converged;
    A_->apply(p_, Ap_);
    ++work.stiffness_products;
    ++work.cg_iterations;
    const double curvature = dot(team, p_, Ap_);
    if (!std::isfinite(curvature)) return End::not_finite;
    if (curvature <= 0) return End::not_positive_definite;
    const double alpha = rz / curvature;
    x.noalias() += alpha * p_;
    r_.noalias() -= alpha * Ap_;
    inverse_->precondition(r_, z_);
    ++work.solves;
    const double before = std::exchange(rz, dot(team, r_, z_));
    p_ = z_ + (rz / before) * p_;
  }
  return End::gave_up;
}

void OuterSolver::solve(const Matrix& R, Matrix& X, Work& work) {
  if (!A_) throw std::logic_error("OuterSolver: nothing was built");
  const PhaseTimer timer(work.solve_seconds);
  X.resize(R.rows(), R.cols());
  for (Index j = 0; j < R.cols(); ++j) {
    rhs_ = R.col(j);
    if (iterate(rhs_, kSolveTolerance, kMostSolveIterations, x_, work) == End::not_finite)
      x_.setConstant(rhs_.size(), std::numeric_limits<double>::quiet_NaN());
    X.col(j) = x_;
  }
}

double OuterSolver::solve_work() const {
  return kUsualIterations * (kOuterCycleWork + 1) + kOuterCycleWork;
}

}  // namespace phiflex

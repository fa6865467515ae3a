#include "phiflex/integrate/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/integrate/evaluate.h"

namespace phiflex {

namespace {
// eta of (4): a Newton step cannot use more, and a kept factorization gives it in a few iterations.
constexpr double kLinearTolerance = 1e-3;
constexpr int kMostLineHalvings = 10;                                   // of alpha
constexpr double kFirstTau = 0.1, kTauGrowth = 10, kLargestTau = 1e12;  // of (6)
constexpr double kFreeShare = 0.9;                                      // of a free way
constexpr double kLongestWay = 0.1;                                     // of the extent

// The stage's linearization and Newton's method are corrected in the same way.
TangentOptions corrected_one_way(const NewtonOptions& options) {
  TangentOptions tangent = options.tangent;
  if (options.hessian_correction == HessianCorrection::diagonal) tangent.project_hessian = false;
  return tangent;
}
}  // namespace

NewtonSolver::NewtonSolver(const MechanicalSystem& system, const NewtonOptions& options)
    : system_(system),
      tolerance_(options.newton_tolerance),
      limit_(options.newton_limit),
      correction_(options.hessian_correction),
      position_floor_(position_floor(system)),
      linearized_(system, corrected_one_way(options), kLinearTolerance) {}

StepStatus NewtonSolver::solve(const ImplicitStage& stage, const State& now, const Vector& f, Vector& w,
                               Work& work) {
  const StepStatus start = linearized_.solve(stage, now, f, d_, work);
  if (start == StepStatus::not_positive_definite && correction_ == HessianCorrection::diagonal)
    d_.setZero(now.v.size());  // (6) needs an r: begin at the stage's own guess
  else if (start != StepStatus::ok)
    return start;
  double size_before = norm(d_);
  // w_ where the stage's q is that of now, and d_ from there to start + d.
  w_ = stage.start;
  if (stage.rho > 0) w_ = (now.q - stage.q0) / stage.rho;
  d_ += stage.start - w_;
  Search search = begin_along_d(stage, now, work);
  if (search.alpha != 1) size_before = 0;

  for (int iteration = 0; search.status == StepStatus::ok; ++iteration) {
    if (iteration == limit_) return StepStatus::not_converged;
    ++work.newton_iterations;
    const Direction direction = find_direction(stage, work);
    if (direction.status != SolveStatus::ok) return to_step_status(direction.status);
    const double size = norm(d_);
    if (!std::isfinite(size)) return StepStatus::not_finite;
    if (!direction.raised && converged(stage, size, size_before)) {
      w = w_ + d_;
      if (free_way(stage, at_, w) < 1) w = w_;
      return StepStatus::ok;
    }
    search = advance_along_d(stage, 0.5 * std::abs(dot(system_.mass().team(), d_, r_)), work);
    size_before = search.alpha == 1 && !direction.raised ? size : 0;
  }
  return search.status;
}

NewtonSolver::Direction NewtonSolver::find_direction(const ImplicitStage& stage, Work& work) {
  TangentSolver& tangent = linearized_.tangent_solver();
  tangent.linearize(at_, stage.shift(), work);
  SolveStatus status = tangent.solve(r_, d_, work);
  if (status == SolveStatus::not_positive_definite && tangent.project(work))
    status = tangent.solve(r_, d_, work);
  bool raised = false;
  double tau = 0;
  while (status == SolveStatus::not_positive_definite && correction_ == HessianCorrection::diagonal &&
         tau < kLargestTau) {
    const double larger = raised ? kTauGrowth * tau : kFirstTau;
    tangent.add_mass(larger - tau, work);  // (6)
    ++work.raised_hessians;
    tau = larger;
    raised = true;
    status = tangent.solve(r_, d_, work);
  }
  if (status == SolveStatus::ok) d_ = -d_;  // (2)
  return {status, raised};
}

double NewtonSolver::free_way(const ImplicitStage& stage, const State& from, const Vector& w) {
  if (!system_.has_contacts()) return 1;
  stage.place(w, to_);
  return system_.free_way(from, to_);
}

void NewtonSolver::limit_d(const ImplicitStage& stage) {
  if (!system_.has_contacts()) return;
  const auto longest_of = [&](const Vector& x) {
    return stage.rho * largest(system_.mass().team(), x.lpNorm<Eigen::Infinity>());
  };
  const double way = longest_of(d_), longest = std::max(kLongestWay * system_.extent(), longest_of(w_));
  if (way > longest) d_ *= longest / way;
}

NewtonSolver::Search NewtonSolver::begin_along_d(const ImplicitStage& stage, const State& now, Work& work) {
  limit_d(stage);
  bool free = true;
  double alpha = 1;
  for (int halving = 0; halving <= kMostLineHalvings; ++halving) {
    if (halving > 0) ++work.line_search_steps;
    trial_ = w_ + alpha * d_;
    const double part = free_way(stage, now, trial_);
    free = part == 1;
    if (free && evaluate(stage, work)) {
      w_.swap(trial_);
      r_.swap(r_trial_);
      return {StepStatus::ok, alpha};
    }
    alpha *= free ? 0.5 : kFreeShare * part;
  }
  return {free ? StepStatus::not_finite : StepStatus::not_free, alpha};
}

// w <- w + alpha d by (3), with at_ and r_ at the new w; at_ is the state of w before.
NewtonSolver::Search NewtonSolver::advance_along_d(const ImplicitStage& stage, double slope_limit,
                                                   Work& work) {
  bool finite = false;
  limit_d(stage);
  trial_ = w_ + d_;
  const double part = free_way(stage, at_, trial_);
  double alpha = part < 1 ? kFreeShare * part : 1;
  for (int halving = 0; halving <= kMostLineHalvings; ++halving, alpha /= 2) {
    if (halving > 0) ++work.line_search_steps;
    trial_ = w_ + alpha * d_;
    finite = evaluate(stage, work);
    if (finite && dot(system_.mass().team(), d_, r_trial_) <= slope_limit) {
      w_.swap(trial_);
      r_.swap(r_trial_);
      return {StepStatus::ok, alpha};
    }
  }
  return {finite ? StepStatus::not_converged : StepStatus::not_finite, alpha};
}

// at_ and r_trial_ at trial_; false: not finite.
bool NewtonSolver::evaluate(const ImplicitStage& stage, Work& work) {
  stage.place(trial_, at_);
  if (evaluate_force(system_, at_, force_, work) != StepStatus::ok) return false;
  change_ = trial_ - stage.w0;
  system_.mass().apply(change_, r_trial_);
  r_trial_ -= stage.s * force_;  // (1)
  return all_finite(system_.mass().team(), r_trial_);
}

bool NewtonSolver::converged(const ImplicitStage& stage, double size, double size_before) const {
  if (stage.h * size <= position_floor_) return true;  // (5)
  const double theta = size < size_before ? size / size_before : 1;
  const double left = theta < 0.5 ? std::max(theta / (1 - theta), kLinearTolerance) : 1;
  return left * size <= tolerance_ * (norm(w_) + norm(stage.w0) + norm(stage.v0));  // (4)
}

double NewtonSolver::norm(const Vector& x) const {
  return std::sqrt(system_.mass().dot(x, x));
}

}  // namespace phiflex

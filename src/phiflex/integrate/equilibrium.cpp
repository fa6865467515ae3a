#include "phiflex/integrate/equilibrium.h"

#include <algorithm>
#include <cmath>

namespace phiflex {
namespace {

constexpr double kForceTolerance = 1e-10, kShortStep = 1e-12, kNearTolerance = 1e-6;  // of (4)
constexpr double kFirstMove = 0.1, kLargestMove = 0.5;                                // of the extent
constexpr double kEquilibriumTauGrowth = 10,
                 kEquilibriumLargestTau = 1e12;  // the second in units of the first tau
constexpr int kEquilibriumHalvings = 12, kIdleLimit = 5;
constexpr double kFirstShare = 0.25, kLeastShare = 1.0 / 64;  // of (5)
constexpr int kShareLimit = 50;                               // iterations of one of its steps

class Equilibrium {
 public:
  Equilibrium(const MechanicalSystem& system, State& at)
      : system_(system), at_(at), still_(at), solver_(system, {}, kSolveTolerance) {
    still_.v.setZero(at.v.size());
  }

  EquilibriumReport find() {
    start_ = still_.q;
    report_.reached = 0;
    if (!evaluate(still_, f_)) return end(StepStatus::not_finite);
    report_.reached = 1;
    f_start_ = f_;
    first_force_ = f_.norm();
    Vector acceleration;
    system_.mass().solve(f_, acceleration);
    first_tau_ =
        acceleration.size() > 0 ? acceleration.lpNorm<Eigen::Infinity>() / (kFirstMove * extent()) : 0;
    const StepStatus status = balance(kEquilibriumLimit);
    return end(status == StepStatus::ok ? status : load_step_by_step(status));
  }

 private:
  static constexpr double kSolveTolerance = 1e-8;
  bool is_near() const { return f_.norm() <= kNearTolerance * first_force_; }
  double extent() const { return std::max(system_.extent(), 1e-300); }

  // From q to the equilibrium of (5), by (2) and (3).
  StepStatus balance(int limit) {
    tau_ = 0;
    int idle = 0;  // steps in a row that did not halve |f|
    for (int made = 0; f_.norm() > kForceTolerance * first_force_; ++made) {  // (4)
      if (made == limit) return StepStatus::not_converged;
      ++report_.iterations;
      const double before = f_.norm();
      const StepStatus status = improve();
      if (status != StepStatus::ok) return status;
      if (was_full_ && d_.lpNorm<Eigen::Infinity>() <= kShortStep * extent()) break;  // (4)
      idle = f_.norm() > before / 2 ? idle + 1 : 0;
      if (is_near() && idle >= kIdleLimit) break;
    }
    return StepStatus::ok;
  }

  // By (5). failed: how the way without steps ended.
  StepStatus load_step_by_step(StepStatus failed) {
    const int limit = report_.iterations + kEquilibriumLimit;
    Vector reached = start_;
    report_.reached = 0;
    for (double step = kFirstShare;
         report_.reached < 1 && step >= kLeastShare && report_.iterations < limit;) {
      still_.q = reached;
      share_ = std::min(report_.reached + step, 1.0);
      const bool found = evaluate(still_, f_) && balance(kShareLimit) == StepStatus::ok;
      if (found) {
        reached = still_.q;
        report_.reached = share_;
      }
      step *= found ? 2 : 0.5;
    }
    still_.q = reached;
    share_ = 1;
    evaluate(still_, f_);
    return report_.reached == 1 ? StepStatus::ok : failed;
  }

  EquilibriumReport end(StepStatus status) {
    report_.status = status;
    report_.force = f_.norm();
    report_.residual = first_force_ > 0 ? report_.force / first_force_ : 0;
    report_.moved = start_.size() > 0 ? (still_.q - start_).lpNorm<Eigen::Infinity>() : 0;
    at_.q = still_.q;
    return report_;
  }

  bool evaluate(const State& at, Vector& f) {
    ++report_.work.force_evaluations;
    system_.force(at, f);
    if (share_ < 1) f -= (1 - share_) * f_start_;  // (5)
    return f.allFinite() && std::isfinite(system_.potential_energy(at));
  }

  // One step of (2), with as much tau as it takes. f_ is the force of (5).
  StepStatus improve() {
    for (;;) {
      const SolveStatus solved = find_direction();
      if (solved == SolveStatus::not_finite) return StepStatus::not_finite;
      const bool usable = solved == SolveStatus::ok && d_.allFinite() &&
                          d_.lpNorm<Eigen::Infinity>() <= kLargestMove * extent();
      if (usable) {
        const double alpha = advance();
        was_full_ = alpha == 1 && tau_ == 0;
        if (alpha == 1) tau_ = tau_ > first_tau_ / 1000 ? tau_ / kEquilibriumTauGrowth : 0;
        if (alpha > 0 || is_near()) return StepStatus::ok;
      }
      tau_ = tau_ > 0 ? kEquilibriumTauGrowth * tau_ : first_tau_;
      if (!(tau_ <= kEquilibriumLargestTau * first_tau_) || first_tau_ == 0) return StepStatus::not_converged;
    }
  }

  SolveStatus find_direction() {
    solver_.linearize(still_, {tau_, 0, 1}, report_.work);
    SolveStatus status = solver_.solve(f_, d_, report_.work);
    if (status == SolveStatus::not_positive_definite && solver_.project(report_.work))
      status = solver_.solve(f_, d_, report_.work);
    return status;
  }

  // By (3); 0: no part of the way will do.
  double advance() {
    const double limit = 0.5 * std::abs(d_.dot(f_));
    double alpha = 1;
    for (int halving = 0; halving <= kEquilibriumHalvings; ++halving, alpha /= 2) {
      trial_ = still_;
      trial_.q += alpha * d_;
      if (!evaluate(trial_, f_trial_) || -d_.dot(f_trial_) > limit) continue;
      still_.q.swap(trial_.q);
      f_.swap(f_trial_);
      return alpha;
    }
    return 0;
  }

  const MechanicalSystem& system_;
  State& at_;
  State still_, trial_;  // without velocity
  TangentSolver solver_;
  Vector start_, f_start_, f_, f_trial_, d_;
  double tau_ = 0, first_tau_ = 0, first_force_ = 0;
  double share_ = 1;       // s of (5)
  bool was_full_ = false;  // the latest step was Newton's own, without damping
  EquilibriumReport report_;
};

}  // namespace

EquilibriumReport find_equilibrium(const MechanicalSystem& system, State& at) {
  if (system.dofs() == 0) return {};
  return Equilibrium(system, at).find();
}

}  // namespace phiflex

#include "phiflex/matfun/krylov_evaluator.h"

#include <algorithm>
#include <cmath>

#include "phiflex/matfun/product_limit.h"

namespace phiflex {

KrylovEvaluator::KrylovEvaluator(const Rules& rules, const PhiOptions& options, const InnerProduct* norm)
    : options_(options),
      rules_(rules),
      norm_(norm),
      product_(rules.space == Space::augmented && norm ? std::optional<AugmentedProduct>(*norm)
                                                       : std::nullopt),
      arnoldi_(product_ ? &*product_ : norm, rules.orthogonalization) {}

EvaluationReport KrylovEvaluator::evaluate(const LinearOperator& A, std::span<const Vector> u,
                                           std::span<const double> tau, std::span<Vector> w) {
  report_ = {.evaluator = rules_.name};
  const PhiInput input(A, u, tau, w);
  if (input.kind() != InputKind::usable) {
    report_.status = input.finish_without_work(w);
    return report_;
  }
  n_ = A.size();
  input_ = &input;
  unit_ = input.unit();
  if (product_) product_->set(n_);
  prepare(A, input);
  times_.resize(tau.size());
  sizes_.resize(tau.size());
  for (std::size_t j = 0; j < tau.size(); ++j) times_[j] = tau[j] / unit_of_time_;
  for (tolerance_ = options_.tolerance; tolerance_ > 0;) tolerance_ = integrate(w);
  return report_;
}

// All outputs with tolerance_. Returns a smaller tolerance to do it again with, or zero: finished.
double KrylovEvaluator::integrate(std::span<Vector> w) {
  if (input_->has(0)) {
    w_ = input_->u()[0] / unit_;
  } else {
    w_.setZero(n_);
  }
  size_ = norm(w_);
  error_.start(tolerance_, times_.back(), size_);
  report_.error = 0;
  m_ = first_m_;
  begin_pass();
  double t = 0;
  for (std::size_t output = 0; output < times_.size();) {
    const double target = rules_.stops == Stops::at_outputs ? times_[output] : times_.back();
    to_output_ = target - t;
    left_ = times_.back() - t;
    if (!start_basis(t)) return 0;
    if (t == 0) h_ = first_length();

    Trial trial;
    std::size_t inside = output;  // the first output behind the substep
    double h = 0, end = 0;
    for (refused_ = 0;; h = std::min(refuse(trial), to_output_), ++refused_, ++report_.rejected) {
      if (!extend_basis()) return 0;
      if (refused_ == 0)
        h = invariant_ && rules_.stops == Stops::at_outputs ? to_output_ : std::min(h_, to_output_);
      if (hopeless(t, h)) return fail(EvaluationStatus::not_converged);
      end = h == to_output_ ? target : t + h;
      double worst = 0;
      for (inside = output; worst <= rules_.delta && times_[inside] < end; ++inside) {
        trial = attempt(times_[inside] - t);
        worst = std::max(trial.omega, worst);
        w[inside] = next_;
        sizes_[inside] = trial.norm;
      }
      if (worst <= rules_.delta) trial = attempt(h);
      trial.h = h;
      trial.m = arnoldi_.size();
      trial.omega = std::max(trial.omega, worst);
      if (trial.omega <= rules_.delta) break;
    }
    ++report_.substeps;
    w_.swap(next_);
    size_ = trial.norm;
    accept(trial);
    t = end;
    if (times_[inside] == end) {
      w[inside] = w_;
      sizes_[inside++] = size_;
    }
    for (; output < inside; ++output) {
      w[output] *= unit_;
      if (!all_finite(team(), w[output])) return fail(EvaluationStatus::not_finite);
      if (sizes_[output] == 0) continue;
      report_.error = std::max(report_.error, relative_error(sizes_[output]));
      if (const double next = tightened(sizes_[output]); next > 0) return next;
    }
  }
  return 0;
}

const Vector& KrylovEvaluator::augmented_start(double t) {
  state_.resize(C_.size());
  state_.head(n_) = w_;
  C_.set_augmented_part(t, scale_, state_);
  return state_;
}

bool KrylovEvaluator::start_basis(double t) {
  const Vector& start = start_vector(t);
  beta_ = arnoldi_.start(start, std::min(largest_m_, m_ + m_ / 3 + 1));
  invariant_ = beta_ == 0;
  if (std::isinf(beta_)) return fail(EvaluationStatus::not_finite);
  if (std::isnan(beta_))
    return fail(all_finite(team(), start) ? EvaluationStatus::not_positive_definite
                                          : EvaluationStatus::not_finite);
  return true;
}

bool KrylovEvaluator::extend_basis() {
  while (arnoldi_.size() < m_ && !invariant_) {
    const ArnoldiStatus status = arnoldi_.extend(*operator_);
    ++report_.products;
    ++report_.krylov_vectors;
    if (status == ArnoldiStatus::not_finite) return fail(EvaluationStatus::not_finite);
    if (status == ArnoldiStatus::not_positive_definite) return fail(EvaluationStatus::not_positive_definite);
    invariant_ = status == ArnoldiStatus::breakdown;
  }
  report_.largest_basis = std::max(report_.largest_basis, arnoldi_.vectors() + more_vectors_);
  return true;
}

// A first length may be far too short, and grows. A length that refusals have made too short does not.
bool KrylovEvaluator::hopeless(double t, double h) const {
  constexpr double kHopeless = 100;  // times more substeps than allowed
  const auto trials_left = double(options_.substep_limit - report_.substeps - report_.rejected);
  if (refused_ >= rules_.trials || trials_left < 1 || !(t + h > t)) return true;
  if (refused_ == 0) return false;
  const double patience = report_.substeps < kTrialSubsteps ? kPredictedAtFirst : kPredictedTooMany;
  return left_ > kHopeless * trials_left * h ||
         left_ / h * double(m_) > patience * double(kMostProducts - report_.products);
}

bool KrylovEvaluator::fail(EvaluationStatus status) {
  report_.status = status;
  return false;
}

}  // namespace phiflex

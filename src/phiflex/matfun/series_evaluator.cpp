#include "phiflex/matfun/series_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/matfun/arnoldi.h"

namespace phiflex {
namespace {

constexpr double kSeriesEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

double SeriesEvaluator::norm(const Vector& x) {
  return norm_in(options_.norm, x, workspace_);
}

EvaluationReport SeriesEvaluator::evaluate(const LinearOperator& A, std::span<const Vector> u,
                                           std::span<const double> tau, std::span<Vector> w) {
  EvaluationReport report;
  report.evaluator = name_;
  const PhiInput input(A, u, tau, w);
  if (input.kind() != InputKind::usable) {
    report.status = input.finish_without_work(w);
    return report;
  }
  sum_.set(A, input);
  double forced = 0;
  forcing_.assign(sum_.p() + 1, 0.0);
  for (int k = 1; k <= sum_.p(); ++k) forced += forcing_[k] = sum_.U()[k].size() ? norm(sum_.U()[k]) : 0;
  if (std::isnan(forced)) {
    report.status = EvaluationStatus::not_positive_definite;
    return report;
  }

  tolerance_ = options_.tolerance;
  const Plan first = plan(sum_, report);
  report.status = first.status;
  double longest = first.longest;
  while (report.status == EvaluationStatus::ok) {
    const Pass pass = integrate(longest, tau, w, report);
    report.status = pass.status;
    if (pass.tightened == 0) break;
    tolerance_ = pass.tightened;
  }
  report.products = sum_.products();
  return report;
}

SeriesEvaluator::Pass SeriesEvaluator::integrate(double& longest, std::span<const double> tau,
                                                 std::span<Vector> w, EvaluationReport& report) {
  sum_.start(w_);
  size_ = norm(w_);
  if (std::isnan(size_)) return {EvaluationStatus::not_positive_definite};
  double t = 0, level = size_;  // of (3)
  double error = 0;             // of w relative to itself, truncation and rounding; infinite when w is zero
  for (std::size_t j = 0; j < tau.size(); ++j) {
    const double end = sum_.time(tau[j]);
    while (t < end) {
      const double count = std::max(1.0, std::ceil((end - t) / longest * (1 - 4 * kSeriesEpsilon)));
      // The limit holds for what is still to come, too: a hopeless evaluation says so at once.
      if (!(static_cast<double>(report.substeps + report.rejected) + count <=
            static_cast<double>(options_.substep_limit)))
        return {EvaluationStatus::not_converged};
      const double s = (end - t) / count;
      switch (step(sum_, t, s, w_, next_)) {
        case Outcome::accepted:
          break;
        case Outcome::refused:
          ++report.rejected;
          longest = shorten(s);
          continue;
        case Outcome::not_finite:
          return {EvaluationStatus::not_finite};
        case Outcome::not_positive_definite:
          return {EvaluationStatus::not_positive_definite};
      }
      ++report.substeps;
      w_.swap(next_);
      size_ = reference_;
      level = std::max(size_, level * std::min(1.0, decay(s)));
      error += (before_last_ + last_ + kSeriesEpsilon * std::max(largest_, base_)) / size_;
      t = count == 1 ? end : t + s;
    }
    w[j] = w_;
    if (!sum_.restore(w[j])) return {EvaluationStatus::not_finite};

    const double needed = options_.tolerance * size_ / level;
    if (kShare * tolerance_ > needed && tolerance_ > kSeriesEpsilon)
      return {EvaluationStatus::ok, std::max(needed, kSeriesEpsilon)};
    report.error = std::max(report.error, error * (level / size_));
  }
  return {};
}

void SeriesEvaluator::begin_series(double t, double s) {
  step_ = s;
  base_ = size_;
  double factor = s;  // s (t + s)^(k-1) / (k-1)!
  for (std::size_t k = 1; k < forcing_.size(); ++k) {
    base_ += factor * forcing_[k];
    factor *= (t + s) / static_cast<double>(k);
  }
  last_ = size_;  // a series whose first derivative happens to vanish may not end at once
  largest_ = reference_ = 0;
  total_ = base_;
}

SeriesEvaluator::Series SeriesEvaluator::add_term(const Vector& term, const Vector& next, bool may_end) {
  before_last_ = last_;
  last_ = norm(term);
  if (!std::isfinite(last_))
    return std::isnan(last_) && term.allFinite() ? Series::not_positive_definite : Series::not_finite;
  largest_ = std::max(largest_, last_);
  total_ += last_;
  const double share = kShare * tolerance_, goal = std::max(share * step_, kSeriesEpsilon);
  // Before a series overflows: a result that grows this much is safe in shorter substeps.
  if (largest_ > 4 * base_ && kSeriesEpsilon * largest_ > share * base_) return Series::hopeless;
  if (!may_end || before_last_ + last_ > goal * total_) return Series::goes_on;
  reference_ = norm(next);                                               // at most total_
  if (before_last_ + last_ > goal * reference_) return Series::goes_on;  // (1)
  if (largest_ > 4 * base_ && kSeriesEpsilon * largest_ > share * std::sqrt(step_) * reference_)  // (2)
    return Series::hopeless;
  return Series::converged;
}

SeriesEvaluator::Outcome SeriesEvaluator::end_series(Series verdict) {
  switch (verdict) {
    case Series::converged:
      return Outcome::accepted;
    case Series::not_finite:
      return Outcome::not_finite;
    case Series::not_positive_definite:
      return Outcome::not_positive_definite;
    case Series::goes_on:
    case Series::hopeless:
      break;
  }
  return Outcome::refused;
}

}  // namespace phiflex

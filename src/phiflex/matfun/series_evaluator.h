// What evaluators share that sum a series in each substep, w(t + s) = T_0 + T_1 + ... : the substeps, and the
// rules by which a series is ended or a substep refused. With |.| the norm asked for, in the units of
// unit_time.h, and delta = kShare tolerance:
//
//   end after T_j when   |T_(j-1)| + |T_j| <= delta s |w(t + s)|                                          (1)
//   refuse the substep   when the series is too short for (1), or when its largest term has cost digits:
//                        eps max|T_j| > delta sqrt(s) |w(t + s)|   and   max|T_j| > 4 base                (2)
//
// where base = |w(t)| + the size of what the forcing adds is what rounding of the data costs anyway.
// Truncation errors add up over the substeps, 1 / s of them; rounding errors like a random walk.
//
// (1) is relative to the result on the way. Where that is larger than the result at an output, errors may have
// decayed less than the result has: with the level
//
//   L <- max(|w|, d L),   d = min(1, |exp(s C)|) or an upper bound of it,                                 (3)
//
// the evaluation is repeated with the tolerance times |w| / L when L > 1 / kShare |w|.
#pragma once

#include <string_view>
#include <vector>

#include "phiflex/matfun/phi_evaluator.h"
#include "phiflex/matfun/unit_time.h"

namespace phiflex {

class SeriesEvaluator : public PhiEvaluator {
 public:
  SeriesEvaluator(std::string_view name, const PhiOptions& options) : options_(options), name_(name) {}
  EvaluationReport evaluate(const LinearOperator& A, std::span<const Vector> u, std::span<const double> tau,
                            std::span<Vector> w) final;

 protected:
  static constexpr double kShare =
      0.25;  // of the tolerance: what nonnormality may amplify and tails may hide

  enum class Outcome { accepted, refused, not_finite, not_positive_definite };
  enum class Series { goes_on, converged, hopeless, not_finite, not_positive_definite };
  struct Plan {
    EvaluationStatus status = EvaluationStatus::ok;
    double longest = 1;  // substep
  };

  virtual Plan plan(const UnitTimeSum& sum, EvaluationReport& report) = 0;
  virtual Outcome step(const UnitTimeSum& sum, double t, double s, const Vector& w, Vector& next) = 0;
  virtual double shorten(double s) { return s / 2; }      // the longest substep after a refusal
  virtual double decay(double /*s*/) const { return 1; }  // d of (3)

  // For step(): begin_series(), then add_term() for each term, next being the sum with it; when the verdict is
  // another one than goes_on, or terms have run out, the series ends.
  void begin_series(double t, double s);
  Series add_term(const Vector& term, const Vector& next, bool may_end);
  static Outcome end_series(Series verdict);

  double norm(const Vector& x);
  double last_term() const { return last_; }  // |T_j|
  double base() const { return base_; }
  double tolerance() const { return tolerance_; }
  const PhiOptions& options() const { return options_; }

 private:
  struct Pass {
    EvaluationStatus status = EvaluationStatus::ok;
    double tightened = 0;  // the tolerance to repeat the evaluation with; zero: done
  };
  Pass integrate(double& longest, std::span<const double> tau, std::span<Vector> w, EvaluationReport& report);

  PhiOptions options_;
  std::string_view name_;
  UnitTimeSum sum_;
  double tolerance_ = 0;         // of this pass
  std::vector<double> forcing_;  // |U_k|
  double size_ = 0;              // |w(t)|
  double base_ = 0, step_ = 0, last_ = 0, before_last_ = 0, largest_ = 0, total_ = 0, reference_ = 0;
  Vector w_, next_, workspace_;
};

}  // namespace phiflex

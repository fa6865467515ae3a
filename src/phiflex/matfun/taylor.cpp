// The truncated Taylor series of the action of the exponential (Al-Mohy, Higham: Computing the action of the
// matrix exponential, 2011), in substeps s and in the units of unit_time.h:
//
//   w(t + s) = sum_j T_j,   T_0 = w(t),
//   T_j = s/j ( C T_(j-1) + s^(j-1)/(j-1)! b^(j-1)(t) ),   b^(i)(t) = sum_{k > i} t^(k-1-i)/(k-1-i)! U_k.   (1)
//
// This is the series of the augmented matrix [C eta B; 0 N] of the paper, its nilpotent part written out. The
// factor eta, and N in any unit of time, change the norm of that matrix but no term: as small as they may be
// made, it is C alone that decides degree and substeps.
//
// Degree m and number of substeps minimize the products,
//
//   m / s,   s alpha_q <= theta_m,   q (q - 1) <= m + 1,   alpha_q = max(|C^q|^(1/q), |C^(q+1)|^(1/(q+1)))  (2)
//
// for q = 2..8, with theta_m for a backward error that grows to the tolerance over the whole time, which is
// tolerance / alpha. |C^q| is estimated by the powers on a vector without structure: the paper's block
// estimator of 1-norms needs products with the transpose. It estimates from below, therefore (2) proposes and
// the terms decide: a series runs until its terms vanish in the norm asked for, to degree 55 if need be, and
// a substep in which they do not is halved (series_evaluator.h).
//
// The shift by the mean eigenvalue needs the trace, which products do not give; for the first-order form of
// an undamped body it is zero anyway.
#include <algorithm>
#include <array>
#include <cmath>

#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/series_evaluator.h"
#include "phiflex/matfun/taylor_theta.h"

namespace phiflex {
namespace {

constexpr int kLargestPower = 8;
// Below this norm the series costs no more products than the estimates of powers.
constexpr double kNormWorthEstimating = 2;

class Taylor final : public SeriesEvaluator {
 public:
  explicit Taylor(const PhiOptions& options) : SeriesEvaluator("taylor", options) {}

 protected:
  Plan plan(const UnitTimeSum& sum, EvaluationReport& report) override;
  Outcome step(const UnitTimeSum& sum, double t, double s, const Vector& w, Vector& next) override;

 private:
  // d[k] = |C^k|^(1/k), k = 2 .. kLargestPower + 1.
  EvaluationStatus estimate_powers(const UnitTimeSum& sum, std::array<double, kLargestPower + 2>& d);

  double alpha_ = 0;  // of (2)
  Vector term_, product_;
};

EvaluationStatus Taylor::estimate_powers(const UnitTimeSum& sum, std::array<double, kLargestPower + 2>& d) {
  term_.resize(sum.size());
  fill_probe(term_);
  const double size = norm(term_);
  if (!(size > 0)) return EvaluationStatus::not_positive_definite;
  term_ /= size;
  double log_norm = 0;
  for (int k = 1; k <= kLargestPower + 1; ++k) {
    sum.apply(term_, product_);
    const double growth = norm(product_);
    if (!std::isfinite(growth))
      return product_.allFinite() ? EvaluationStatus::not_positive_definite : EvaluationStatus::not_finite;
    if (growth == 0) break;  // nilpotent: the higher powers are zero, as d is
    log_norm += std::log(growth);
    d[k] = std::exp(log_norm / k);
    term_ = product_ / growth;
  }
  return EvaluationStatus::ok;
}

Taylor::Plan Taylor::plan(const UnitTimeSum& sum, EvaluationReport& report) {
  report.largest_basis = sum.p() + 5;  // U, w, next, term, product
  std::array<double, kLargestPower + 2> d{};
  d.fill(sum.norm());
  if (!(d[1] <= kNormWorthEstimating)) {
    d.fill(0);
    if (const auto status = estimate_powers(sum, d); status != EvaluationStatus::ok) return {status};
  }
  double smallest = d[2];
  for (int q = 2; q <= kLargestPower; ++q) smallest = std::min(smallest, std::max(d[q], d[q + 1]));
  const auto theta = taylor_thetas(kShare * tolerance() / std::max(1.0, smallest));

  double substeps = 1, fewest = HUGE_VAL;
  for (int q = 2; q <= kLargestPower; ++q) {
    const double alpha = std::max(d[q], d[q + 1]);
    for (int m = q * (q - 1) - 1; m <= kLargestTaylorDegree; ++m) {
      const double count = std::max(1.0, std::ceil(alpha / theta[m]));
      if (m * count >= fewest) continue;
      fewest = m * count;
      substeps = count;
      alpha_ = alpha;
    }
  }
  return {EvaluationStatus::ok, 1 / substeps};
}

Taylor::Outcome Taylor::step(const UnitTimeSum& sum, double t, double s, const Vector& w, Vector& next) {
  const auto U = sum.U();
  const int p = sum.p();
  begin_series(t, s);
  next = w;
  term_ = w;
  Series verdict = Series::goes_on;
  double local = 1;  // s^(j-1) / (j-1)!
  for (int j = 1; j <= kLargestTaylorDegree && verdict == Series::goes_on; ++j) {
    sum.apply(term_, product_);
    double global = local;  // s^(j-1)/(j-1)! t^(k-j)/(k-j)!
    for (int k = j; k <= p; ++k) {
      if (U[k].size()) product_ += global * U[k];
      global *= t / (k - j + 1);
    }
    term_.swap(product_);
    term_ *= s / j;
    next += term_;
    local *= s / j;
    // Terms of a vector that C has not turned yet into its fast directions may grow again, by less than 4
    // from the degree s alpha / 2 on.
    verdict = add_term(term_, next, j > p && 2 * j >= s * alpha_);
  }
  return end_series(verdict);
}

constexpr EvaluatorInfo kTaylorInfo = {.name = "taylor",
                                       .summary = "truncated Taylor series of the exponential's action",
                                       .family = EvaluatorFamily::general,
                                       .needs_factorization = false,
                                       .citation = "almohy2011action",
                                       .polynomial = true};

}  // namespace

EvaluatorEntry taylor_evaluator() {
  return general_entry<Taylor>(kTaylorInfo);
}

}  // namespace phiflex

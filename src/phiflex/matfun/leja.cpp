// Newton interpolation of the exponential at Leja points (Caliari, Kandolf, Ostermann, Rainer: The Leja method
// revisited: backward error analysis for the matrix exponential, 2016), in real arithmetic (leja_points.h).
// The phi-sum is one exponential of the augmented operator C of augmented_operator.h; in a substep s
//
//   exp(s C) x ~ sum_i ( even_i r_i + odd_i X r_i ),   X = (C - c)/g,   r_0 = x,   r_(i+1) = X^2 r_i - y_i r_i  (1)
//
// with two products for each i and five vectors in all.
//
// The ellipse (centre c, semi-axes a and b, capacity g = (a + b)/2) is the one of least capacity around the box
// of half-widths p and q that a short Arnoldi run finds the spectrum in,
//
//   a = p^(2/3) n,   b = q^(2/3) n,   n = sqrt(p^(2/3) + q^(2/3)).                                        (2)
//
// For an undamped body the box is an interval of the imaginary axis, and so is the ellipse. The substep is as
// long as there are enough points, k = s g <= 32, and so that the exponential on the ellipse does not
// exceed its values on the box by more than e^6, which (1) would have to cancel:
//
//   s (a - p) <= 6.                                                                                       (3)
//
// Interpolation converges for every entire function, wherever the spectrum is. A box too small shows in terms
// that grow: from |r_i| ~ rho^(2i) it is known how much larger it has to be.
#include <algorithm>
#include <cmath>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/matfun/arnoldi.h"
#include "phiflex/matfun/augmented_operator.h"
#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/leja_points.h"
#include "phiflex/matfun/series_evaluator.h"

namespace phiflex {
namespace {

constexpr int kProbeBasis = 20;
constexpr double kMargin = 1.1;     // of the box: Ritz values lie inside the spectrum
constexpr double kLargestK = 32;    // to 1e-12 with 49 of the 64 pairs on the imaginary axis
constexpr double kLargestHump = 6;  // of (3)
constexpr double kLeastHalfWidth =
    0.25;  // in units of 1/T: C = 0 needs some scale, and the values of N lie near zero
constexpr double kCoefficientError = 1e-17;  // relative to the largest
constexpr double kGrowth = 1.05;             // per degree: above, the box is to blame for a refusal

struct Box {
  double left = 0, right = 0, top = 0;  // symmetric about the real axis
};

class Leja final : public SeriesEvaluator {
 public:
  explicit Leja(const PhiOptions& options) : SeriesEvaluator("leja", options), arnoldi_(options.norm) {}

 protected:
  Plan plan(const UnitTimeSum& sum, EvaluationReport& report) override;
  Outcome step(const UnitTimeSum& sum, double t, double s, const Vector& w, Vector& next) override;
  double shorten(double s) override;
  double decay(double s) const override { return std::exp(s * box_.right); }

 private:
  EvaluationStatus find_box(const UnitTimeSum& sum, EvaluationReport& report);
  double fit_ellipse();  // to the box; returns the longest substep

  Arnoldi arnoldi_;
  AugmentedOperator augmented_;
  Eigen::EigenSolver<Matrix> ritz_;
  Matrix H_;
  Box box_;
  double centre_ = 0, capacity_ = 1, shape_ = 0;  // shape: f of leja_points.h
  NewtonExponential newton_;
  double interpolated_ = 0;  // the substep of newton_; 0: none
  double growth_ = 1;        // rho
  Vector r_, Xr_, next_r_, term_;
};

EvaluationStatus Leja::find_box(const UnitTimeSum& sum, EvaluationReport& report) {
  term_.resize(sum.size());
  fill_probe(term_);
  int basis = options().basis > 0 ? options().basis : kProbeBasis;
  if (options().largest_basis > 0) basis = std::clamp(options().largest_basis - 1, 1, basis);
  const Index m = std::min<Index>(basis, sum.size());
  if (!(arnoldi_.start(term_, m) > 0)) return EvaluationStatus::not_positive_definite;
  ArnoldiStatus status = ArnoldiStatus::extended;
  while (arnoldi_.size() < m && status == ArnoldiStatus::extended) status = arnoldi_.extend(sum);
  report.krylov_vectors = arnoldi_.vectors();
  if (status == ArnoldiStatus::not_finite) return EvaluationStatus::not_finite;
  if (status == ArnoldiStatus::not_positive_definite) return EvaluationStatus::not_positive_definite;

  H_ = arnoldi_.H().topRows(arnoldi_.size());
  ritz_.compute(H_, false);
  if (ritz_.info() != Eigen::Success) return EvaluationStatus::not_converged;
  const auto& values = ritz_.eigenvalues();
  box_.left = values.real().minCoeff();
  box_.right = values.real().maxCoeff();
  box_.top = values.imag().maxCoeff();
  return EvaluationStatus::ok;
}

Leja::Plan Leja::plan(const UnitTimeSum& sum, EvaluationReport& report) {
  augmented_.set(sum, sum.U(), 1, 1);
  if (const auto status = find_box(sum, report); status != EvaluationStatus::ok) return {status};
  report.largest_basis = std::max<Index>(arnoldi_.vectors() + sum.p() + 2, 2 * sum.p() + 7);
  const double margin = (kMargin - 1) * std::max((box_.right - box_.left) / 2, box_.top);
  if (box_.right > box_.left + 1e-3 * box_.top) {
    box_.left -= margin;
    box_.right += margin;
  }
  if (box_.top > 1e-3 * (box_.right - box_.left)) box_.top += margin;
  if (sum.p() > 0) {  // the eigenvalue zero of N
    box_.left = std::min(box_.left, 0.0);
    box_.right = std::max(box_.right, 0.0);
  }
  return {EvaluationStatus::ok, fit_ellipse()};
}

double Leja::fit_ellipse() {
  const double p = (box_.right - box_.left) / 2, q = box_.top;
  const double p23 = std::cbrt(p * p), q23 = std::cbrt(q * q), n = std::sqrt(p23 + q23);
  const double a = p23 * n, b = q23 * n;  // (2)
  centre_ = (box_.left + box_.right) / 2;
  capacity_ = std::max((a + b) / 2, kLeastHalfWidth);
  shape_ = (a * a - b * b) / (4 * capacity_ * capacity_);
  interpolated_ = 0;
  return std::min(kLargestK / capacity_, kLargestHump / std::max(a - p, 1e-300));  // (3)
}

double Leja::shorten(double s) {
  if (growth_ <= kGrowth) return s / 2;
  const double centre = centre_, half = growth_ * std::max((box_.right - box_.left) / 2, kLeastHalfWidth);
  box_ = {centre - half, centre + half, growth_ * std::max(box_.top, kLeastHalfWidth)};
  return std::min(s, fit_ellipse());
}

Leja::Outcome Leja::step(const UnitTimeSum& sum, double t, double s, const Vector& w, Vector& next) {
  if (s != interpolated_) {
    newton_.compute(s * centre_, s * capacity_, shape_);
    interpolated_ = s;
  }
  const auto coefficient = [&](int i) { return std::abs(newton_.even[i]) + std::abs(newton_.odd[i]); };
  // Before the largest coefficient a small term says nothing about the next one.
  int peak = 0;
  for (int i = 1; i < kLejaPairs; ++i)
    if (coefficient(i) > coefficient(peak)) peak = i;

  const Index n = sum.size();
  r_.resize(augmented_.size());
  r_.head(n) = w;
  augmented_.set_augmented_part(t, 1, r_);
  next.setZero(n);
  growth_ = 1;
  begin_series(t, s);
  Series verdict = Series::goes_on;
  for (int i = 0; i < kLejaPairs && verdict == Series::goes_on; ++i) {
    augmented_.apply(r_, Xr_);
    Xr_ = (Xr_ - centre_ * r_) / capacity_;
    term_ = newton_.even[i] * r_.head(n) + newton_.odd[i] * Xr_.head(n);
    next += term_;
    verdict = add_term(term_, next, i > peak && 2 * i > sum.p());
    const double size = last_term() / (coefficient(i) * base());  // of r_i and X r_i, 1 in the right box
    if (i > 2 && std::isfinite(size)) growth_ = std::max(growth_, std::pow(size, 0.5 / i));
    // Coefficients are known relative to the largest one: a far too small box asks for more.
    if (size * coefficient(peak) * kCoefficientError > kShare * tolerance()) verdict = Series::hopeless;
    if (verdict != Series::goes_on) break;
    augmented_.apply(Xr_, next_r_);
    r_ = (next_r_ - centre_ * Xr_) / capacity_ - newton_.y[i] * r_;
  }
  return end_series(verdict);
}

constexpr EvaluatorInfo kLejaInfo = {.name = "leja",
                                     .summary = "Newton interpolation of the exponential at Leja points",
                                     .family = EvaluatorFamily::general,
                                     .needs_factorization = false,
                                     .citation = "caliari2016leja",
                                     .polynomial = true};

}  // namespace

EvaluatorEntry leja_evaluator() {
  return general_entry<Leja>(kLejaInfo);
}

}  // namespace phiflex

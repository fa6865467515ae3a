// Chebyshev series for functions of the pencil (K, M): on an interval [low, high] that holds its eigenvalues,
// with X = (M^-1 K - middle)/radius,
//
//   f(A) b ~ sum_k a_k T_k(X) b,   T_(k+1) = 2 X T_k - T_(k-1)                                            (1)
//
// No basis is kept and no inner product is needed: products with K and sums. The interval: zero (below it, if a
// few Lanczos steps see a negative eigenvalue) to the bound of the pencil's norm, drawn in to the Lanczos estimate
// where that pays. What lies outside shows itself, since |T_k(X) b| <= |b| within: with g_k = max(1, |T_k(X) b|/|b|),
//
//   error after degree k  <=  sum_{l>k} |a_l| |b| g_k^(l/k)  +  round-off of the a_l, times g_k             (2)
//
// because a component outside grows geometrically with k. An entire function is approximated there too, only by
// more terms: (2) says how many. Where the terms do not suffice, the interval is widened and the sum begun again,
// a few times; then the evaluation fails rather than return what it has not bounded.
//
// (Trefethen: Approximation Theory and Approximation Practice, 2013; Tal-Ezer, Kosloff: An accurate and efficient
// scheme for propagating the time dependent Schroedinger equation, 1984.)
#include <algorithm>
#include <cmath>

#include "phiflex/base/parallel.h"
#include "phiflex/linalg/binary_unit.h"
#include "phiflex/matfun/chebyshev_series.h"
#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/mass_block.h"
#include "phiflex/matfun/spectral_bounds.h"

namespace phiflex {
namespace {

constexpr int kLargestDegree = 1 << 16;
constexpr double kAccuracy = 1e-15;  // of the coefficients: all that there is
constexpr int kMostWidenings = 3;
constexpr int kCheapDegree = 40;     // below it, bounds better than the norm are not worth their products
constexpr int kBoundSteps = 12;      // of Lanczos
constexpr int kDegreesPerCheck = 8;  // of the growth and the bound (2)
constexpr Index kRowsAtATime = 1024;

double mass_norm(const MassMatrix& mass, const Vector& x, Vector& image) {
  mass.apply(x, image);
  return std::sqrt(std::max(0.0, dot(mass.team(), x, image)));
}

class Chebyshev final : public PencilEvaluator {
 public:
  explicit Chebyshev(const PencilOptions& options) : options_(options) {}

  EvaluationReport evaluate(const Pencil& pencil, ShiftInverse* inverse, const PencilFunction& f,
                            const Matrix& b, Matrix& y, Work& work) override;

 private:
  ChebyshevSeries::Outcome expand(const Pencil& pencil, const PencilFunction& f, EvaluationReport& report);
  ChebyshevSeries::Outcome widen(const PencilFunction& f);
  EvaluationStatus sum(const Pencil& pencil, const PencilFunction& f, const Matrix& b, Matrix& y,
                       EvaluationReport& report);
  void add_term(const PencilFunction& f, int k, Matrix& y);
  void advance(const Pencil& pencil, int k);
  double error_bound(const PencilFunction& f, int k, const Matrix& y, const MassMatrix& mass);

  PencilOptions options_;
  ChebyshevSeries series_;
  Matrix before_, now_, product_;
  Vector b_norm_, column_, image_;
  std::vector<double> growth_;  // g_k per column
  double unit_ = 1;             // of b: sums are those of b/unit_, whose norms do not overflow
};

// The series on the interval of the norm; where its degree is high, on the interval of the Lanczos bounds.
ChebyshevSeries::Outcome Chebyshev::expand(const Pencil& pencil, const PencilFunction& f,
                                           EvaluationReport& report) {
  const double norm = pencil.norm();
  if (pencil.mass().lumped() && norm > 0) {
    const auto outcome = series_.expand(f, 0, norm, kAccuracy, kCheapDegree);
    if (outcome == ChebyshevSeries::Outcome::ok) return outcome;
  }
  const SpectralBounds bounds = estimate_spectrum(pencil, kBoundSteps);
  report.products += bounds.products;
  const double high = pencil.mass().lumped() ? std::min(bounds.largest, norm) : bounds.largest;
  return series_.expand(f, std::min(0.0, bounds.smallest), high, kAccuracy, kLargestDegree);
}

ChebyshevSeries::Outcome Chebyshev::widen(const PencilFunction& f) {
  const double low = series_.middle() - series_.radius(), high = series_.middle() + series_.radius();
  const double more = 0.3 * (high - low);
  return series_.expand(f, low - 0.1 * more, high + more, kAccuracy, kLargestDegree);
}

// y_i += a_k,ij T_k b_j.
void Chebyshev::add_term(const PencilFunction& f, int k, Matrix& y) {
  parallel_for((y.rows() + kRowsAtATime - 1) / kRowsAtATime, [&](std::ptrdiff_t piece) {
    const Index first = piece * kRowsAtATime, count = std::min(kRowsAtATime, y.rows() - first);
    for (Index i = 0; i < f.rows(); ++i)
      for (Index j = 0; j < f.columns(); ++j)
        y.col(i).segment(first, count) += series_.coefficient(k, i, j) * now_.col(j).segment(first, count);
  });
}

// T_(k+1) b from T_k b and T_(k-1) b.
void Chebyshev::advance(const Pencil& pencil, int k) {
  pencil.apply_K(now_, product_);
  solve_mass(pencil.mass(), product_, product_);
  const double factor = (k == 0 ? 1 : 2) / series_.radius(), middle = factor * series_.middle();
  parallel_for((now_.rows() + kRowsAtATime - 1) / kRowsAtATime, [&](std::ptrdiff_t piece) {
    const Index first = piece * kRowsAtATime, count = std::min(kRowsAtATime, now_.rows() - first);
    before_.middleRows(first, count) = factor * product_.middleRows(first, count) -
                                       middle * now_.middleRows(first, count) -
                                       before_.middleRows(first, count);
  });
  before_.swap(now_);
}

// (2), the worst group, relative to what has been summed up.
double Chebyshev::error_bound(const PencilFunction& f, int k, const Matrix& y, const MassMatrix& mass) {
  for (Index j = 0; j < f.columns(); ++j) {
    column_ = now_.col(j);
    const double size = mass_norm(mass, column_, image_);
    growth_[std::size_t(j)] = b_norm_[j] > 0 ? std::max(1.0, size / b_norm_[j]) : 1;
  }
  double largest = 0;
  const Index rows = f.rows_per_group();
  for (Index first = 0; first < f.rows(); first += rows) {
    double error = 0, result = 0;
    for (Index i = first; i < std::min(first + rows, f.rows()); ++i) {
      column_ = y.col(i);
      const double size = f.weight(i) * mass_norm(mass, column_, image_);
      result += size * size;
      double row = 0;
      for (Index j = 0; j < f.columns(); ++j) {
        const double rate = std::pow(growth_[std::size_t(j)], 1.0 / std::max(1, k));
        double growth = growth_[std::size_t(j)], tail = 0;
        for (int l = k + 1; l <= series_.degree(); ++l) {
          growth *= rate;
          tail += std::abs(series_.coefficient(l, i, j)) * growth;
        }
        row += (tail + kAccuracy * series_.largest(i, j) * growth) * b_norm_[j];
      }
      error += f.weight(i) * f.weight(i) * row * row;
    }
    if (error > 0) largest = std::max(largest, std::sqrt(error / result));
  }
  return largest;
}

// (1) until (2) is below the tolerance.
EvaluationStatus Chebyshev::sum(const Pencil& pencil, const PencilFunction& f, const Matrix& b, Matrix& y,
                                EvaluationReport& report) {
  const double tolerance = options_.tolerance * f.tolerance_share();
  y.setZero();
  now_ = b / unit_;
  before_.setZero(b.rows(), b.cols());
  for (int k = 0;; ++k) {
    add_term(f, k, y);
    if (k % kDegreesPerCheck == 0 || k == series_.degree()) {
      report.error = error_bound(f, k, y, pencil.mass());
      if (!std::isfinite(report.error)) return EvaluationStatus::not_finite;
      if (report.error <= tolerance) return EvaluationStatus::ok;
    }
    if (k == series_.degree()) return EvaluationStatus::not_converged;
    advance(pencil, k);
    report.products += b.cols();
  }
}

EvaluationReport Chebyshev::evaluate(const Pencil& pencil, ShiftInverse* /*inverse*/, const PencilFunction& f,
                                     const Matrix& b, Matrix& y, Work& work) {
  EvaluationReport report;
  report.evaluator = "chebyshev";
  y.setZero(b.rows(), f.rows());
  const Team& team = pencil.mass().team();
  if (!all_finite(team, b)) {
    report.status = EvaluationStatus::not_finite;
    return report;
  }
  unit_ = binary_unit_of(team, b);
  b_norm_.resize(b.cols());
  for (Index j = 0; j < b.cols(); ++j) {
    column_ = b.col(j) / unit_;
    b_norm_[j] = mass_norm(pencil.mass(), column_, image_);
  }
  if (b_norm_.isZero(0)) return report;
  growth_.assign(std::size_t(b.cols()), 1);
  auto outcome = expand(pencil, f, report);
  for (int widened = 0;; ++widened) {
    if (outcome != ChebyshevSeries::Outcome::ok)
      report.status = outcome == ChebyshevSeries::Outcome::not_finite ? EvaluationStatus::not_finite
                                                                      : EvaluationStatus::not_converged;
    else
      report.status = sum(pencil, f, b, y, report);
    if (outcome != ChebyshevSeries::Outcome::ok || report.status == EvaluationStatus::ok ||
        widened == kMostWidenings)
      break;
    ++report.rejected;
    outcome = widen(f);
  }
  y *= unit_;
  if (report.status == EvaluationStatus::ok && !all_finite(team, y))
    report.status = EvaluationStatus::not_finite;
  report.largest_basis = (3 * b.cols() + 1) / 2;
  work.stiffness_products += report.products;
  return report;
}

}  // namespace

EvaluatorEntry chebyshev_evaluator() {
  static constexpr EvaluatorInfo info{
      .name = "chebyshev",
      .summary = "Chebyshev series on the interval of the pencil: no basis and no inner products",
      .family = EvaluatorFamily::pencil,
      .needs_factorization = false,
      .citation = "trefethen2013approximation",
      .smooth_functions_only = true,
      .polynomial = true,
      .on_ranks = true};
  return pencil_entry<Chebyshev>(info);
}

}  // namespace phiflex

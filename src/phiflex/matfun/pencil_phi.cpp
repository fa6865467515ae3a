#include "phiflex/matfun/pencil_phi.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "phiflex/base/outer_phase.h"
#include "phiflex/matfun/product_limit.h"

namespace phiflex {
namespace {

using Half = PhiSumFunction::Half;
using Part = PhiSumFunction::Part;

// A substep is cut by this factor until the current basis is large enough, at most so many times.
constexpr double kCut = 0.85;
constexpr int kMostCuts = 60;
// Substeps that a call begins with, at most. With 20 products each they make kMostProducts.
constexpr long kMostSubsteps = kMostProducts / 20;

bool is_there(const Team& team, const Vector& x) {
  return any(team, x.size() > 0 && !x.isZero(0));
}

}  // namespace

PencilPhi::Shape& PencilPhi::shape(Index columns, std::size_t times) {
  for (Shape& known : shapes_)
    if (known.columns == columns && known.times == times) return known;
  shapes_.push_back({columns, times, make_(options_), {}, {}});
  return shapes_.back();
}

void PencilPhi::gather(const FirstOrderForm& J, std::span<const Vector> u, double t,
                       EvaluationReport& report) {
  const std::size_t terms = std::max<std::size_t>(u.size(), 2);
  const Index n = J.pencil().size();
  const Team& team = J.pencil().mass().team();
  if (sums_.size() < terms) sums_.resize(terms);
  for (std::size_t k = 0; k < terms; ++k) {
    sums_[k].setZero(2 * n);
    double factor = 1;
    for (std::size_t l = 0; k + l < u.size() && (k > 0 || l == 0); ++l) {
      if (l > 0) factor *= t / double(l);
      if (factor != 0 && u[k + l].size() > 0) sums_[k] += factor * u[k + l];
    }
  }
  const bool from_later = t > 0 || (is_there(team, sums_[0]) && is_there(team, sums_[1]));
  if (t == 0) has_base_ = from_later;
  if (t == 0 && from_later) base_ = sums_[0];
  if (from_later) {
    J.apply(base_, sums_[0]);
    sums_[1] += sums_[0];
    sums_[0].setZero();
    ++report.products;
  }
  halves_.clear();
  for (std::size_t k = 0; k < terms; ++k) {
    if (!all_zero(team, sums_[k].head(n))) halves_.push_back({int(k), Part::displacement});
    if (!all_zero(team, sums_[k].tail(n))) halves_.push_back({int(k), Part::velocity});
  }
}

void PencilPhi::fill_columns(Index n, Matrix& b) const {
  b.resize(n, Index(halves_.size()));
  for (std::size_t j = 0; j < halves_.size(); ++j) {
    const Vector& sum = sums_[std::size_t(halves_[j].k)];
    b.col(Index(j)) = halves_[j].part == Part::displacement ? sum.head(n) : sum.tail(n);
  }
}

// The times of (t, t + length], and its end. The next substep begins at t + length: a time that rounding puts beyond
// `length` but not beyond that sum belongs to this one, or no substep would give its result.
const PhiSumFunction& PencilPhi::set_function(const FirstOrderForm& J, std::span<const double> tau, double t,
                                              double length) {
  times_.clear();
  for (const double time : tau)
    if (time > t && (time - t <= length || time <= t + length)) times_.push_back(time - t);
  if (times_.empty() || times_.back() < length) times_.push_back(length);
  function_.set(halves_, times_, *J.rayleigh(), tau.back(), length / tau.back());
  return function_;
}

// Substeps cost no failures when their length is known; one less is tried when its basis would have had room to
// spare, the basis growing like the length of a substep.
void PencilPhi::plan_next_call(double end, double shortest, long substeps, long largest_basis) {
  if (shortest < end / double(substeps_)) {
    substeps_ = long(std::min(double(kMostSubsteps), std::ceil(end / shortest - 1e-9)));
    return;
  }
  substeps_ = std::min(substeps, kMostSubsteps);
  const double longer = double(substeps) / double(std::max(1L, substeps - 1));
  if (substeps > 1 && 1.3 * longer * double(largest_basis) < double(full_basis_)) --substeps_;
}

EvaluationReport PencilPhi::evaluate(const FirstOrderForm& J, ShiftInverse* inverse,
                                     std::span<const Vector> u, std::span<const double> tau,
                                     std::span<Vector> w, Work& work) {
  if (!J.rayleigh())
    throw std::invalid_argument("functions of the pencil need a damping of the form alpha M + beta K");
  const OuterPhase phase(work, &Work::matfun_seconds);
  const Index n = J.pencil().size();
  const double end = tau.back();
  EvaluationReport report;
  long largest_basis = 0;
  std::size_t next_result = 0;
  double t = 0, length = end / double(substeps_), shortest = end;  // shortest: of those that were cut
  while (next_result < tau.size()) {
    const long products = report.products;
    gather(J, u, t, report);
    work.stiffness_products += report.products - products;
    const long parts_left = std::max(1L, long(std::ceil((end - t) / length - 1e-9)));
    length = (end - t) / double(parts_left);
    const double attempted = length;

    set_function(J, tau, t, length);
    auto& [columns, times, evaluator, b, y] = shape(Index(halves_.size()), times_.size());
    fill_columns(n, b);
    EvaluationReport part = evaluator->evaluate(J.pencil(), inverse, function_, b, y, work);
    for (int cut = 0; part.status == EvaluationStatus::not_converged && cut < kMostCuts; ++cut) {
      if (cut == 0) {
        full_basis_ = part.krylov_vectors;
        ++report.rejected;
      }
      length *= kCut;
      const EvaluationReport again = evaluator->evaluate_again(set_function(J, tau, t, length), y);
      part.status = again.status;
      part.error = again.error;
    }
    if (part.status == EvaluationStatus::ok && length < attempted) shortest = std::min(shortest, length);
    report.evaluator = part.evaluator;
    report.products += part.products;
    report.solves += part.solves;
    report.krylov_vectors += part.krylov_vectors;
    report.largest_basis = std::max(report.largest_basis, part.largest_basis);
    report.error += part.error;
    report.status = part.status;
    if (part.status != EvaluationStatus::ok) return report;
    const double left = (end - t) / length - 1;
    const double predicted = double(report.products) + left * double(part.products) / kPredictedTooMany;
    if (left > 1e-9 && predicted > double(kMostProducts)) {
      report.status = EvaluationStatus::not_converged;
      return report;
    }
    largest_basis = std::max(largest_basis, part.krylov_vectors);
    ++report.substeps;

    if (!has_base_) base_.setZero(2 * n);
    has_base_ = true;
    for (std::size_t i = 0; i < times_.size() && next_result < tau.size(); ++i) {
      if (tau[next_result] - t != times_[i]) continue;
      Vector& result = w[next_result++];
      result = base_;
      result.head(n) += y.col(Index(2 * i));
      result.tail(n) += y.col(Index(2 * i + 1));
    }
    base_.head(n) += y.col(y.cols() - 2);
    base_.tail(n) += y.col(y.cols() - 1);
    t = parts_left == 1 && length == end - t ? end : t + length;
  }
  work.substeps += report.substeps;
  plan_next_call(end, shortest, report.substeps, largest_basis);
  return report;
}

void PencilPhi::save(ArchiveWriter& out) const {
  out.put(std::int64_t(substeps_));
  out.put(std::int64_t(full_basis_));
  out.put(std::int64_t(shapes_.size()));
  for (const Shape& known : shapes_) {
    out.put(std::int64_t(known.columns));
    out.put(std::int64_t(known.times));
    known.evaluator->save(out);
  }
}

void PencilPhi::load(ArchiveReader& in) {
  substeps_ = long(in.get_integer(1, kMostSubsteps));
  full_basis_ = long(in.get_integer());
  shapes_.clear();
  for (std::int64_t left = in.get_integer(); left > 0; --left) {
    const Index columns = Index(in.get_integer());
    const auto times = std::size_t(in.get_integer());
    shape(columns, times).evaluator->load(in);
  }
}

}  // namespace phiflex

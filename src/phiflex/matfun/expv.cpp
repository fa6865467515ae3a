// `expv`: the algorithm of Expokit (Sidje, Expokit: a software package for computing matrix exponentials, 1998)
// on the augmented operator C of augmented_operator.h. A substep of length h from the state x, beta = |x|, in
// a Krylov basis of m vectors and one more:
//
//   F = exp(h [H_m 0 0; h_{m+1,m} e_m' 0 0; 0 1 0]),   x+ = beta V_{m+1} F(1..m+1, 1)                     (1)
//   p1 = |beta F(m+1,1)|,   p2 = |beta F(m+2,1)| |C v_{m+1}|
//   p1 > 10 p2: err = p2, order m;   p1 > p2: err = p1 p2 / (p1 - p2), order m;   else err = p1, m - 1    (2)
//   accepted when err <= delta h tol,  next h = gamma h (h tol / err)^(1/order)                           (3)
//   first h = (1/a) (((m+1)/e)^(m+1) sqrt(2 pi (m+1)) tol / (4 beta a))^(1/m),   a = |C|_inf              (4)
//
// each h rounded up to two significant digits. tol is absolute and per unit of time: Expokit's own, or what
// the relative tolerance allows (substep_error.h), learnt on the way. For u_0 = 0 and p = 1 this is the increment
// form exp(h [A u_1; 0 0]) [0; 1], so that no absolute position enters the start vector.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "phiflex/matfun/arnoldi.h"
#include "phiflex/matfun/augmented_operator.h"
#include "phiflex/matfun/dense_phi.h"
#include "phiflex/matfun/evaluators.h"
#include "phiflex/matfun/phi_input.h"
#include "phiflex/matfun/substep_error.h"

namespace phiflex {
namespace {

constexpr EvaluatorInfo kExpvInfo{.name = "expv",
                                  .summary = "Expokit's Krylov steps of fixed basis, 30 vectors by default",
                                  .family = EvaluatorFamily::general,
                                  .citation = "sidje1998expokit"};

constexpr int kExpvBasis = 30, kRejections = 10;
constexpr double kExpvGamma = 0.9, kExpvDelta = 1.2;
constexpr double kExpvEpsilon = std::numeric_limits<double>::epsilon();

double round_up_to_two_digits(double h) {
  const double unit = std::pow(10.0, std::floor(std::log10(h)) - 1);
  return unit > 0 && std::isfinite(unit) ? std::ceil(h / unit) * unit : h;
}

class Expv final : public PhiEvaluator {
 public:
  explicit Expv(const PhiOptions& options)
      : options_(options),
        norm_(expokit() ? nullptr : options.norm),
        product_(norm_ ? std::optional<AugmentedProduct>(*norm_) : std::nullopt),
        arnoldi_(product_ ? &*product_ : nullptr) {}
  Expv(const Expv&) = delete;  // arnoldi_ points to product_
  Expv& operator=(const Expv&) = delete;

  EvaluationReport evaluate(const LinearOperator& A, std::span<const Vector> u, std::span<const double> tau,
                            std::span<Vector> w) override {
    report_ = {.evaluator = kExpvInfo.name};
    const PhiInput input(A, u, tau, w);
    if (input.kind() != InputKind::usable) {
      report_.status = input.finish_without_work(w);
      return report_;
    }
    prepare(A, input);
    // With a tolerance of Expokit's own there is one pass; else the level of the result is learnt in the first.
    for (double tolerance = options_.tolerance; tolerance > 0;) {
      report_.error = 0;
      tolerance = integrate(input, tolerance, tau, w);
    }
    return report_;
  }

 private:
  bool expokit() const { return options_.expokit_tolerance > 0; }

  void prepare(const LinearOperator& A, const PhiInput& input) {
    n_ = A.size();
    if (product_) product_->set(n_);
    unit_ = z_ = 1;
    double unit_of_time = 1;
    if (!expokit()) {
      unit_ = input.unit();
      unit_of_time = input.end();
      double size = 0, factor = 1;
      for (Index k = 1; k <= input.p(); ++k) {
        factor *= unit_of_time / static_cast<double>(k);
        if (input.has(k)) size = std::max(size, factor * norm_in(norm_, input.u()[k], work_) / unit_);
      }
      if (size > 0 && std::isfinite(size)) z_ = std::ldexp(1.0, std::ilogb(size));
    }
    C_.set(A, input.u(), unit_of_time, unit_ * z_);
    int basis = options_.basis > 0 ? options_.basis : kExpvBasis;
    if (options_.largest_basis > 0) basis = std::min(basis, options_.largest_basis - 1);
    m_ = std::clamp<Index>(basis, 1, C_.size());
    coefficients_.resize(m_ + 1);
  }

  // All outputs with this tolerance. Returns a smaller tolerance to do it again with, or zero: finished.
  double integrate(const PhiInput& input, double tolerance, std::span<const double> tau,
                   std::span<Vector> w) {
    state_.setZero(C_.size());
    if (input.has(0)) state_.head(n_) = input.u()[0] / unit_;
    double norm = part_norm(state_), t = 0, h = 0;
    error_.start(tolerance, input.end(), norm);
    for (std::size_t j = 0; j < tau.size(); ++j) {
      while (t < tau[j]) {
        C_.set_augmented_part(t, z_, state_);
        if (!substep(input, tau[j] - t, tau.back() - t, h, norm)) return 0;
        t = taken_ == tau[j] - t ? tau[j] : t + taken_;
      }
      w[j] = unit_ * state_.head(n_);
      if (!w[j].allFinite()) return fail(EvaluationStatus::not_finite), 0;
      report_.error = std::max(report_.error, norm > 0 ? error_.relative_to(norm) : 0.0);
      if (expokit()) continue;
      if (const double next = norm > 0 ? error_.tightened(options_.tolerance, norm) : 0; next > 0)
        return next;
    }
    return 0;
  }

  // One substep of at most `output`, h the proposed length (0: none yet) and then the next one, norm that of
  // the new state. False: failed, the report says why.
  bool substep(const PhiInput& input, double output, double remaining, double& h, double& norm) {
    if (++report_.substeps > options_.substep_limit) return fail(EvaluationStatus::not_converged);
    const double beta = arnoldi_.start(state_, m_);
    if (std::isnan(beta)) return fail(EvaluationStatus::not_positive_definite);
    if (std::isinf(beta)) return fail(EvaluationStatus::not_finite);
    if (beta == 0) {
      taken_ = output;
      norm = 0;
      return true;
    }
    ArnoldiStatus status = ArnoldiStatus::extended;
    while (arnoldi_.size() < m_ && status == ArnoldiStatus::extended) {
      status = arnoldi_.extend(C_);
      ++report_.products;
      ++report_.krylov_vectors;
    }
    if (status == ArnoldiStatus::not_finite) return fail(EvaluationStatus::not_finite);
    if (status == ArnoldiStatus::not_positive_definite) return fail(EvaluationStatus::not_positive_definite);
    const bool invariant = status == ArnoldiStatus::breakdown;
    const Index m = arnoldi_.size(), rows = invariant ? m : m + 2;
    report_.largest_basis = std::max(report_.largest_basis, arnoldi_.vectors());
    auto small = exponential_.input(rows);
    small.topLeftCorner(std::min(m + 1, rows), m) = arnoldi_.H().topRows(std::min(m + 1, rows));
    double next_product = 0;
    if (!invariant) {
      small(m + 1, m) = 1;
      C_.apply(arnoldi_.last(), next_);
      ++report_.products;
      next_product = norm_in(product_ ? &*product_ : nullptr, next_, trial_);
      if (h == 0) h = first_step(beta, rate(input, beta, std::max(norm, z_), 1));
    }

    double step = invariant ? output : std::min(h, output);
    for (int rejected = 0; rejected <= kRejections; ++rejected, ++report_.rejected) {
      // The first guess may be far too short, and grows; what rejections have made so short does not.
      if (!(step > 0) || (rejected > 0 && remaining / step > 1e3 * double(options_.substep_limit)))
        return fail(EvaluationStatus::not_converged);
      if (!exponential_.compute(step)) {  // overflow
        step = round_up_to_two_digits(step / 5);
        continue;
      }
      const auto F = exponential_.value();
      const Index used = invariant ? m : m + 1;
      coefficients_.head(used) = beta * F.col(0).head(used);
      arnoldi_.combine(coefficients_.head(used), trial_);
      const double trial_norm = part_norm(trial_);
      double flow = exponential_.leading_norm(m);
      if (C_.size() > n_) {
        flow = std::max(flow, 1.0);  // the augmented part does not decay, and is not told apart
      } else if (norm > 0) {
        flow = std::max(flow, trial_norm / norm);
      }
      const double level = error_.level_after(trial_norm, flow), growth = error_.growth(flow);
      const double tol = rate(input, beta, level, growth);
      double error = 0, order = double(m);  // (2)
      if (!invariant) {
        const double p1 = std::abs(beta * F(m, 0)), p2 = std::abs(beta * F(m + 1, 0) * next_product);
        error = p1 > 10 * p2 ? p2 : p1 > p2 ? p1 * p2 / (p1 - p2) : p1;
        if (p1 <= p2) order = std::max(1.0, order - 1);
      }
      const double proposal =
          round_up_to_two_digits(kExpvGamma * step * std::pow(step * tol / error, 1 / order));
      if (error <= kExpvDelta * step * tol) {  // (3)
        state_.swap(trial_);
        error_.accept(growth * error, growth * kExpvEpsilon * (4 + step * arnoldi_.norm_H()) * beta, level);
        taken_ = step;
        norm = trial_norm;
        h = std::isfinite(proposal) ? proposal : remaining;
        return true;
      }
      step = std::isfinite(proposal) ? std::min(proposal, output) : step / 5;
    }
    return fail(EvaluationStatus::not_converged);
  }

  // tol of (3). Below the rounding of the basis no estimate says anything.
  double rate(const PhiInput& input, double beta, double level, double growth) const {
    if (expokit()) return options_.expokit_tolerance;
    return std::max(error_.allowed(1, level) / growth, 4 * kExpvEpsilon * beta / input.end());
  }

  double first_step(double beta, double tol) const {  // (4)
    const double a = C_.norm(), m1 = double(m_ + 1);
    const double fact = std::pow(m1 / std::numbers::e, m1) * std::sqrt(2 * std::numbers::pi * m1);
    const double h = 1 / a * std::pow(fact * tol / (4 * beta * a), 1 / double(m_));
    return std::isfinite(h) && h > 0 ? round_up_to_two_digits(h) : std::numeric_limits<double>::max();
  }

  double part_norm(const Vector& state) {
    if (C_.size() == n_) return norm_in(norm_, state, work_);
    part_ = state.head(n_);
    return norm_in(norm_, part_, work_);
  }

  bool fail(EvaluationStatus status) {
    report_.status = status;
    return false;
  }

  PhiOptions options_;
  const InnerProduct* norm_;  // Expokit itself knows only the Euclidean one
  std::optional<AugmentedProduct> product_;
  Arnoldi arnoldi_;
  AugmentedOperator C_;
  DenseExponential exponential_;
  SubstepError error_;
  EvaluationReport report_;
  Index n_ = 0, m_ = 0;
  double unit_ = 1, z_ = 1, taken_ = 0;
  Vector state_, trial_, next_, part_, work_, coefficients_;
};

}  // namespace

EvaluatorEntry expv_evaluator() {
  return general_entry<Expv>(kExpvInfo);
}

}  // namespace phiflex

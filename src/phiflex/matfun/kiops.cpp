// `kiops` (Gaudreault, Rainwater, Tokman: KIOPS: a fast adaptive Krylov subspace solver for exponential
// integrators, 2018), in the units of unit_time.h. The phi-sum is one exponential of the augmented operator C
// of augmented_operator.h. A substep s from the state x = (w(t); z(t)), beta = |x|, in a Krylov basis of m
// vectors of which each is orthogonal to the two before it:
//
//   F = exp(s [H_m e_1; 0 0]),   x+ = beta V_m F(1..m, 1),   err = beta h_{m+1,m} |F(m, m+1)|             (1)
//   z(t) = scale (t^(p-1)/(p-1)!, ..., t, 1)                                                              (2)
//   omega = err / (s tolerance/2 |w(t+s)|),   accepted when omega <= delta                                (3)
//   s_new = s (gamma/omega)^(1/order),   m_new = m + log(omega/gamma)/log(kappa)                          (4)
//
// with order and kappa estimated from the last two trials, m/4 and 2 before that. The basis is changed first,
// by at most a factor of 4/3 and never less than 3/4; the substep only when the basis is as large as it may
// be, by at most a factor of 5. A refused basis is extended, not built again. Results inside a substep come
// from the same basis, and (3) holds for each of them.
//
// Where C is far from normal in the inner product at hand, incomplete orthogonalization may leave a basis
// without independence, its H with eigenvalues that C has not, and (1) with a wrong result whose estimate is
// small. Such a result is a sum of vectors that cancel; it is not trusted when
//
//   |beta F(1..m, 1)| > 100 |x+|     (equal for an orthonormal basis),                                   (5)
//
// the substep is halved, and the next ones grow towards it slowly. With the smallest basis a substep may grow
// too, by 4/3.
//
// (2) has to be written anew in every substep. Codes in public use are off by two in the exponent, which shows
// as soon as there are two substeps and p >= 2.
//
// An invariant space (breakdown) makes (1) exact. An exponential that overflows means a substep a fifth as
// long.
//
// (3) is relative to the result on the way: series_evaluator.h says why an output that is much smaller makes
// the evaluation start again, and so it is done here.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "phiflex/matfun/arnoldi.h"
#include "phiflex/matfun/augmented_operator.h"
#include "phiflex/matfun/dense_phi.h"
#include "phiflex/matfun/evaluators.h"
#include "phiflex/matfun/product_limit.h"
#include "phiflex/matfun/unit_time.h"

namespace phiflex {
namespace {

constexpr int kFirstBasis = 10, kLeastBasis = 10, kKiopsLargestBasis = 128, kOrthogonalization = 2;
constexpr double kKiopsGamma = 0.9, kGammaAtLargest = 0.6, kKiopsDelta = 1.4;
constexpr double kLargestCancellation = 100;  // of (5)
constexpr double kShare = 0.5;                // of the tolerance: C may amplify errors
constexpr double kWorthRepeating = 4;         // of the ratio of a result on the way to one at an output
constexpr double kHopeless = 100;             // times more substeps than allowed
constexpr double kKiopsEpsilon = std::numeric_limits<double>::epsilon();

constexpr EvaluatorInfo kKiopsInfo = {
    .name = "kiops",
    .summary = "Krylov with incomplete orthogonalization; adapts the basis first, then the substep",
    .family = EvaluatorFamily::general,
    .needs_factorization = false,
    .citation = "gaudreault2018kiops"};

// (4), from the omegas of the last two trials.
class StepControl {
 public:
  StepControl(Index first, Index largest)
      : least_(std::min<Index>(kLeastBasis, largest)), largest_(largest), m_(first) {}

  Index m() const { return m_; }
  double s() const { return s_; }
  void limit(double remaining) { s_ = std::min(s_, remaining); }

  // After a trial with a basis of j <= m vectors: the next m and s.
  void accepted(Index j, double omega) {
    ceiling_ *= 1.1;
    if (omega > 0) {  // an exact result asks for no change
      learn(j, omega);
      if (j == largest_ && s_ < kBelowCeiling * ceiling_)
        propose_step(kKiopsGamma, omega);
      else
        propose_basis(j, omega);
      if (m_ == least_) s_ *= 4.0 / 3.0;
      s_ = std::min(s_, kBelowCeiling * ceiling_);
    }
    refusals_ = 0;
  }
  void refused(Index j, double omega) {
    learn(j, omega);
    if (j < largest_ && std::isfinite(omega))
      propose_basis(j, omega);
    else
      propose_step(kGammaAtLargest, omega);
    ++refusals_;
  }
  void cancelled() {
    ceiling_ = s_;
    s_ /= 2;
    ++refusals_;
  }

 private:
  void learn(Index j, double omega) {
    const bool comparable =
        refusals_ > 0 && omega > 0 && std::isfinite(omega) && old_omega_ > 0 && std::isfinite(old_omega_);
    if (comparable && j == old_m_ && s_ != old_s_)
      order_ = std::max(1.0, std::log(omega / old_omega_) / std::log(s_ / old_s_));
    else if (order_is_guessed_ || refusals_ == 0)
      order_ = std::max(1.0, static_cast<double>(j) / 4);
    order_is_guessed_ = !(comparable && j == old_m_ && s_ != old_s_);
    if (comparable && j != old_m_ && s_ == old_s_)
      kappa_ = std::max(1.1, std::pow(omega / old_omega_, 1.0 / static_cast<double>(old_m_ - j)));
    else if (kappa_is_guessed_ || refusals_ == 0)
      kappa_ = 2;
    kappa_is_guessed_ = !(comparable && j != old_m_ && s_ == old_s_);
    old_m_ = j;
    old_s_ = s_;
    old_omega_ = omega;
  }
  void propose_step(double gamma, double omega) {
    const double wish = std::isfinite(omega) ? std::pow(gamma / omega, 1 / order_) : 0;
    s_ *= std::clamp(wish, 0.2, 5.0);
  }
  void propose_basis(Index j, double omega) {
    const double size = static_cast<double>(m_);
    const double wish = std::ceil(static_cast<double>(j) + std::log(omega / kKiopsGamma) / std::log(kappa_));
    const double limited = std::clamp(wish, std::floor(0.75 * size), std::ceil(4.0 / 3.0 * size));
    m_ = std::clamp(static_cast<Index>(limited), least_, largest_);
  }

  static constexpr double kBelowCeiling = 0.75;
  Index least_, largest_, m_;
  double s_ = 1;
  double ceiling_ = HUGE_VAL;  // where substeps began to lose digits
  int refusals_ = 0;
  Index old_m_ = 0;
  double old_s_ = 0, old_omega_ = 0, order_ = 1, kappa_ = 2;
  bool order_is_guessed_ = true, kappa_is_guessed_ = true;
};

class Kiops final : public PhiEvaluator {
 public:
  explicit Kiops(const PhiOptions& options)
      : options_(options),
        product_(options.norm ? std::optional<AugmentedProduct>(*options.norm) : std::nullopt),
        arnoldi_(product_ ? &*product_ : nullptr, kOrthogonalization) {}
  Kiops(const Kiops&) = delete;  // arnoldi_ points to product_
  Kiops& operator=(const Kiops&) = delete;

  EvaluationReport evaluate(const LinearOperator& A, std::span<const Vector> u, std::span<const double> tau,
                            std::span<Vector> w) override {
    report_ = {.evaluator = kKiopsInfo.name};
    const PhiInput input(A, u, tau, w);
    if (input.kind() != InputKind::usable) {
      report_.status = input.finish_without_work(w);
      return report_;
    }
    sum_.set(A, input);
    sizes_.resize(std::max(sizes_.size(), tau.size()));
    prepare();
    for (double tolerance = kShare * options_.tolerance; tolerance > 0;)
      tolerance = integrate(tolerance, tau, w);
    report_.products = sum_.products();
    return report_;
  }

 private:
  void prepare() {
    n_ = sum_.size();
    if (product_) product_->set(n_);
    double forcing = 0;
    for (int k = 1; k <= sum_.p(); ++k) {
      if (sum_.U()[k].size()) forcing = std::max(forcing, norm_in(options_.norm, sum_.U()[k], work_));
    }
    scale_ = forcing > 0 && std::isfinite(forcing) ? std::ldexp(1.0, std::ilogb(forcing)) : 1;
    C_.set(sum_, sum_.U(), 1, scale_);
    largest_ = options_.largest_basis > 0 ? std::max(1, options_.largest_basis - 1) : kKiopsLargestBasis;
    first_ = std::min<Index>(options_.basis > 0 ? options_.basis : kFirstBasis, largest_);
  }

  // All outputs with this tolerance. Returns a smaller one to start again with, or zero: done.
  double integrate(double tolerance, std::span<const double> tau, std::span<Vector> w) {
    StepControl control(first_, largest_);
    sum_.start(w_);
    double t = 0, error = 0, level = norm_in(options_.norm, w_, work_);
    std::size_t output = 0;  // the next one
    bool fresh = true;
    while (output < tau.size()) {
      control.limit(1 - t);
      const double s = control.s(), end = s == 1 - t ? 1 : t + s;
      const auto left = static_cast<double>(options_.substep_limit - report_.substeps - report_.rejected);
      if (left < 1 || 1 - t > kHopeless * left * s || end == t) return fail(EvaluationStatus::not_converged);
      const auto products_left = static_cast<double>(kMostProducts - sum_.products());
      const double patience = report_.substeps < kTrialSubsteps ? kForetoldAtFirst : kForetoldTooMany;
      if ((1 - t) / s * static_cast<double>(control.m()) > patience * products_left)
        return fail(EvaluationStatus::not_converged);
      if (fresh && !start_basis(t, control.m())) return 0;
      fresh = false;
      if (!extend_basis(control.m())) return 0;

      // The results inside the substep and at its end, the worst of them deciding.
      double worst = 0;
      std::size_t inside = output;
      for (; worst <= kKiopsDelta && sum_.time(tau[inside]) < end; ++inside) {
        worst = std::max(worst, trial(sum_.time(tau[inside]) - t, tolerance));
        w[inside] = candidate_;
        sizes_[inside] = size_;
      }
      if (worst <= kKiopsDelta) worst = std::max(worst, trial(s, tolerance));
      if (worst > kKiopsDelta) {
        ++report_.rejected;
        if (cancelled_)
          control.cancelled();
        else
          control.refused(arnoldi_.size(), worst);
        continue;
      }
      ++report_.substeps;
      error += worst * s * tolerance + kKiopsEpsilon * length_ / size_;
      level = std::max(level, size_);
      w_.swap(candidate_);
      if (sum_.time(tau[inside]) == end) {
        w[inside] = w_;
        sizes_[inside++] = size_;
      }
      for (; output < inside; ++output) {
        const double size = sizes_[output], needed = kShare * options_.tolerance * size / level;
        if (tolerance > kWorthRepeating * needed && tolerance > kKiopsEpsilon)
          return std::max(needed, kKiopsEpsilon);
        report_.error = std::max(report_.error, error * (level / size));
        if (!sum_.restore(w[output])) return fail(EvaluationStatus::not_finite);
      }
      control.accepted(arnoldi_.size(), worst);
      t = end;
      fresh = true;
    }
    return 0;
  }

  double fail(EvaluationStatus status) {
    report_.status = status;
    return 0;
  }

  bool start_basis(double t, Index m) {
    state_.resize(C_.size());
    state_.head(n_) = w_;
    C_.set_augmented_part(t, scale_, state_);  // (2)
    beta_ = arnoldi_.start(state_, m);
    invariant_ = false;
    if (std::isnan(beta_)) fail(EvaluationStatus::not_positive_definite);
    if (std::isinf(beta_)) fail(EvaluationStatus::not_finite);
    return report_.status == EvaluationStatus::ok;
  }

  bool extend_basis(Index m) {
    const Index before = arnoldi_.vectors();
    while (arnoldi_.size() < m && !invariant_) {
      const ArnoldiStatus status = arnoldi_.extend(C_);
      if (status == ArnoldiStatus::not_finite) return fail(EvaluationStatus::not_finite), false;
      if (status == ArnoldiStatus::not_positive_definite)
        return fail(EvaluationStatus::not_positive_definite), false;
      invariant_ = status == ArnoldiStatus::breakdown;
    }
    report_.krylov_vectors += arnoldi_.vectors() - before;
    report_.largest_basis = std::max(report_.largest_basis, arnoldi_.vectors());
    return true;
  }

  // candidate_ = w(t + s) by (1), size_ its norm; returns omega of (3).
  double trial(double s, double tolerance) {
    const Index m = arnoldi_.size();
    cancelled_ = false;
    auto small = exponential_.input(m + 1);
    small.topLeftCorner(m, m) = arnoldi_.H().topRows(m);
    small(0, m) = 1;
    if (!exponential_.compute(s)) return HUGE_VAL;
    const auto F = exponential_.value();
    const auto coefficients = F.col(0).head(m);
    const double err = invariant_ ? 0 : beta_ * arnoldi_.H()(m, m - 1) * std::abs(F(m - 1, m));
    length_ = beta_ * coefficients.norm();  // |x+|, were the basis orthonormal
    if (!std::isfinite(err) || !std::isfinite(length_)) return HUGE_VAL;
    // |x+| is at most sqrt(m) times that: most refusals are seen without forming it.
    if (err > kKiopsDelta * s * tolerance * length_ * std::sqrt(static_cast<double>(m)))
      return err / (s * tolerance * length_);
    arnoldi_.combine(coefficients, state_);
    state_ *= beta_;
    cancelled_ =
        length_ > kLargestCancellation * norm_in(product_ ? &*product_ : nullptr, state_, state_work_);
    if (cancelled_) return HUGE_VAL;
    candidate_ = state_.head(n_);
    size_ = norm_in(options_.norm, candidate_, work_);
    return err == 0 ? 0 : err / (s * tolerance * size_);
  }

  PhiOptions options_;
  std::optional<AugmentedProduct> product_;
  Arnoldi arnoldi_;
  UnitTimeSum sum_;
  AugmentedOperator C_;
  DenseExponential exponential_;
  EvaluationReport report_;
  Index n_ = 0, first_ = 0, largest_ = 0;
  double scale_ = 1, beta_ = 0, length_ = 0, size_ = 0;
  bool invariant_ = false, cancelled_ = false;
  std::vector<double> sizes_;  // of the outputs
  Vector w_, state_, state_work_, candidate_, work_;
};

}  // namespace

EvaluatorEntry kiops_evaluator() {
  return general_entry<Kiops>(kKiopsInfo);
}

}  // namespace phiflex

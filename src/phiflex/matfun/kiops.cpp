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
// Where C is far from normal in the given inner product, incomplete orthogonalization may leave a basis
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

#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/krylov_evaluator.h"
#include "phiflex/matfun/unit_time.h"

namespace phiflex {
namespace {

constexpr int kFirstBasis = 10, kLeastBasis = 10, kKiopsLargestBasis = 128, kOrthogonalization = 2;
constexpr double kKiopsGamma = 0.9, kGammaAtLargest = 0.6, kKiopsDelta = 1.4;
constexpr double kLargestCancellation = 100;  // of (5)
constexpr double kBelowCeiling = 0.75;        // substeps stay below the length at which digits were lost
constexpr double kShare = 0.5;                // of the tolerance: C may amplify errors
constexpr double kWorthRepeating = 4;         // of the ratio of a result on the way to one at an output
constexpr double kKiopsEpsilon = std::numeric_limits<double>::epsilon();

constexpr EvaluatorInfo kKiopsInfo = {
    .name = "kiops",
    .summary = "Krylov with incomplete orthogonalization; adapts the basis first, then the substep",
    .family = EvaluatorFamily::general,
    .needs_factorization = false,
    .citation = "gaudreault2018kiops",
    .polynomial = true,
    .on_ranks = true};

class Kiops final : public KrylovEvaluator {
 public:
  explicit Kiops(const PhiOptions& options)
      : KrylovEvaluator({kKiopsInfo.name, kKiopsDelta, std::numeric_limits<int>::max(), Space::augmented,
                         Stops::at_end_only, kOrthogonalization},
                        options, options.norm) {}

 private:
  void prepare(const LinearOperator& A, const PhiInput& input) override {
    sum_.set(A, input);
    unit_of_time_ = input.end();
    double forcing = 0;
    for (int k = 1; k <= sum_.p(); ++k) {
      // Of ranks that share the vector some may have no row of it.
      if (any(A.team(), sum_.U()[k].size() > 0)) forcing = std::max(forcing, norm(sum_.U()[k]));
    }
    scale_ = forcing > 0 && std::isfinite(forcing) ? std::ldexp(1.0, std::ilogb(forcing)) : 1;
    C_.set(sum_, sum_.U(), 1, scale_);
    operator_ = &C_;
    largest_m_ = options_.largest_basis > 0 ? std::max(1, options_.largest_basis - 1) : kKiopsLargestBasis;
    least_m_ = std::min<Index>(kLeastBasis, largest_m_);
    first_m_ = std::min<Index>(options_.basis > 0 ? options_.basis : kFirstBasis, largest_m_);
  }

  void begin_pass() override {
    sum_of_errors_ = 0;
    level_ = size_;
    ceiling_ = HUGE_VAL;
    old_ = {};
    order_is_guessed_ = kappa_is_guessed_ = true;
  }
  const Vector& start_vector(double t) override { return augmented_start(t); }  // (2)
  double first_length() const override { return 1; }

  // (1) and omega of (3).
  Trial attempt(double s) override {
    Trial trial;
    const Index m = arnoldi_.size();
    const double tolerance = kShare * tolerance_;
    cancelled_ = false;
    if (beta_ == 0) {
      next_.setZero(n_);
      trial.omega = 0;
      return trial;
    }
    auto small = exponential_.input(m + 1);
    small.topLeftCorner(m, m) = arnoldi_.H().topRows(m);
    small(0, m) = 1;
    if (!exponential_.compute(s)) return trial;
    const auto F = exponential_.value();
    const auto coefficients = F.col(0).head(m);
    const double err = invariant_ ? 0 : beta_ * arnoldi_.H()(m, m - 1) * std::abs(F(m - 1, m));
    const double length = beta_ * coefficients.norm();  // |x+|, were the basis orthonormal
    if (!std::isfinite(err) || !std::isfinite(length)) return trial;
    // |x+| is at most sqrt(m) times that: most refusals are seen without forming it.
    if (err > kKiopsDelta * s * tolerance * length * std::sqrt(double(m))) {
      trial.omega = err / (s * tolerance * length);
      return trial;
    }
    arnoldi_.combine(coefficients, state_);
    state_ *= beta_;
    cancelled_ = length > kLargestCancellation * basis_norm(state_);
    if (cancelled_) return trial;
    next_ = state_.head(n_);
    trial.norm = norm(next_);
    trial.round_off = kKiopsEpsilon * length;
    trial.omega = err == 0 ? 0 : err / (s * tolerance * trial.norm);
    return trial;
  }

  void accept(const Trial& trial) override {
    if (trial.norm > 0)
      sum_of_errors_ += trial.omega * trial.h * kShare * tolerance_ + trial.round_off / trial.norm;
    level_ = std::max(level_, trial.norm);
    h_ = trial.h;
    ceiling_ *= 1.1;
    if (trial.omega == 0) return;  // an exact result asks for no change
    learn(trial);
    if (trial.m == largest_m_ && h_ < kBelowCeiling * ceiling_)
      h_ = other_length(trial, kKiopsGamma);
    else
      m_ = other_basis(trial);
    if (m_ == least_m_) h_ *= 4.0 / 3.0;
    h_ = std::min(h_, kBelowCeiling * ceiling_);
  }
  double refuse(const Trial& trial) override {
    if (cancelled_) {
      ceiling_ = trial.h;
      return trial.h / 2;
    }
    learn(trial);
    if (trial.m == largest_m_ || !std::isfinite(trial.omega)) return other_length(trial, kGammaAtLargest);
    m_ = other_basis(trial);
    return trial.h;
  }

  // order and kappa of (4), from the last two trials.
  void learn(const Trial& trial) {
    const bool comparable = refused_ > 0 && trial.omega > 0 && std::isfinite(trial.omega) && old_.omega > 0 &&
                            std::isfinite(old_.omega);
    const bool other_s = comparable && trial.m == old_.m && trial.h != old_.h;
    const bool other_m = comparable && trial.m != old_.m && trial.h == old_.h;
    if (other_s)
      order_ = std::max(1.0, std::log(trial.omega / old_.omega) / std::log(trial.h / old_.h));
    else if (order_is_guessed_ || refused_ == 0)
      order_ = std::max(1.0, double(trial.m) / 4);
    order_is_guessed_ = !other_s;
    if (other_m)
      kappa_ = std::max(1.1, std::pow(trial.omega / old_.omega, 1.0 / double(old_.m - trial.m)));
    else if (kappa_is_guessed_ || refused_ == 0)
      kappa_ = 2;
    kappa_is_guessed_ = !other_m;
    old_ = trial;
  }
  double other_length(const Trial& trial, double gamma) const {
    const double wish = std::isfinite(trial.omega) ? std::pow(gamma / trial.omega, 1 / order_) : 0;
    return trial.h * std::clamp(wish, 0.2, 5.0);
  }
  Index other_basis(const Trial& trial) const {
    const auto size = double(m_);
    const double wish = std::ceil(double(trial.m) + std::log(trial.omega / kKiopsGamma) / std::log(kappa_));
    const double limited = std::clamp(wish, std::floor(0.75 * size), std::ceil(4.0 / 3.0 * size));
    return std::clamp(Index(limited), least_m_, largest_m_);
  }

  double relative_error(double norm) const override { return sum_of_errors_ * (level_ / norm); }
  double tightened(double norm) const override {
    const double needed = options_.tolerance * norm / level_, least = kKiopsEpsilon / kShare;
    return tolerance_ > kWorthRepeating * needed && tolerance_ > least ? std::max(needed, least) : 0;
  }

  UnitTimeSum sum_;
  Index least_m_ = 0;
  double sum_of_errors_ = 0;   // relative, over the substeps
  double level_ = 0;           // the largest |w| on the way
  double ceiling_ = HUGE_VAL;  // where substeps began to lose digits
  bool cancelled_ = false;     // (5), in the latest trial
  Trial old_;                  // the one before
  double order_ = 1, kappa_ = 2;
  bool order_is_guessed_ = true, kappa_is_guessed_ = true;
};

}  // namespace

EvaluatorEntry kiops_evaluator() {
  return general_entry<Kiops>(kKiopsInfo);
}

}  // namespace phiflex

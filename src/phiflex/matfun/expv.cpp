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

#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/krylov_evaluator.h"

namespace phiflex {
namespace {

constexpr EvaluatorInfo kExpvInfo{.name = "expv",
                                  .summary = "Expokit's Krylov steps of fixed basis, 30 vectors by default",
                                  .family = EvaluatorFamily::general,
                                  .citation = "sidje1998expokit",
                                  .absolute_tolerance = true,
                                  .polynomial = true};

constexpr int kExpvBasis = 30, kExpvTrials = 11;
constexpr double kExpvGamma = 0.9, kExpvDelta = 1.2;
constexpr double kExpvEpsilon = std::numeric_limits<double>::epsilon();

double round_up_to_two_digits(double h) {
  const double unit = std::pow(10.0, std::floor(std::log10(h)) - 1);
  return unit > 0 && std::isfinite(unit) ? std::ceil(h / unit) * unit : h;
}

class Expv final : public KrylovEvaluator {
 public:
  explicit Expv(const PhiOptions& options)  // Expokit itself knows only the Euclidean norm
      : KrylovEvaluator({kExpvInfo.name, kExpvDelta, kExpvTrials, Space::augmented}, options,
                        options.expokit_tolerance > 0 ? nullptr : options.norm) {}

 private:
  bool expokit() const { return options_.expokit_tolerance > 0; }

  void prepare(const LinearOperator& A, const PhiInput& input) override {
    scale_ = 1;
    double time = 1;
    if (expokit()) {
      unit_ = 1;
    } else {
      time = input.end();
      double size = 0, factor = 1;
      for (Index k = 1; k <= input.p(); ++k) {
        factor *= time / double(k);
        if (input.has(k)) size = std::max(size, factor * norm(input.u()[k]) / unit_);
      }
      if (size > 0 && std::isfinite(size)) scale_ = std::ldexp(1.0, std::ilogb(size));
    }
    C_.set(A, input.u(), time, unit_ * scale_);
    operator_ = &C_;
    int basis = options_.basis > 0 ? options_.basis : kExpvBasis;
    if (options_.largest_basis > 0) basis = std::min(basis, options_.largest_basis - 1);
    first_m_ = largest_m_ = std::clamp<Index>(basis, 1, C_.size());
    coefficients_.resize(first_m_ + 1);
  }

  const Vector& start_vector(double t) override { return augmented_start(t); }

  // tol of (3). Below the rounding of the basis no estimate says anything.
  double rate(double level, double growth) const {
    if (expokit()) return options_.expokit_tolerance;
    return std::max(error_.allowed(1, level) / growth, 4 * kExpvEpsilon * beta_ / input_->end());
  }

  double first_length() const override {  // (4)
    const double a = C_.norm(), m1 = double(m_ + 1), tol = rate(std::max(size_, scale_), 1);
    const double fact = std::pow(m1 / std::numbers::e, m1) * std::sqrt(2 * std::numbers::pi * m1);
    const double h = 1 / a * std::pow(fact * tol / (4 * beta_ * a), 1 / double(m_));
    return std::isfinite(h) && h > 0 ? round_up_to_two_digits(h) : std::numeric_limits<double>::max();
  }

  Trial attempt(double h) override {
    Trial trial;
    const Index m = arnoldi_.size(), used = invariant_ ? m : m + 1;
    if (beta_ == 0) {
      next_.setZero(n_);
      trial.omega = 0;
      trial.level = error_.level_after(0, 1);
      proposal_ = h_;
      return trial;
    }
    if (!invariant_ && refused_ == 0) {
      C_.apply(arnoldi_.last(), state_);
      ++report_.products;
      next_product_ = basis_norm(state_);
    }
    auto small = exponential_.input(invariant_ ? m : m + 2);  // (1)
    small.topLeftCorner(used, m) = arnoldi_.H().topRows(used);
    if (!invariant_) small(m + 1, m) = 1;
    if (!exponential_.compute(h)) {  // overflow
      proposal_ = round_up_to_two_digits(h / 5);
      return trial;
    }
    const auto F = exponential_.value();
    coefficients_.head(used) = beta_ * F.col(0).head(used);
    arnoldi_.combine(coefficients_.head(used), state_);
    next_ = state_.head(n_);
    trial.norm = norm(next_);
    double flow = exponential_.leading_norm(m);
    if (C_.size() > n_) {
      flow = std::max(flow, 1.0);  // the augmented part does not decay, and is not told apart
    } else if (size_ > 0) {
      flow = std::max(flow, trial.norm / size_);
    }
    trial.level = error_.level_after(trial.norm, flow);
    const double growth = error_.growth(flow), allowed = h * rate(trial.level, growth);
    double error = 0, order = double(m);  // (2)
    if (!invariant_) {
      const double p1 = std::abs(beta_ * F(m, 0)), p2 = std::abs(beta_ * F(m + 1, 0) * next_product_);
      error = p1 > 10 * p2 ? p2 : p1 > p2 ? p1 * p2 / (p1 - p2) : p1;
      if (p1 <= p2) order = std::max(1.0, order - 1);
    }
    trial.omega = error / allowed;
    trial.truncation = growth * error;
    trial.round_off = growth * kExpvEpsilon * (4 + h * arnoldi_.norm_H()) * beta_;
    proposal_ = round_up_to_two_digits(kExpvGamma * h * std::pow(allowed / error, 1 / order));  // (3)
    return trial;
  }

  void accept(const Trial& trial) override {
    error_.accept(trial.truncation, trial.round_off, trial.level);
    h_ = std::isfinite(proposal_) ? proposal_ : left_;
  }
  double refuse(const Trial& trial) override { return std::isfinite(proposal_) ? proposal_ : trial.h / 5; }

  double tightened(double norm) const override { return expokit() ? 0 : KrylovEvaluator::tightened(norm); }

  double next_product_ = 0;  // |C v_{m+1}|
  double proposal_ = 0;      // the next h of (3)
  Vector coefficients_;
};

}  // namespace

EvaluatorEntry expv_evaluator() {
  return general_entry<Expv>(kExpvInfo);
}

}  // namespace phiflex

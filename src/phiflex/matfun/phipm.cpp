// `phipm`: Niesen and Wright, Algorithm 919: a Krylov subspace algorithm for evaluating the phi-functions
// appearing in exponential integrators (2012). From the time t a substep of length h is
//
//   w(t + h) = h^p phi_p(h A) w_p + sum_{j=0..p-1} h^j/j! w_j,
//   w_0 = w(t),   w_j = A w_{j-1} + sum_{l=0..p-j} t^l/l! u_{j+l}                                         (1)
//
// with the one phi-function in a Krylov basis of w_p, beta = |w_p|, and its corrected scheme
//
//   h^p phi_p(h A) w_p ~ beta h^p (V_m phi_p(h H) e_1 + h_{m+1,m} h [phi_{p+1}(h H)]_{m,1} v_{m+1})       (2)
//   err = |beta h_{m+1,m} h^(p+1) [phi_{p+1}(h H)]_{m,1}|,   omega = err / (what the tolerance allows)    (3)
//
// accepted when omega <= delta. The next substep has either another length or another basis,
//
//   h' = h (gamma/omega)^(1/(q+1)) in [h/5, 2h],     m' = m + log(omega/gamma)/log(kappa) in [3m/4, 4m/3], (4)
//
// whichever costs fewer operations up to the end. The order q and the rate kappa are m/4 and 2, or measured
// between two trials of one substep. phi_p(h H) e_1 and phi_{p+1}(h H) e_1 are columns of
// exp([h H  e_1 0; 0 [0 I; 0 0]]).
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/krylov_evaluator.h"

namespace phiflex {
namespace {

constexpr EvaluatorInfo kPhipmInfo{
    .name = "phipm",
    .summary = "Krylov steps whose length and basis adapt, one phi-function per step",
    .family = EvaluatorFamily::general,
    .citation = "niesen2012phipm",
    .polynomial = true};

constexpr Index kPhipmBasis = 10, kPhipmLargestBasis = 100;
constexpr double kPhipmGamma = 0.8, kPhipmDelta = 1.2;
constexpr int kPhipmTrials = 100;
constexpr double kCancels = 4;  // times smaller than its largest term: two bits are lost
constexpr double kPhipmEpsilon = std::numeric_limits<double>::epsilon();
// Costs per row, in sweeps over three numbers: a product with a tetrahedral stiffness against the sweeps of
// orthogonalization, half of it repeated, over the basis.
constexpr double kProductCost = 60, kSweepCost = 4;

class Phipm final : public KrylovEvaluator {
 public:
  explicit Phipm(const PhiOptions& options)
      : KrylovEvaluator({kPhipmInfo.name, kPhipmDelta, kPhipmTrials}, options, options.norm) {}

 private:
  void prepare(const LinearOperator& A, const PhiInput& input) override {
    operator_ = &A;
    p_ = more_vectors_ = input.p();
    largest_m_ =
        options_.largest_basis > 0 ? std::max(2, options_.largest_basis - 1 - int(p_)) : kPhipmLargestBasis;
    largest_m_ = std::min(largest_m_, n_);
    first_m_ = std::min<Index>(options_.basis > 0 ? options_.basis : kPhipmBasis, largest_m_);
    derivatives_.resize(std::max<std::size_t>(derivatives_.size(), p_));
    sizes_.resize(p_);
  }

  // w_j of (1).
  const Vector& derivative(Index j) const { return j == 0 ? w_ : derivatives_[j - 1]; }

  // w_1, ..., w_p of (1) from w_0, and their norms.
  const Vector& start_vector(double t) override {
    old_.omega = 0;
    order_ = rate_ = 0;
    for (Index j = 1; j <= p_; ++j) {
      Vector& next = derivatives_[j - 1];
      operator_->apply(derivative(j - 1), next);
      ++report_.products;
      double factor = 1 / unit_;
      for (Index l = 0; j + l <= p_; ++l) {
        if (l > 0) factor *= t / double(l);
        if (input_->has(j + l)) next += factor * input_->u()[j + l];
      }
      sizes_[j - 1] = norm(next);
    }
    return derivative(p_);
  }

  // The first term that a basis of m vectors misses is allowed to be as large as the tolerance, times 10.
  double first_length() const override {
    const double m1 = double(m_ + 1), norm_A = operator_->norm(), end = input_->end();
    const double fact = std::pow(m1 / std::numbers::e, m1) * std::sqrt(2 * std::numbers::pi * m1);
    const double size = std::max(size_, beta_ * std::pow(end, double(p_)));
    const double tol = options_.tolerance * size / end;
    const double h = 10 / norm_A * std::pow(fact * tol / (4 * norm_A * size), 1 / double(m_));
    return std::isfinite(h) && h > 0 ? h : end;
  }

  // The largest term of (1) that is not w_0: sums lose its rounding.
  double largest_term(double h) const {
    double largest = 0, factor = 1;
    for (Index j = 1; j <= p_; ++j) {
      factor *= h / double(j);
      largest = std::max(largest, factor * sizes_[j - 1]);
    }
    return largest;
  }

  // (1) with (2), and (3).
  Trial attempt(double h) override {
    Trial trial;
    next_.setZero(n_);
    double factor = 1;
    for (Index j = 0; j < p_; ++j) {
      if (j > 0) factor *= h / double(j);
      next_ += factor * derivative(j);
    }
    double flow = 1, missed = 0;
    if (beta_ > 0) {
      const Index m = arnoldi_.size();
      auto small = exponential_.input(m + p_ + 1);
      small.topLeftCorner(m, m) = h * arnoldi_.H().topRows(m);
      small(0, m) = 1;
      for (Index k = 0; k < p_; ++k) small(m + k, m + k + 1) = 1;
      if (!exponential_.compute(1)) return trial;
      const auto F = exponential_.value();
      const double scale = beta_ * std::pow(h, double(p_));
      if (coefficients_.size() <= m) coefficients_.resize(m + 1);
      coefficients_.head(m) = scale * F.col(p_ > 0 ? m + p_ - 1 : 0).head(m);
      if (!invariant_) {
        coefficients_[m] = scale * h * arnoldi_.H()(m, m - 1) * F(m - 1, m + p_);
        missed = std::abs(coefficients_[m]);
      }
      arnoldi_.combine(coefficients_.head(invariant_ ? m : m + 1), part_);
      next_ += part_;
      flow = exponential_.leading_norm(m);
    }
    trial.norm = norm(next_);
    if (!std::isfinite(trial.norm)) return trial;
    if (p_ == 0 && size_ > 0) flow = std::max(flow, trial.norm / size_);
    trial.level = error_.level_after(trial.norm, flow);
    const double growth = error_.growth(flow), term = largest_term(h);
    const double allowed =
        std::max(error_.allowed(h, trial.level) / growth, 4 * kPhipmEpsilon * std::max(size_, trial.level));
    trial.truncation = growth * missed;
    trial.round_off = growth * kPhipmEpsilon * (4 * (size_ + term) + h * arnoldi_.norm_H() * trial.level);
    // (1) cancels when h |A| is large: shorter substeps keep its rounding below the tolerance. A sum of one term is as
    // large as that term, up to rounding: it does not cancel, and no shorter substep would change that.
    if (term <= kCancels * trial.level || kPhipmEpsilon * term <= 0.25 * allowed)
      trial.omega = missed / allowed;
    return trial;
  }

  void accept(const Trial& trial) override {
    error_.accept(trial.truncation, trial.round_off, trial.level);
    const Choice next = choose(trial, left_ - trial.h);
    m_ = next.m;
    // A substep cut short by an output says nothing against the length of the others.
    h_ = trial.h < h_ ? std::max(h_, next.h) : next.h;
  }
  double refuse(const Trial& trial) override {
    if (!std::isfinite(trial.omega)) {
      old_.omega = 0;
      return trial.h / 5;
    }
    const Choice next = choose(trial, left_);
    old_ = trial;
    m_ = next.m;
    return h_ = std::min(next.h, to_output_);
  }

  struct Choice {
    double h;
    Index m;
  };

  // (4), with `left` the time left behind the next substep's start.
  Choice choose(const Trial& trial, double left) {
    if (old_.omega > 0 && trial.omega > 0) {
      if (trial.h != old_.h)
        order_ = std::max(1.0, std::log(trial.omega / old_.omega) / std::log(trial.h / old_.h) - 1);
      if (trial.m != old_.m)
        rate_ = std::max(1.1, std::pow(trial.omega / old_.omega, 1 / double(old_.m - trial.m)));
    }
    if (invariant_ || left <= 0) return {trial.h, m_};
    const double order = order_ > 0 ? order_ : double(trial.m) / 4, rate = rate_ > 0 ? rate_ : 2;
    const double omega = std::max(trial.omega, 1e-10);
    const double longer =
        std::clamp(trial.h * std::pow(kPhipmGamma / omega, 1 / (order + 1)), trial.h / 5, 2 * trial.h);
    const double wanted = double(trial.m) + std::ceil(std::log(omega / kPhipmGamma) / std::log(rate));
    const Index larger = std::min(largest_m_, Index(std::clamp(wanted, std::floor(0.75 * double(trial.m)),
                                                               std::ceil(4.0 / 3 * double(trial.m)))));
    const Choice other_length{longer, trial.m}, other_basis{trial.h, std::max<Index>(1, larger)};
    // A basis that cannot grow cannot mend an error.
    if (trial.omega > kPhipmDelta && other_basis.m <= trial.m) return other_length;
    return cost(other_length, left) < cost(other_basis, left) ? other_length : other_basis;
  }

  // Operations up to the end: products, orthogonalization, the small exponential.
  double cost(const Choice& choice, double left) const {
    const double m = double(choice.m), small = double(choice.m + p_ + 1), n = double(n_);
    const double per_step =
        (m + double(p_)) * kProductCost * n + (kSweepCost * m * m + 6 * m) * n + 40 * small * small * small;
    return std::ceil(left / choice.h) * per_step;
  }

  Index p_ = 0;
  std::vector<Vector> derivatives_;  // w_1, ..., w_p of (1)
  std::vector<double> sizes_;        // and their norms
  Trial old_;                        // the refused trial before; omega = 0: there is none
  double order_ = 0, rate_ = 0;      // q and kappa of (4), measured in this substep; 0: not yet
  Vector part_, coefficients_;
};

}  // namespace

EvaluatorEntry phipm_evaluator() {
  return general_entry<Phipm>(kPhipmInfo);
}

}  // namespace phiflex

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

#include "phiflex/matfun/arnoldi.h"
#include "phiflex/matfun/dense_phi.h"
#include "phiflex/matfun/evaluators.h"
#include "phiflex/matfun/phi_input.h"
#include "phiflex/matfun/substep_error.h"

namespace phiflex {
namespace {

constexpr EvaluatorInfo kPhipmInfo{
    .name = "phipm",
    .summary = "Krylov steps whose length and basis adapt, one phi-function per step",
    .family = EvaluatorFamily::general,
    .citation = "niesen2012phipm"};

constexpr Index kPhipmBasis = 10, kPhipmLargestBasis = 100;
constexpr double kPhipmGamma = 0.8, kPhipmDelta = 1.2;
constexpr int kTrials = 100;
constexpr double kPhipmEpsilon = std::numeric_limits<double>::epsilon();
// Costs per row, in sweeps over three numbers: a product with a tetrahedral stiffness against the sweeps of
// orthogonalization, half of it repeated, over the basis.
constexpr double kProductCost = 60, kSweepCost = 4;

class Phipm final : public PhiEvaluator {
 public:
  explicit Phipm(const PhiOptions& options) : options_(options), arnoldi_(options.norm) {}

  EvaluationReport evaluate(const LinearOperator& A, std::span<const Vector> u, std::span<const double> tau,
                            std::span<Vector> w) override {
    report_ = {.evaluator = kPhipmInfo.name};
    const PhiInput input(A, u, tau, w);
    if (input.kind() != InputKind::usable) {
      report_.status = input.finish_without_work(w);
      return report_;
    }
    n_ = A.size();
    p_ = input.p();
    largest_m_ =
        options_.largest_basis > 0 ? std::max(2, options_.largest_basis - 1 - int(p_)) : kPhipmLargestBasis;
    largest_m_ = std::min(largest_m_, n_);
    derivatives_.resize(std::max<std::size_t>(derivatives_.size(), p_ + 1));
    for (double tolerance = options_.tolerance; tolerance > 0;) {
      report_.error = 0;
      tolerance = integrate(A, input, tolerance, tau, w);
    }
    return report_;
  }

 private:
  // All outputs with this tolerance. Returns a smaller tolerance to do it again with, or zero: finished.
  double integrate(const LinearOperator& A, const PhiInput& input, double tolerance,
                   std::span<const double> tau, std::span<Vector> w) {
    Vector& state = derivatives_[0];
    if (input.has(0)) {
      state = input.u()[0] / input.unit();
    } else {
      state.setZero(n_);
    }
    norm_ = norm_in(options_.norm, state, work_);
    error_.start(tolerance, input.end(), norm_);
    m_ = std::min<Index>(options_.basis > 0 ? options_.basis : kPhipmBasis, largest_m_);
    h_ = 0;
    double t = 0;
    for (std::size_t j = 0; j < tau.size(); ++j) {
      while (t < tau[j]) {
        if (!substep(A, input, t, tau[j] - t, tau.back() - t)) return 0;
        t = taken_ == tau[j] - t ? tau[j] : t + taken_;
      }
      w[j] = input.unit() * state;
      if (!w[j].allFinite()) return fail(EvaluationStatus::not_finite), 0;
      if (norm_ == 0) continue;
      report_.error = std::max(report_.error, error_.relative_to(norm_));
      if (const double next = error_.tightened(options_.tolerance, norm_); next > 0) return next;
    }
    return 0;
  }

  // w_1, ..., w_p of (1) from w_0 and their norms.
  void differentiate(const LinearOperator& A, const PhiInput& input, double t) {
    for (Index j = 1; j <= p_; ++j) {
      A.apply(derivatives_[j - 1], derivatives_[j]);
      ++report_.products;
      double factor = 1 / input.unit();
      for (Index l = 0; j + l <= p_; ++l) {
        if (l > 0) factor *= t / double(l);
        if (input.has(j + l)) derivatives_[j] += factor * input.u()[j + l];
      }
    }
    sizes_.resize(p_ + 1);
    for (Index j = 0; j <= p_; ++j) sizes_[j] = norm_in(options_.norm, derivatives_[j], work_);
  }

  // The largest term of (1) that is not w_0: sums lose its rounding.
  double largest_term(double h) const {
    double largest = 0, factor = 1;
    for (Index j = 1; j <= p_; ++j) {
      factor *= h / double(j);
      largest = std::max(largest, factor * sizes_[j]);
    }
    return largest;
  }

  // One substep of at most `output`. False: failed, the report says why.
  bool substep(const LinearOperator& A, const PhiInput& input, double t, double output, double remaining) {
    if (++report_.substeps > options_.substep_limit) return fail(EvaluationStatus::not_converged);
    differentiate(A, input, t);
    const double beta = arnoldi_.start(derivatives_[p_], std::min(largest_m_, m_ + m_ / 3 + 1));
    if (std::isinf(beta)) return fail(EvaluationStatus::not_finite);
    if (std::isnan(beta))
      return fail(derivatives_[p_].allFinite() ? EvaluationStatus::not_positive_definite
                                               : EvaluationStatus::not_finite);
    if (h_ == 0) h_ = first_step(A.norm(), input.end(), beta);

    Trial trial, old;
    ArnoldiStatus status = beta > 0 ? ArnoldiStatus::extended : ArnoldiStatus::breakdown;
    double h = std::min(h_, output), order = 0, rate = 0;
    for (int rejected = 0; rejected < kTrials; ++rejected, ++report_.rejected) {
      while (arnoldi_.size() < m_ && status == ArnoldiStatus::extended) {
        status = arnoldi_.extend(A);
        ++report_.products;
        ++report_.krylov_vectors;
      }
      if (status == ArnoldiStatus::not_finite) return fail(EvaluationStatus::not_finite);
      if (status == ArnoldiStatus::not_positive_definite)
        return fail(EvaluationStatus::not_positive_definite);
      const bool invariant = status == ArnoldiStatus::breakdown;
      report_.largest_basis = std::max(report_.largest_basis, arnoldi_.vectors() + p_);
      if (invariant && rejected == 0) h = output;
      // The first guess may be far too short, and grows; what rejections have made so short does not.
      if (!(h > 0) || (rejected > 0 && remaining / h > 1e3 * double(options_.substep_limit)))
        return fail(EvaluationStatus::not_converged);

      trial = attempt(beta, h, invariant);
      if (!std::isfinite(trial.omega)) {
        h /= 5;
        old = {};
        continue;
      }
      // (4)
      if (old.omega > 0 && trial.omega > 0) {
        if (trial.h != old.h)
          order = std::max(1.0, std::log(trial.omega / old.omega) / std::log(trial.h / old.h) - 1);
        if (trial.m != old.m)
          rate = std::max(1.1, std::pow(trial.omega / old.omega, 1 / double(old.m - trial.m)));
      }
      const bool accepted = trial.omega <= kPhipmDelta;
      const Choice next = choose(trial, invariant, accepted ? remaining - h : remaining,
                                 order > 0 ? order : double(trial.m) / 4, rate > 0 ? rate : 2);
      m_ = next.m;
      if (accepted) {
        derivatives_[0].swap(trial_);
        error_.accept(trial.truncation, trial.round_off, trial.level);
        norm_ = trial.norm;
        taken_ = h;
        // A substep cut short by an output says nothing against the length of the others.
        h_ = h < h_ ? std::max(h_, next.h) : next.h;
        return true;
      }
      old = trial;
      h = h_ = std::min(next.h, output);
    }
    return fail(EvaluationStatus::not_converged);
  }

  struct Trial {
    double h = 0;
    Index m = 0;
    double omega = 0;  // 0: there was none, or no error
    double norm = 0, level = 0;
    double truncation = 0, round_off = 0;  // grown, as SubstepError counts them
  };

  // trial_ = (1) with (2), and (3); omega is infinite where the result is of no use.
  Trial attempt(double beta, double h, bool invariant) {
    Trial trial{.h = h, .m = arnoldi_.size(), .omega = std::numeric_limits<double>::infinity()};
    trial_.setZero(n_);
    double factor = 1;
    for (Index j = 0; j < p_; ++j) {
      if (j > 0) factor *= h / double(j);
      trial_ += factor * derivatives_[j];
    }
    double flow = 1, missed = 0;
    if (beta > 0) {
      const Index m = trial.m, columns = m + p_ + 1;
      auto small = exponential_.input(columns);
      small.topLeftCorner(m, m) = h * arnoldi_.H().topRows(m);
      small(0, m) = 1;
      for (Index k = 0; k < p_; ++k) small(m + k, m + k + 1) = 1;
      if (!exponential_.compute(1)) return trial;
      const auto F = exponential_.value();
      const double scale = beta * std::pow(h, double(p_));
      if (coefficients_.size() <= m) coefficients_.resize(m + 1);
      coefficients_.head(m) = scale * F.col(p_ > 0 ? m + p_ - 1 : 0).head(m);
      if (!invariant) {
        coefficients_[m] = scale * h * arnoldi_.H()(m, m - 1) * F(m - 1, m + p_);
        missed = std::abs(coefficients_[m]);
      }
      arnoldi_.combine(coefficients_.head(invariant ? m : m + 1), work_);
      trial_ += work_;
      flow = exponential_.leading_norm(m);
    }
    trial.norm = norm_in(options_.norm, trial_, work_);
    if (!std::isfinite(trial.norm)) return trial;
    if (p_ == 0 && norm_ > 0) flow = std::max(flow, trial.norm / norm_);
    trial.level = error_.level_after(trial.norm, flow);
    const double growth = error_.growth(flow), term = largest_term(h);
    const double allowed =
        std::max(error_.allowed(h, trial.level) / growth, 4 * kPhipmEpsilon * std::max(norm_, trial.level));
    trial.truncation = growth * missed;
    trial.round_off = growth * kPhipmEpsilon * (4 * (norm_ + term) + h * arnoldi_.norm_H() * trial.level);
    // (1) cancels when h |A| is large: shorter substeps keep its rounding below the tolerance.
    if (term <= trial.level || kPhipmEpsilon * term <= 0.25 * allowed) trial.omega = missed / allowed;
    return trial;
  }

  struct Choice {
    double h;
    Index m;
  };

  Choice choose(const Trial& trial, bool invariant, double left, double order, double rate) const {
    if (invariant || left <= 0) return {trial.h, m_};
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

  // The first term that a basis of m vectors misses is allowed to be as large as the tolerance, times 10.
  double first_step(double norm_A, double end, double beta) const {
    const double m1 = double(m_ + 1);
    const double fact = std::pow(m1 / std::numbers::e, m1) * std::sqrt(2 * std::numbers::pi * m1);
    const double size = std::max(norm_, beta * std::pow(end, double(p_)));
    const double tol = options_.tolerance * size / end;
    const double h = 10 / norm_A * std::pow(fact * tol / (4 * norm_A * size), 1 / double(m_));
    return std::isfinite(h) && h > 0 ? h : end;
  }

  bool fail(EvaluationStatus status) {
    report_.status = status;
    return false;
  }

  PhiOptions options_;
  Arnoldi arnoldi_;
  DenseExponential exponential_;
  SubstepError error_;
  EvaluationReport report_;
  Index n_ = 0, p_ = 0, m_ = 0, largest_m_ = 0;
  double h_ = 0, taken_ = 0, norm_ = 0;
  std::vector<Vector> derivatives_;  // w_0, ..., w_p of (1)
  std::vector<double> sizes_;        // and their norms
  Vector trial_, work_, coefficients_;
};

}  // namespace

EvaluatorEntry phipm_evaluator() {
  return general_entry<Phipm>(kPhipmInfo);
}

}  // namespace phiflex

// `dense`: the phi-sum of the dense matrix of the operator, formed by one product per column. For tests and
// tiny systems; its cost grows with the cube of the size.
#include <algorithm>
#include <limits>

#include "phiflex/matfun/arnoldi.h"
#include "phiflex/matfun/dense_phi.h"
#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/phi_input.h"

namespace phiflex {
namespace {

constexpr EvaluatorInfo kDenseInfo{
    .name = "dense",
    .summary = "scaling and squaring of the dense augmented matrix, to round-off",
    .family = EvaluatorFamily::general,
    .citation = "higham2005scaling"};

class Dense final : public PhiEvaluator {
 public:
  explicit Dense(const PhiOptions& options) : options_(options) {}

  EvaluationReport evaluate(const LinearOperator& A, std::span<const Vector> u, std::span<const double> tau,
                            std::span<Vector> w) override {
    EvaluationReport report{.evaluator = kDenseInfo.name};
    const PhiInput input(A, u, tau, w);
    if (input.kind() != InputKind::usable) {
      report.status = input.finish_without_work(w);
      return report;
    }
    const Index n = A.size();
    dense_.resize(n, n);
    for (Index j = 0; j < n; ++j) {
      unit_.setZero(n);
      unit_[j] = 1;
      A.apply(unit_, column_);
      dense_.col(j) = column_;
    }
    report.products = n;
    report.substeps = static_cast<long>(tau.size());
    if (!dense_.allFinite()) {
      report.status = EvaluationStatus::not_finite;
      return report;
    }
    const double norm = dense_.cwiseAbs().colwise().sum().maxCoeff();
    for (std::size_t j = 0; j < tau.size(); ++j) {
      if (!phi_.evaluate(dense_, input.u(), tau[j], w[j])) {
        report.status =
            norm * tau[j] > 0x1p52 ? EvaluationStatus::not_converged : EvaluationStatus::not_finite;
        return report;
      }
      report.error = std::max(report.error, round_off(input, norm, tau[j], w[j]));
    }
    return report;
  }

 private:
  // The exponential is exact for a matrix changed by about eps |tau A| (Higham 2005).
  double round_off(const PhiInput& input, double norm, double tau, const Vector& w) {
    double size = 0, factor = 1;
    for (Index k = 0; k <= input.p(); ++k) {
      if (k > 0) factor *= tau / static_cast<double>(k);
      if (input.has(k)) size += factor * norm_in(options_.norm, input.u()[k], unit_);
    }
    const double result = norm_in(options_.norm, w, unit_), eps = std::numeric_limits<double>::epsilon();
    return result > 0 ? eps * (1 + norm * tau) * std::max(1.0, size / result) : eps;
  }

  PhiOptions options_;
  Matrix dense_;
  Vector unit_, column_;
  DensePhi phi_;
};

}  // namespace

EvaluatorEntry dense_evaluator() {
  return general_entry<Dense>(kDenseInfo);
}

}  // namespace phiflex

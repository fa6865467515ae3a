#include "phiflex/matfun/phi_input.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "phiflex/linalg/binary_unit.h"

namespace phiflex {

PhiInput::PhiInput(const LinearOperator& A, std::span<const Vector> u, std::span<const double> tau,
                   std::span<Vector> w)
    : n_(A.size()) {
  if (w.size() != tau.size()) throw std::invalid_argument("phi-sum: as many results as times are needed");
  for (std::size_t j = 0; j < tau.size(); ++j) {
    if (std::isnan(tau[j]) || std::isinf(tau[j])) {
      kind_ = InputKind::not_finite;
    } else if (!(tau[j] > (j ? tau[j - 1] : 0.0))) {
      throw std::invalid_argument("phi-sum: times have to be positive and ascending");
    }
  }
  if (!tau.empty()) tau_end_ = tau.back();

  double largest = 0, factor = 1;  // factor: tau^k / k!
  std::size_t used = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (k > 0) factor *= tau_end_ / static_cast<double>(k);
    if (u[k].size() != 0 && u[k].size() != n_)
      throw std::invalid_argument("phi-sum: a vector has not the size of the operator");
    const double here = u[k].size() > 0 ? u[k].cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
    const bool finite = !any(A.team(), !std::isfinite(here));
    const double size = finite ? phiflex::largest(A.team(), here) : here;
    if (!finite) kind_ = InputKind::not_finite;
    if (size != 0 || !finite) used = k + 1;
    largest = std::max(largest, factor * size);
  }
  u_ = u.first(used);
  if (kind_ == InputKind::not_finite) return;
  if (used == 0 || total(A.team(), n_) == 0 || tau.empty()) {
    kind_ = InputKind::zero;
  } else if (!std::isfinite(largest)) {
    kind_ = InputKind::not_finite;
  } else if (largest > 0) {
    unit_ = binary_unit(largest);
  }
}

EvaluationStatus PhiInput::finish_without_work(std::span<Vector> w) const {
  if (kind_ == InputKind::not_finite) return EvaluationStatus::not_finite;
  for (Vector& each : w) each.setZero(n_);
  return EvaluationStatus::ok;
}

}  // namespace phiflex

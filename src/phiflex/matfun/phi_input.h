// What every general evaluator does first with its input.
#pragma once

#include <span>

#include "phiflex/linalg/linear_operator.h"
#include "phiflex/matfun/evaluation_report.h"

namespace phiflex {

enum class InputKind {
  usable,
  zero,  // all u_k vanish
  not_finite,
};

// Reads the input of PhiEvaluator::evaluate. Throws std::invalid_argument when sizes do not fit or tau is not
// positive and ascending.
class PhiInput {
 public:
  PhiInput(const LinearOperator& A, std::span<const Vector> u, std::span<const double> tau,
           std::span<Vector> w);

  InputKind kind() const { return kind_; }
  Index p() const { return static_cast<Index>(u_.size()) - 1; }  // of the last u_k that is not zero
  std::span<const Vector> u() const { return u_; }               // u_0, ..., u_p
  bool has(Index k) const { return u_[k].size() > 0; }
  double end() const { return tau_end_; }  // the last tau
  // A power of two near the largest entry of all tau^k u_k / k!: dividing by it keeps squares from overflow.
  double unit() const { return unit_; }

  // The results that need no work, or the failure: zeros for `zero`, status not_finite.
  EvaluationStatus finish_without_work(std::span<Vector> w) const;

 private:
  InputKind kind_ = InputKind::usable;
  std::span<const Vector> u_;
  Index n_;
  double tau_end_ = 0, unit_ = 1;
};

}  // namespace phiflex

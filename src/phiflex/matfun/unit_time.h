// The phi-sum (1) of phi_evaluator.h in units of its largest time T and of a size g, a power of two:
//
//   w(tau) = g W(tau / T),   W(t) = sum_k t^k phi_k(t C) U_k,   C = T A,   U_k = T^k u_k / g               (1)
//
// with the largest entry of all U_k near 1. Whatever the sizes of T, A and u alone, only their products meet
// the arithmetic, times run from 0 to 1, and an error per unit of time is one per evaluation.
#pragma once

#include <span>
#include <vector>

#include "phiflex/linalg/linear_operator.h"
#include "phiflex/matfun/phi_input.h"

namespace phiflex {

class UnitTimeSum final : public LinearOperator {  // as an operator: C
 public:
  // A is kept by reference, the vectors are copied. The input has to be usable.
  void set(const LinearOperator& A, const PhiInput& input);

  Index size() const override { return A_->size(); }
  void apply(const Vector& x, Vector& y) const override;
  double norm() const override { return time_ * A_->norm(); }
  const Team& team() const override { return A_->team(); }
  long products() const { return products_; }  // since set()

  int p() const { return p_; }
  std::span<const Vector> U() const { return {U_.data(), p_ + 1ul}; }  // an empty vector stands for zero
  double time(double tau) const { return tau / time_; }
  void start(Vector& W) const;  // W(0)

  // W becomes w = g W. False when that is not finite.
  [[nodiscard]] bool restore(Vector& W) const;

 private:
  const LinearOperator* A_ = nullptr;
  double time_ = 1, size_ = 1;
  int p_ = 0;
  std::vector<Vector> U_;
  mutable long products_ = 0;
};

// A fixed vector without structure, entries in [-1, 1]: what norms and spectra are probed with.
void fill_probe(Vector& x);

}  // namespace phiflex

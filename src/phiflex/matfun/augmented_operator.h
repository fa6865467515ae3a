// The phi-sum as one exponential:
//
//   sum_{k=0..p} t^k phi_k(t A) u_k = [I 0] exp(t C) [u_0; s e_p],
//
//   C = [A   B/s],   B = [T^(p-1) u_p, ..., T u_2, u_1],   N = [0 I; 0 0] of size p                       (1)
//       [0   N/T]
//
// The unit of time T and the scale s balance B and N against A: they change the norm of C, not the result. The
// augmented part of the state after the time t is
//
//   z(t) = s [(t/T)^(p-1)/(p-1)!, ..., t/T, 1].                                                           (2)
#pragma once

#include <span>

#include "phiflex/linalg/linear_operator.h"

namespace phiflex {

class AugmentedOperator final : public LinearOperator {
 public:
  // A is kept by reference until the next set(), u is copied. u[0] does not enter; empty vectors are zero.
  void set(const LinearOperator& A, std::span<const Vector> u, double unit_of_time, double scale);

  Index size() const override { return n_ + p_; }
  void apply(const Vector& x, Vector& y) const override;
  double norm() const override;  // the infinity norm, from A.norm()
  const Team& team() const override { return A_->team(); }
  // The state after the time t with its first part given: (w; z(t)) of (2).
  void set_augmented_part(double t, double z_scale, Vector& state) const;

 private:
  const LinearOperator* A_ = nullptr;
  Index n_ = 0, p_ = 0;
  double unit_ = 1;
  Matrix B_;  // B/s
  mutable Vector in_, out_;
};

// <(x; a), (y; b)> = <x, y> + a'b. Of ranks that share x and y, each has a and b; rank 0 counts them.
class AugmentedProduct final : public InnerProduct {
 public:
  explicit AugmentedProduct(const InnerProduct& product) : product_(product) {}
  void set(Index n) { n_ = n; }  // size of the first part
  void apply(const Vector& x, Vector& Gx) const override;
  const Team& team() const override { return product_.team(); }

 private:
  const InnerProduct& product_;
  Index n_ = 0;
  mutable Vector in_, out_;
};

}  // namespace phiflex

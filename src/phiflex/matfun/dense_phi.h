// The exponential and the phi-functions of small dense matrices.
//
// Scaling and squaring with diagonal Pade approximants (Higham, The scaling and squaring method for the matrix
// exponential revisited, 2005):
//
//   exp(A) ~ r_q(A / 2^s)^(2^s),   r_q = (V - U)^-1 (V + U),   U, V the odd and even part of
//   sum_j b_j A^j,   b_j = (2q-j)! q! / ((2q)! (q-j)! j!),     |A / 2^s|_1 <= theta_q                     (1)
//
// and phi-functions as a block of the exponential of an augmented matrix,
//
//   sum_{k=0..p} tau^k phi_k(tau A) u_k = [I 0] exp( [tau A  eta B] ) [  u_0    ]
//                                                  ( [  0      N  ] ) [ e_p/eta ]                         (2)
//   B = [tau^p u_p, ..., tau u_1],   N = [0 I; 0 0] of size p,   eta a power of two with |eta B|_1 <= 1.
#pragma once

#include <span>
#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

// Keeps its memory: allocates only for a larger matrix than ever before.
class DenseExponential {
 public:
  // A square of zeros to write a matrix into that compute(tau) reads; good until the next input().
  Eigen::Map<Matrix> input(Index n);
  [[nodiscard]] bool compute(double tau) {
    return compute(tau, Eigen::Map<const Matrix>(input_.data(), n_, n_));
  }
  // value() = exp(tau A). False, and value() undefined, when A or the result is not finite, and when
  // |tau A|_1 exceeds 2^52: rounding A alone then changes every digit of the result.
  [[nodiscard]] bool compute(double tau, const Eigen::Ref<const Matrix>& A);
  Eigen::Map<const Matrix> value() const { return {storage_.data(), n_, n_}; }
  // The 2-norm of the leading m x m block of value(), by power iterations, a few per cent below at most.
  double leading_norm(Index m);

 private:
  Eigen::Map<Matrix> square(int i) { return {storage_.data() + i * n_ * n_, n_, n_}; }
  void solve_in_place(Eigen::Map<Matrix> A, Eigen::Map<Matrix> X);

  Index n_ = 0;
  std::vector<double> input_, storage_;
};

class DensePhi {
 public:
  // w = (2). u as in PhiEvaluator: an empty vector stands for zero. Fails as DenseExponential does.
  [[nodiscard]] bool evaluate(const Eigen::Ref<const Matrix>& A, std::span<const Vector> u, double tau,
                              Vector& w);

 private:
  Matrix augmented_;
  Vector start_;
  DenseExponential exponential_;
};

}  // namespace phiflex

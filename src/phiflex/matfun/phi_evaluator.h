// The primitive of every exponential method: the linear combination of phi-functions
//
//   w(tau) = sum_{k=0..p} tau^k phi_k(tau A) u_k                                                          (1)
//
// which is the solution at t = tau of
//
//   w' = A w + u_1 + t u_2 + ... + t^(p-1)/(p-1)! u_p,   w(0) = u_0,                                      (2)
//
// at several tau at once, from products with A alone.
#pragma once

#include <span>

#include "phiflex/linalg/linear_operator.h"
#include "phiflex/matfun/evaluation_report.h"

namespace phiflex {

class PhiEvaluator {
 public:
  virtual ~PhiEvaluator() = default;

  // u[k] is u_k; an empty vector stands for zero. tau is positive and ascending; w[j] is w(tau[j]).
  // When the status is not ok, w is undefined. After the first call with the same sizes nothing is allocated
  // unless a larger basis is needed than ever before.
  virtual EvaluationReport evaluate(const LinearOperator& A, std::span<const Vector> u,
                                    std::span<const double> tau, std::span<Vector> w) = 0;
};

// The settings of all evaluators; each uses some and ignores the rest (catalogue.h says which).
struct PhiOptions {
  // Of w(tau), relative to its own size, in the norm of `norm`. (`expv` with expokit_tolerance > 0 ignores it.)
  double tolerance = 1e-4;
  // The inner product in which bases are orthonormal and errors are measured; null: Euclidean. Kept by pointer.
  const InnerProduct* norm = nullptr;
  int basis = 0;          // of the Krylov space (first or fixed); 0: the evaluator's own default
  int largest_basis = 0;  // 0: the evaluator's own default
  long substep_limit = 100000;
  // expv: Expokit's own, absolute and per unit of time (its default: 1e-7), in the Euclidean norm whatever `norm`
  // says.
  double expokit_tolerance = 0;
};

}  // namespace phiflex

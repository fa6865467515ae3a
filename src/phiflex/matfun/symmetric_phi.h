// phi_k(A) b of a symmetric matrix A by an evaluator of functions of a pencil, with
//
//   K = c I - A,   M = I,   phi_k(A) = f(K),   f(lambda) = phi_k(c - lambda)                              (1)
//
// c moves the spectrum of K to where evaluators that were made for stiffness matrices expect it: above zero, or at
// least to where I + s K is positive definite.
//
// When the basis may not grow further, the time is cut. w(t) = t^k phi_k(t A) b solves
//
//   w(t + h) = e^(h A) w(t) + sum_{j=1..k} h^j phi_j(h A) t^(k-j)/(k-j)! b                                (2)
//
// so that every substep after the first applies a function with two columns, to w(t) and b.
#pragma once

#include <memory>

#include "phiflex/linalg/sparse_matrix.h"
#include "phiflex/matfun/catalogue.h"

namespace phiflex {

class SymmetricPhi {
 public:
  // entry: of the pencil's family. A is copied; `upper` bounds its eigenvalues from above.
  SymmetricPhi(const EvaluatorEntry& entry, double tolerance, const SparseMatrix& A, double upper);
  ~SymmetricPhi();

  // y = phi_k(A) b; when the status is not ok, y is undefined. Errors are relative in the 2-norm.
  EvaluationReport evaluate(int k, const Vector& b, Vector& y);

 private:
  struct Factorized;
  void move_spectrum(double c);
  SolveStatus factorize();

  SparseMatrix K_;
  MassMatrix identity_;
  std::unique_ptr<PencilEvaluator> evaluator_;
  std::unique_ptr<Factorized> factorized_;  // null: none is needed
  double c_ = 0;
};

}  // namespace phiflex

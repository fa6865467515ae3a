// A matrix-valued function of lambda as a series of Chebyshev polynomials on [low, high],
//
//   f(lambda) ~ sum_{k=0..degree} a_k T_k(x),   lambda = middle + radius x,                               (1)
//   a_k = (2/N) sum''_j f(lambda(cos(pi j/N))) cos(pi j k/N)      (halved at j = 0, N and at k = 0, N)    (2)
//
// all entries at once, N doubled until the last eighth of the coefficients of every entry is negligible beside its
// largest.
#pragma once

#include <complex>
#include <vector>

#include "phiflex/matfun/growing_matrix.h"
#include "phiflex/matfun/pencil_evaluator.h"

namespace phiflex {

class ChebyshevSeries {
 public:
  enum class Outcome { ok, not_finite, not_resolved };
  // accuracy: of each entry, relative to its largest coefficient.
  Outcome expand(const PencilFunction& f, double low, double high, double accuracy, int largest_degree);

  int degree() const { return degree_; }
  double middle() const { return middle_; }
  double radius() const { return radius_; }
  double coefficient(int k, Index row, Index column) const { return a_.get()(row + rows_ * column, k); }
  double largest(Index row, Index column) const { return largest_[row + rows_ * column]; }  // over all k

 private:
  void sample(const PencilFunction& f, int N);  // at the nodes that N/2 does not have
  void transform(int N);                        // a_ = (2) of samples_
  void fft(int length);

  Index rows_ = 0, columns_ = 0;
  int degree_ = 0;
  double middle_ = 0, radius_ = 1;
  Vector largest_;
  Matrix value_;
  GrowingMatrix samples_, coarser_, a_;  // a row per entry, a column per node or degree
  std::vector<std::complex<double>> wave_, roots_;
};

}  // namespace phiflex

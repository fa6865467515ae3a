// A function of a pencil within a basis V, M-orthonormal: T = V'K V is small, and
//
//   y_i = V c_i,   c_i = sum_j f_ij(T) g_j,   g_j = V'M b_j                                               (1)
//
// where |y_i|_M = |c_i|: norms of results and errors are those of their coordinates.
#pragma once

#include <utility>

#include "phiflex/linalg/block_products.h"
#include "phiflex/matfun/chebyshev_series.h"
#include "phiflex/matfun/growing_matrix.h"
#include "phiflex/matfun/pencil_evaluator.h"

namespace phiflex {

// g has a column per vector b_j and only its leading rows (the others are zero), C gets a column per row of f.
// Both methods return false when a value is not finite.
class ProjectedFunction {
 public:
  // T symmetric (its lower half is read): by its eigendecomposition.
  bool evaluate(const PencilFunction& f, const Eigen::Ref<const Matrix>& T, const Eigen::Ref<const Matrix>& g,
                GrowingMatrix& C);
  // T symmetric of narrow band, T(j + d, j) = band(j, d): by a Chebyshev series on the interval of its
  // Gershgorin discs, where the function has one of a degree not much above the size of T; accuracy as there.
  bool evaluate_banded(const PencilFunction& f, const Eigen::Ref<const Matrix>& band,
                       const Eigen::Ref<const Matrix>& g, double accuracy, GrowingMatrix& C);

 private:
  std::pair<double, double> spectral_interval(const Eigen::Ref<const Matrix>& band);
  void sum_series(const PencilFunction& f, const Eigen::Ref<const Matrix>& band,
                  const Eigen::Ref<const Matrix>& g, Eigen::Ref<Matrix> C);

  SymmetricEigenSolver eigen_;
  ChebyshevSeries series_;
  Matrix value_;
  GrowingMatrix theta_, S_, coordinates_, weighted_, dense_, before_, now_, next_, factor_;
};

}  // namespace phiflex

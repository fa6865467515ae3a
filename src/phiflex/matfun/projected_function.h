// A function of a pencil within a basis V, M-orthonormal: T = V'K V is small, and
//
//   y_i = V c_i,   c_i = sum_j f_ij(T) g_j,   g_j = V'M b_j                                               (1)
//
// where |y_i|_M = |c_i|: norms of results and errors are those of their coordinates.
#pragma once

#include <Eigen/Eigenvalues>

#include "phiflex/matfun/pencil_evaluator.h"

namespace phiflex {

// Norms (2) of pencil_evaluator.h, of results given by columns of coordinates in an M-orthonormal basis.
// Both return the largest over all groups: |e_g| / |y_g|, zero over zero is zero.
double relative_error(const PencilFunction& f, const Eigen::Ref<const Matrix>& error,
                      const Eigen::Ref<const Matrix>& result);

class ProjectedFunction {
 public:
  // T is symmetric (its lower half is read), g has a column per vector b_j, C gets one per row of f.
  // False when a value is not finite.
  bool evaluate(const PencilFunction& f, const Eigen::Ref<const Matrix>& T, const Eigen::Ref<const Matrix>& g,
                Matrix& C);

 private:
  Eigen::SelfAdjointEigenSolver<Matrix> eigen_;
  Matrix coordinates_, weighted_, value_;
};

}  // namespace phiflex

#include "phiflex/matfun/projected_function.h"

#include <algorithm>
#include <cmath>

namespace phiflex {

double relative_error(const PencilFunction& f, const Eigen::Ref<const Matrix>& error,
                      const Eigen::Ref<const Matrix>& result) {
  double largest = 0;
  const Index size = f.rows_per_group();
  for (Index first = 0; first < f.rows(); first += size) {
    double error_squared = 0, result_squared = 0;
    for (Index i = first; i < std::min(first + size, f.rows()); ++i) {
      const double weight = f.weight(i) * f.weight(i);
      error_squared += weight * error.col(i).squaredNorm();
      result_squared += weight * result.col(i).squaredNorm();
    }
    if (error_squared > 0) largest = std::max(largest, std::sqrt(error_squared / result_squared));
  }
  return largest;
}

bool ProjectedFunction::evaluate(const PencilFunction& f, const Eigen::Ref<const Matrix>& T,
                                 const Eigen::Ref<const Matrix>& g, Matrix& C) {
  eigen_.compute(T);
  if (eigen_.info() != Eigen::Success) return false;
  const Matrix& S = eigen_.eigenvectors();
  coordinates_.noalias() = S.transpose() * g;
  weighted_.resize(T.rows(), f.rows());
  value_.resize(f.rows(), f.columns());
  for (Index l = 0; l < T.rows(); ++l) {
    f.evaluate(eigen_.eigenvalues()[l], value_);
    weighted_.row(l).noalias() = (value_ * coordinates_.row(l).transpose()).transpose();
  }
  C.noalias() = S * weighted_;
  return C.allFinite();
}

}  // namespace phiflex

#include "phiflex/linalg/dense_square_root.h"
#include "phiflex/linalg/dense_solvers.h"

#include <limits>
#include <stdexcept>

namespace phiflex {

SquareRootStatus dense_square_root(const Matrix& K, const Matrix& M, Matrix& Omega) {
  const Index n = K.rows();
  if (K.cols() != n || M.rows() != n || M.cols() != n)
    throw std::invalid_argument("dense_square_root: two square matrices of one size");
  if (!K.allFinite() || !M.allFinite()) return SquareRootStatus::not_finite;
  Omega.resize(n, n);
  if (n == 0) return SquareRootStatus::ok;
  if (Eigen::LLT<Matrix>(M).info() != Eigen::Success) return SquareRootStatus::indefinite;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(K, M);
  if (eigen.info() != Eigen::Success) return SquareRootStatus::not_finite;
  const Vector& lambda = eigen.eigenvalues();
  const double round_off = double(n) * std::numeric_limits<double>::epsilon() * lambda.cwiseAbs().maxCoeff();
  if (lambda[0] < -round_off) return SquareRootStatus::indefinite;
  const Matrix& U = eigen.eigenvectors();
  Omega.noalias() = U * lambda.cwiseMax(0).cwiseSqrt().asDiagonal() * (U.transpose() * M);  // (1)
  return SquareRootStatus::ok;
}

}  // namespace phiflex

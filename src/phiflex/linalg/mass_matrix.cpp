#include "phiflex/linalg/mass_matrix.h"

#include <stdexcept>
#include <utility>

namespace phiflex {

MassMatrix::MassMatrix(Vector diagonal) : diagonal_(std::move(diagonal)) {
  if (!diagonal_.allFinite() || (diagonal_.array() <= 0).any())
    throw std::invalid_argument("MassMatrix: every mass is finite and larger than 0");
}

MassMatrix::MassMatrix(SparseMatrix matrix) : diagonal_(matrix.diagonal()), matrix_(std::move(matrix)) {
  factorization_ = std::make_unique<CholeskyFactorization>(matrix_->shared_pattern());
  if (factorization_->factorize(*matrix_) != FactorStatus::ok)
    throw std::invalid_argument("MassMatrix: the matrix is not positive definite");
}

void MassMatrix::apply(const Vector& x, Vector& y) const {
  if (matrix_)
    matrix_->apply(x, y);
  else
    y = diagonal_.cwiseProduct(x);
}

void MassMatrix::solve(const Vector& x, Vector& y) const {
  if (factorization_)
    factorization_->solve(x, y);
  else
    y = x.cwiseQuotient(diagonal_);
}

void MassMatrix::apply(const Matrix& X, Matrix& Y) const {
  if (matrix_)
    matrix_->apply(X, Y);
  else
    Y = X.array().colwise() * diagonal_.array();
}

void MassMatrix::solve(const Matrix& X, Matrix& Y) const {
  if (factorization_)
    factorization_->solve(X, Y);
  else
    Y = X.array().colwise() / diagonal_.array();
}

double MassMatrix::dot(const Vector& x, const Vector& y) const {
  if (lumped()) return sum(*team_, (x.array() * diagonal_.array() * y.array()).sum());
  thread_local Vector product;  // a mass matrix is shared between threads
  matrix_->apply(y, product);
  return x.dot(product);
}

void MassMatrix::add_to(double factor, SparseMatrix& A) const {
  if (matrix_)
    A.add(factor, *matrix_);
  else
    A.add_to_diagonal(factor, diagonal_);
}

}  // namespace phiflex

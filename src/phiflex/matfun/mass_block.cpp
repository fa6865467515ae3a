#include "phiflex/matfun/mass_block.h"

#include <algorithm>
#include <cmath>

namespace phiflex {

void apply_mass(const MassMatrix& mass, const Eigen::Ref<const Matrix>& X, Matrix& Y) {
  Y.resize(X.rows(), X.cols());
  if (mass.lumped()) {
    Y.noalias() = mass.diagonal().asDiagonal() * X;
    return;
  }
  thread_local Vector column, product;  // a mass matrix is shared between threads
  for (Index j = 0; j < X.cols(); ++j) {
    column = X.col(j);
    mass.apply(column, product);
    Y.col(j) = product;
  }
}

void solve_mass(const MassMatrix& mass, const Eigen::Ref<const Matrix>& X, Matrix& Y) {
  Y.resize(X.rows(), X.cols());
  if (mass.lumped()) {
    for (Index j = 0; j < X.cols(); ++j) Y.col(j) = X.col(j).cwiseQuotient(mass.diagonal());
    return;
  }
  thread_local Vector column, solution;
  for (Index j = 0; j < X.cols(); ++j) {
    column = X.col(j);
    mass.solve(column, solution);
    Y.col(j) = solution;
  }
}

void column_norms(const Team& team, const Matrix& X, const Matrix& P, Vector& norms) {
  norms.resize(X.cols());
  for (Index j = 0; j < X.cols(); ++j) norms[j] = X.col(j).dot(P.col(j));
  team.sum({norms.data(), std::size_t(norms.size())});
  for (double& norm : norms) norm = std::sqrt(std::max(0.0, norm));
}

Index orthonormalize(const Team& team, Matrix& W, Matrix& P, const Eigen::Ref<const Vector>& threshold,
                     Matrix& R) {
  const Index columns = W.cols();
  R.setZero(columns, columns);
  Index rank = 0;
  for (Index j = 0; j < columns; ++j) {
    for (int sweep = 0; sweep < 2; ++sweep)
      for (Index k = 0; k < rank; ++k) {
        const double r = sum(team, P.col(k).dot(W.col(j)));
        W.col(j) -= r * W.col(k);
        P.col(j) -= r * P.col(k);
        R(k, j) += r;
      }
    const double norm = std::sqrt(std::max(0.0, sum(team, W.col(j).dot(P.col(j)))));
    if (!(norm > threshold[j])) continue;
    W.col(rank) = W.col(j) / norm;
    P.col(rank) = P.col(j) / norm;
    R(rank, j) = norm;
    ++rank;
  }
  R.conservativeResize(rank, columns);
  return rank;
}

}  // namespace phiflex

#include "phiflex/reproduce/square_root_study.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/svd.h"
#include "phiflex/reproduce/step_cost_study.h"

namespace phiflex {
namespace {

double residual_of(const Matrix& X, const Matrix& L) {
  const double r = (X * X - L).norm() / L.norm();
  return std::isfinite(r) ? r : std::numeric_limits<double>::infinity();
}

// Upper triangular R with R R = T, a column at a time from the diagonal upwards.
Eigen::MatrixXcd triangular_root(const Eigen::MatrixXcd& T) {
  const Index n = T.rows();
  Eigen::MatrixXcd R = Eigen::MatrixXcd::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    R(j, j) = std::sqrt(T(j, j));
    for (Index i = j - 1; i >= 0; --i) {
      std::complex<double> sum = T(i, j);
      for (Index k = i + 1; k < j; ++k) sum -= R(i, k) * R(k, j);
      R(i, j) = sum / (R(i, i) + R(j, j));
    }
  }
  return R;
}

// Steps of (1) or (2) until X stands still; the residuals are not part of the time.
template <class Step>
void iterate(Matrix& X, const Matrix& L, int limit, SquareRootOutcome& outcome, Step step) {
  const double still = static_cast<double>(L.rows()) * std::numeric_limits<double>::epsilon();
  outcome.best_residual = std::numeric_limits<double>::infinity();
  Matrix before;
  for (double change = 1; outcome.iterations < limit && change > still; ++outcome.iterations) {
    before = X;
    const double start = processor_seconds();
    step(X);
    outcome.seconds += processor_seconds() - start;
    change = (X - before).norm() / X.norm();
    outcome.residual = residual_of(X, L);
    outcome.best_residual = std::min(outcome.best_residual, outcome.residual);
    if (!std::isfinite(change)) break;
  }
}

}  // namespace

Matrix matrix_of_condition(Index n, double condition) {
  std::mt19937_64 generator(20170403);
  std::normal_distribution<double> normal;
  Matrix G(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) G(i, j) = normal(generator);
  const Matrix Q = svd(G).U;
  Vector l(n);
  for (Index i = 0; i < n; ++i) l[i] = std::pow(condition, n > 1 ? double(i) / double(n - 1) : 0);
  const Matrix L = Q * l.asDiagonal() * Q.transpose();
  return (L + L.transpose()) / 2;
}

SquareRootOutcome square_root(SquareRootMethod method, const Matrix& L, int limit) {
  SquareRootOutcome outcome;
  Matrix X = L;
  const auto direct = [&](auto root) {
    const double start = processor_seconds();
    root();
    outcome.seconds = processor_seconds() - start;
    outcome.residual = outcome.best_residual = residual_of(X, L);
  };
  switch (method) {
    case SquareRootMethod::newton:
      iterate(X, L, limit, outcome,
              [&](Matrix& x) { x = ((x + x.partialPivLu().solve(L)) / 2).eval(); });  // (1)
      break;
    case SquareRootMethod::denman_beavers: {
      const Matrix I = Matrix::Identity(L.rows(), L.cols());
      Matrix M = L;
      iterate(X, L, limit, outcome, [&](Matrix& x) {  // (2)
        const Matrix inverse = M.inverse();
        x = (x * (I + inverse) / 2).eval();
        M = (I + (M + inverse) / 2) / 2;
      });
      break;
    }
    case SquareRootMethod::schur:
      direct([&] {  // (3)
        const Eigen::ComplexSchur<Matrix> schur(L);
        const Eigen::MatrixXcd& Q = schur.matrixU();
        X = (Q * triangular_root(schur.matrixT()) * Q.adjoint()).real();
      });
      break;
    case SquareRootMethod::eigen:
      direct([&] {  // (4)
        const Eigen::SelfAdjointEigenSolver<Matrix> eigen(L);
        X = eigen.eigenvectors() * eigen.eigenvalues().cwiseSqrt().asDiagonal() *
            eigen.eigenvectors().transpose();
      });
      break;
  }
  return outcome;
}

}  // namespace phiflex

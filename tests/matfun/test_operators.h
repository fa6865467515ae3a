// Operators for tests of the general evaluators: dense matrices with the difficulties of their kinds.
#pragma once

#include <Eigen/QR>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "phiflex/linalg/linear_operator.h"
#include "phiflex/linalg/pencil.h"

namespace phiflex::testing {

constexpr double kEps = std::numeric_limits<double>::epsilon();

class DenseOperator final : public LinearOperator {
 public:
  explicit DenseOperator(Matrix A) : A_(std::move(A)) {}
  Index size() const override { return A_.rows(); }
  void apply(const Vector& x, Vector& y) const override { y.noalias() = A_ * x; }
  double norm() const override { return A_.size() ? A_.cwiseAbs().rowwise().sum().maxCoeff() : 0; }
  const Matrix& matrix() const { return A_; }

 private:
  Matrix A_;
};

class DenseProduct final : public InnerProduct {
 public:
  explicit DenseProduct(Matrix G) : G_(std::move(G)) {}
  void apply(const Vector& x, Vector& Gx) const override { Gx.noalias() = G_ * x; }
  const Matrix& matrix() const { return G_; }

 private:
  Matrix G_;
};

class DensePencil final : public Pencil {
 public:
  DensePencil(Matrix K, const Vector& masses) : K_(std::move(K)), mass_(masses) {}
  const MassMatrix& mass() const override { return mass_; }
  void apply_K(const Matrix& X, Matrix& Y) const override { Y.noalias() = K_ * X; }
  double norm() const override {
    return (mass_.diagonal().cwiseInverse().asDiagonal() * K_).cwiseAbs().rowwise().sum().maxCoeff();
  }
  const Matrix& K() const { return K_; }

 private:
  Matrix K_;
  MassMatrix mass_;
};

inline Matrix random_matrix(Index rows, Index columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(random); });
}

inline Vector random_vector(Index n, unsigned seed) {
  return random_matrix(n, 1, seed).col(0);
}

inline Matrix random_orthogonal(Index n, unsigned seed) {
  return Eigen::HouseholderQR<Matrix>(random_matrix(n, n, seed)).householderQ();
}

// n numbers from `first` to `last` with a constant ratio.
inline Vector geometric(Index n, double first, double last) {
  return Vector::NullaryExpr(
      n, [=](Index i) { return first * std::pow(last / first, double(i) / double(n - 1)); });
}

struct NamedMatrix {
  std::string name;
  Matrix A;
};

// Eigenvalues spread over a disc of radius 4.
inline Matrix random_kind(Index n, unsigned seed) {
  return 4 / std::sqrt(double(n)) * random_matrix(n, n, seed);
}

// Eigenvalues on the imaginary axis, up to +-`frequency` i.
inline Matrix skew_kind(Index n, unsigned seed, double frequency) {
  const Matrix Q = random_orthogonal(n, seed);
  Matrix S = Matrix::Zero(n, n);
  for (Index i = 0; i + 1 < n; i += 2) {
    S(i, i + 1) = frequency * double(i + 1) / double(n);
    S(i + 1, i) = -S(i, i + 1);
  }
  return Q * S * Q.transpose();
}

// Stable eigenvalues, yet |exp(t A)| rises before it falls.
inline Matrix nonnormal_kind(Index n, unsigned seed) {
  Matrix A = 8 / std::sqrt(double(n)) * random_matrix(n, n, seed);
  A.triangularView<Eigen::StrictlyLower>().setZero();
  A.diagonal() = -geometric(n, 0.5, 8);
  return A;
}

// Symmetric, with rates of decay from 0.1 to `fastest`.
inline Matrix stiff_kind(Index n, unsigned seed, double fastest) {
  const Matrix Q = random_orthogonal(n, seed);
  return -Q * geometric(n, 0.1, fastest).asDiagonal() * Q.transpose();
}

// The first-order form of oscillators up to `frequency`, lightly damped, in coordinates of very different size.
inline Matrix oscillator_kind(Index n, unsigned seed, double frequency) {
  const Index half = n / 2;
  const Matrix Q = random_orthogonal(half, seed);
  const Vector omega = geometric(half, frequency / 100, frequency);
  Matrix J = Matrix::Zero(2 * half, 2 * half);
  J.topRightCorner(half, half).setIdentity();
  J.bottomLeftCorner(half, half) = -Q * omega.cwiseAbs2().asDiagonal() * Q.transpose();
  J.bottomRightCorner(half, half) = -0.1 * Matrix::Identity(half, half);
  return J;
}

// One Jordan block: a single eigenvector.
inline Matrix defective_kind(Index n, double eigenvalue) {
  Matrix A = eigenvalue * Matrix::Identity(n, n);
  A.diagonal(1).setConstant(2);
  return A;
}

inline std::vector<NamedMatrix> kinds_of_matrices(Index n, unsigned seed) {
  return {{"random", random_kind(n, seed)},
          {"skew", skew_kind(n, seed, 40)},
          {"nonnormal", nonnormal_kind(n, seed)},
          {"stiff", stiff_kind(n, seed, 400)},
          {"oscillator", oscillator_kind(n, seed, 60)},
          {"defective", defective_kind(n, -1)},
          {"nilpotent", defective_kind(n, 0)},
          {"zero", Matrix::Zero(n, n)}};
}

}  // namespace phiflex::testing

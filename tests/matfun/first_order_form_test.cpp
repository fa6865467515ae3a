// The first-order form of a mechanical system, and its two inner products.
#include <gtest/gtest.h>

#include <random>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/matfun/first_order_form.h"

namespace phiflex {
namespace {

// A chain of n masses between two walls, coupled by springs of random stiffness.
struct Chain {
  explicit Chain(int n) : K(make_stiffness(n)), mass(Vector::LinSpaced(n, 1, 2)) {}
  static SparseMatrix make_stiffness(int n) {
    std::vector<Coupling> couplings;
    for (int i = 0; i + 1 < n; ++i) couplings.push_back({i, i + 1});
    SparseMatrix K(std::make_shared<SparsityPattern>(1, n, couplings));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> stiffness(1, 10);
    for (int i = 0; i <= n; ++i) {
      const double k = stiffness(random);
      if (i > 0) K.block(K.pattern().diagonal(i - 1))[0] += k;
      if (i < n) K.block(K.pattern().diagonal(i))[0] += k;
      if (i > 0 && i < n)
        K.block(K.pattern().find(i - 1, i))[0] = K.block(K.pattern().find(i, i - 1))[0] = -k;
    }
    return K;
  }
  SparseMatrix K;
  MassMatrix mass;
};

Matrix to_dense(const LinearOperator& A) {
  Matrix dense(A.size(), A.size());
  Vector column;
  for (Index j = 0; j < A.size(); ++j) {
    A.apply(Vector::Unit(A.size(), j), column);
    dense.col(j) = column;
  }
  return dense;
}

TEST(FirstOrderForm, IsTheBlockMatrixOfItsDefinition) {
  const Chain chain(6);
  const AssembledPencil pencil(chain.K, chain.mass);
  const Rayleigh damping{0.3, 0.02};
  const FirstOrderForm J(pencil, damping);
  const Matrix K = Matrix(chain.K.to_eigen()), M = chain.mass.diagonal().asDiagonal();
  Matrix expected = Matrix::Zero(12, 12);
  expected.topRightCorner(6, 6).setIdentity();
  expected.bottomLeftCorner(6, 6) = -M.inverse() * K;
  expected.bottomRightCorner(6, 6) = -M.inverse() * (damping.alpha * M + damping.beta * K);
  EXPECT_LE((to_dense(J) - expected).cwiseAbs().maxCoeff(), 1e-14 * expected.cwiseAbs().maxCoeff());
  EXPECT_GE(J.norm() * (1 + 1e-14), expected.cwiseAbs().rowwise().sum().maxCoeff());
}

TEST(FirstOrderForm, IsSkewInTheEnergyProductWhenUndamped) {
  const Chain chain(6);
  const AssembledPencil pencil(chain.K, chain.mass);
  const FirstOrderForm J(pencil, Rayleigh{});
  const EnergyProduct energy(pencil);
  Matrix G(12, 12);
  Vector column;
  for (int j = 0; j < 12; ++j) {
    energy.apply(Vector::Unit(12, j), column);
    G.col(j) = column;
  }
  const Matrix GJ = G * to_dense(J);
  EXPECT_LE((GJ + GJ.transpose()).cwiseAbs().maxCoeff(), 1e-14 * GJ.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace phiflex

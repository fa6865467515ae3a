// Arnoldi's basis: its defining equation, in any inner product.
#include "phiflex/matfun/arnoldi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/matfun/dense_phi.h"
#include "phiflex/matfun/first_order_form.h"
#include "tests/matfun/test_operators.h"

namespace phiflex {
namespace {

using testing::DenseOperator;
using testing::random_vector;

using testing::kEps;

void extend(Arnoldi& arnoldi, const LinearOperator& A, int count) {
  for (int i = 0; i < count; ++i) ASSERT_EQ(arnoldi.extend(A), ArnoldiStatus::extended);
}

// |A V_m - V_{m+1} H| / |A|: rounding of products and of the projections.
double residual(const Arnoldi& arnoldi, const Matrix& A) {
  const Matrix V = arnoldi.V(), H = arnoldi.H();
  return (A * V.leftCols(H.cols()) - V * H.topRows(V.cols())).norm() / A.norm();
}

double distance_to_orthonormal(const Arnoldi& arnoldi, const Matrix& G) {
  const Matrix V = arnoldi.V();
  return (V.transpose() * G * V - Matrix::Identity(V.cols(), V.cols())).norm();
}

TEST(Arnoldi, SatisfiesItsEquationWithAnOrthonormalBasis) {
  const Index n = 50;
  for (const auto& [name, A] : testing::kinds_of_matrices(n, 1)) {
    if (A.isZero()) continue;
    const Vector v = random_vector(n, 2);
    Arnoldi arnoldi;
    EXPECT_DOUBLE_EQ(arnoldi.start(v, 20), v.norm());
    extend(arnoldi, DenseOperator(A), 20);
    EXPECT_EQ(arnoldi.size(), 20);
    EXPECT_EQ(arnoldi.vectors(), 21);
    EXPECT_LE(residual(arnoldi, A), 100 * kEps) << name;
    EXPECT_LE(distance_to_orthonormal(arnoldi, Matrix::Identity(n, n)), 200 * kEps) << name;
    EXPECT_EQ(arnoldi.last(), Vector(arnoldi.V().col(20)));
  }
}

TEST(Arnoldi, IsOrthonormalInTheInnerProductThatIsGiven) {
  const Index n = 40;
  const Matrix R = testing::random_matrix(n, n, 5);
  const testing::DenseProduct G(R * R.transpose() + Matrix::Identity(n, n));
  const Matrix A = testing::random_kind(n, 2);
  Arnoldi arnoldi(&G);
  const Vector v = random_vector(n, 3);
  EXPECT_NEAR(arnoldi.start(v, 15), std::sqrt(v.dot(G.matrix() * v)), 1e-12);
  extend(arnoldi, DenseOperator(A), 15);
  EXPECT_LE(residual(arnoldi, A), 100 * kEps);
  // G has a condition number near 1e3, which multiplies the rounding.
  EXPECT_LE(distance_to_orthonormal(arnoldi, G.matrix()), 1e5 * kEps);
}

TEST(Arnoldi, KeepsItsEquationWithIncompleteOrthogonalization) {
  const Index n = 40, length = 2;
  const Matrix A = testing::random_kind(n, 2);
  Arnoldi arnoldi(nullptr, int(length));
  ASSERT_GT(arnoldi.start(random_vector(n, 3), 12), 0);
  extend(arnoldi, DenseOperator(A), 12);
  EXPECT_LE(residual(arnoldi, A), 100 * kEps);
  const Matrix H = arnoldi.H(), V = arnoldi.V();
  for (Index j = 0; j < H.cols(); ++j) {
    for (Index i = 0; i <= j - length; ++i) EXPECT_EQ(H(i, j), 0);
    for (Index i = std::max<Index>(0, j + 1 - length); i <= j; ++i)
      EXPECT_NEAR(V.col(i).dot(V.col(j + 1)), 0, 100 * kEps);
  }
  EXPECT_GT(distance_to_orthonormal(arnoldi, Matrix::Identity(n, n)), 1e-3);  // it is incomplete
}

TEST(Arnoldi, IsCompleteForSkewMatricesWithTwoVectors) {
  const Index n = 40;
  const DenseOperator A(testing::skew_kind(n, 2, 10));
  Arnoldi full, two(nullptr, 2);
  const Vector v = random_vector(n, 3);
  for (Arnoldi* each : {&full, &two}) {
    ASSERT_GT(each->start(v, 10), 0);
    extend(*each, A, 10);
  }
  EXPECT_LE((full.H() - two.H()).norm(), 1e-12 * full.H().norm());
}

TEST(Arnoldi, BreaksDownExactlyWhereTheSpaceIsInvariantAtAnyScale) {
  const Index n = 20;
  const Matrix Q = testing::random_orthogonal(n, 1);
  const Matrix A = Q * Vector::LinSpaced(n, -3, 5).asDiagonal() * Q.transpose();
  for (const double scale : {1e-300, 1e-20, 1.0, 1e20, 1e300}) {
    const DenseOperator op(scale * A);
    for (const Index count : {1, 3}) {
      Vector v = Q.col(0);
      if (count == 3) v += Q.col(n / 2) + Q.col(n - 1);
      Arnoldi arnoldi;
      ASSERT_GT(arnoldi.start(v, 10), 0);
      for (Index i = 1; i < count; ++i) ASSERT_EQ(arnoldi.extend(op), ArnoldiStatus::extended) << scale;
      ASSERT_EQ(arnoldi.extend(op), ArnoldiStatus::breakdown) << scale;
      EXPECT_EQ(arnoldi.size(), count);
      EXPECT_EQ(arnoldi.vectors(), count);
      const Matrix H = arnoldi.H().topRows(count) / scale, V = arnoldi.V();
      EXPECT_LE((A * V - V * H).norm(), 100 * kEps * A.norm());
    }
  }
  // A zero matrix and a complete basis are invariant too.
  Arnoldi arnoldi;
  ASSERT_GT(arnoldi.start(random_vector(5, 1), 4), 0);
  EXPECT_EQ(arnoldi.extend(DenseOperator(Matrix::Zero(5, 5))), ArnoldiStatus::breakdown);
  EXPECT_EQ(arnoldi.H()(0, 0), 0);
  const DenseOperator small(testing::random_kind(5, 1));
  ASSERT_GT(arnoldi.start(random_vector(5, 1), 4), 0);
  extend(arnoldi, small, 4);
  EXPECT_EQ(arnoldi.extend(small), ArnoldiStatus::breakdown);
}

TEST(Arnoldi, DoesNotMistakeASlowOperatorForABreakdown) {
  // h_{2,1} / |H| = 1e-9: far below the tolerances of users, far above round-off.
  Matrix A = Matrix::Zero(3, 3);
  A(0, 0) = 1;
  A(1, 0) = 1e-9;
  A(2, 1) = 1;
  Arnoldi arnoldi;
  ASSERT_GT(arnoldi.start(Vector::Unit(3, 0), 3), 0);
  EXPECT_EQ(arnoldi.extend(DenseOperator(A)), ArnoldiStatus::extended);
  EXPECT_NEAR(arnoldi.H()(1, 0), 1e-9, 1e-16);
}

TEST(Arnoldi, GrowsBeyondItsFirstMemory) {
  const Index n = 30;
  const DenseOperator A(testing::random_kind(n, 2));
  const Vector v = random_vector(n, 3);
  Arnoldi small, large;
  ASSERT_GT(small.start(v, 2), 0);
  ASSERT_GT(large.start(v, 20), 0);
  extend(small, A, 20);
  extend(large, A, 20);
  EXPECT_EQ(Matrix(small.H()), Matrix(large.H()));
  EXPECT_EQ(Matrix(small.V()), Matrix(large.V()));
}

TEST(Arnoldi, ReportsWhatHasNoBasis) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Arnoldi arnoldi;
  EXPECT_EQ(arnoldi.start(Vector::Zero(4), 3), 0);
  EXPECT_EQ(arnoldi.vectors(), 0);
  EXPECT_TRUE(std::isnan(arnoldi.start(Vector::Constant(4, nan), 3)));
  Matrix A = testing::random_kind(4, 1);
  A(2, 2) = nan;
  ASSERT_GT(arnoldi.start(Vector::Ones(4), 3), 0);
  EXPECT_EQ(arnoldi.extend(DenseOperator(A)), ArnoldiStatus::not_finite);
  const testing::DenseProduct indefinite(Vector::LinSpaced(4, -1, 2).asDiagonal());
  Arnoldi broken(&indefinite);
  EXPECT_TRUE(std::isnan(broken.start(Vector::Unit(4, 0), 3)));
  ASSERT_GT(broken.start(Vector::Unit(4, 3), 3), 0);
  Matrix swap = Matrix::Zero(4, 4);
  swap(0, 3) = swap(3, 0) = 1;
  EXPECT_EQ(broken.extend(DenseOperator(swap)), ArnoldiStatus::not_positive_definite);
}

// X = (Omega q, v) makes J the skew matrix [0 Omega; -Omega 0], in coordinates scaled by M^(1/2) skew as a matrix
// too. The energy product does the same without forming Omega: the Hessenberg matrix and, mapped, the basis and
// the approximation of exp(h J) w are equal up to rounding, which the condition number of K (40) multiplies.
TEST(Arnoldi, InTheEnergyProductIsTheSquareRootReformulation) {
  const Index n = 24, m = 14;
  const Matrix Q = testing::random_orthogonal(n, 4);
  const Vector masses = Vector::LinSpaced(n, 0.5, 2), root = masses.cwiseSqrt();
  const testing::DensePencil pencil(Q * testing::geometric(n, 1, 40).asDiagonal() * Q.transpose(), masses);
  const FirstOrderForm J(pencil, Rayleigh{});
  const EnergyProduct energy(pencil);
  // S = (M^(-1/2) K M^(-1/2))^(1/2), Omega = M^(-1/2) S M^(1/2), Omega^2 = M^-1 K.
  const Vector inverse_root = root.cwiseInverse();
  const Matrix scaled = inverse_root.asDiagonal() * pencil.K() * inverse_root.asDiagonal();
  const Matrix S = Eigen::SelfAdjointEigenSolver<Matrix>(scaled).operatorSqrt();
  const Matrix Omega = inverse_root.asDiagonal() * S * root.asDiagonal();
  Matrix skew = Matrix::Zero(2 * n, 2 * n), T = Matrix::Zero(2 * n, 2 * n);
  skew.topRightCorner(n, n) = S;
  skew.bottomLeftCorner(n, n) = -S;
  T.topLeftCorner(n, n) = root.asDiagonal() * Omega;
  T.bottomRightCorner(n, n) = root.asDiagonal();

  const Vector w = random_vector(2 * n, 5);
  Arnoldi in_energy(&energy), reformulated;
  const double beta = in_energy.start(w, m);
  EXPECT_NEAR(reformulated.start(T * w, m), beta, 1e-13 * beta);
  extend(in_energy, J, int(m));
  extend(reformulated, DenseOperator(skew), int(m));
  const Matrix H = in_energy.H();
  EXPECT_LE((H - reformulated.H()).norm(), 1e-12 * H.norm());
  EXPECT_LE((H.topRows(m) + H.topRows(m).transpose()).norm(), 1e-13 * H.norm());  // skew
  EXPECT_LE((T * in_energy.V() - reformulated.V()).norm(), 1e-12 * std::sqrt(double(m)));

  Vector approximation, other;
  DenseExponential F;
  ASSERT_TRUE(F.compute(0.7, H.topRows(m)));
  in_energy.combine(beta * F.value().col(0), approximation);
  ASSERT_TRUE(F.compute(0.7, reformulated.H().topRows(m)));
  reformulated.combine(beta * F.value().col(0), other);
  EXPECT_LE((T * approximation - other).norm(), 1e-12 * beta);
}

}  // namespace
}  // namespace phiflex

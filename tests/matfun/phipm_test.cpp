// What is special to `phipm`: a basis and a length of step that adapt.
#include <gtest/gtest.h>

#include "phiflex/matfun/catalogue.h"
#include "tests/matfun/test_operators.h"

namespace phiflex {
namespace {

using testing::DenseOperator;
using testing::random_vector;

EvaluationReport evaluate(const Matrix& A, const std::vector<Vector>& u, double tau,
                          const PhiOptions& options) {
  Vector w;
  return find_evaluator("phipm")->make_phi(options)->evaluate(DenseOperator(A), u, {&tau, 1}, {&w, 1});
}

TEST(Phipm, KeepsItsBasisWithinItsBounds) {
  const Index n = 150;
  const Matrix A = testing::skew_kind(n, 3, 300);
  const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2), random_vector(n, 3)};
  const EvaluationReport free = evaluate(A, u, 1, {.tolerance = 1e-6});
  EXPECT_GT(free.largest_basis, 30);       // it grew from 10
  EXPECT_LE(free.largest_basis, 101 + 2);  // 100, one more, and the derivatives
  const EvaluationReport bounded = evaluate(A, u, 1, {.tolerance = 1e-6, .largest_basis = 20});
  EXPECT_EQ(bounded.status, EvaluationStatus::ok);
  EXPECT_LE(bounded.largest_basis, 20);
  EXPECT_GT(bounded.substeps, free.substeps);
}

TEST(Phipm, SpendsLessForALooserTolerance) {
  const Index n = 120;
  const Matrix A = testing::stiff_kind(n, 3, 2000);
  const std::vector<Vector> u = {Vector{}, random_vector(n, 2)};
  long products = 0;
  for (const double tolerance : {1e-2, 1e-6, 1e-10}) {
    const EvaluationReport report = evaluate(A, u, 1, {.tolerance = tolerance});
    EXPECT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_GT(report.products, products) << tolerance;
    products = report.products;
  }
}

TEST(Phipm, NeedsNoBasisWhereTheSolutionIsAPolynomial) {
  const Index n = 10;
  // w = u_0 + t u_1 + t^2/2 u_2 when A u_0 = A u_1 = A u_2 = 0; and when A w(t) + u_1 = 0, w = u_0.
  const std::vector<Vector> u = {random_vector(n, 1), random_vector(n, 2), random_vector(n, 3)};
  const EvaluationReport moving = evaluate(Matrix::Zero(n, n), u, 1, {});
  EXPECT_EQ(moving.substeps, 1);
  EXPECT_EQ(moving.krylov_vectors, 1);  // one product tells that the space is invariant
  const EvaluationReport steady = evaluate(-Matrix::Identity(n, n), {u[0], u[0]}, 1, {});
  EXPECT_EQ(steady.substeps, 1);
  EXPECT_EQ(steady.krylov_vectors, 0);
}

// At the start of tau^3 phi_3(tau A) u_3 + tau^4 phi_4(tau A) u_4 one term of the sum is as large as the result, up to
// rounding in either direction. With |A| = 1e16 the first substep is guessed at 1e-17: one that is refused there
// predicts more substeps than are allowed, and ends the evaluation. Errors in the norm of a step, as integrators ask
// for them.
TEST(Phipm, DoesNotTakeTheRoundingOfASingleTermForCancellation) {
  const Index n = 24;
  const double tau = 2e-7;  // 20 radians of the highest frequency
  const Matrix A = testing::oscillator_kind(n, 5, 1e8);
  Matrix G = Matrix::Identity(n, n);
  G.topLeftCorner(n / 2, n / 2) /= tau * tau;
  const testing::DenseProduct norm(G);
  for (int p = 2; p <= 4; ++p) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
      std::vector<Vector> u(p + 1);
      u[p - 1] = random_vector(n, seed);
      u[p] = random_vector(n, seed + 10) / tau;
      EXPECT_EQ(evaluate(A, u, tau, {.tolerance = 1e-6, .norm = &norm}).status, EvaluationStatus::ok)
          << "p=" << p << " seed=" << seed;
    }
  }
}

TEST(Phipm, ReportsAnInnerProductThatIsNotPositiveDefinite) {
  const Index n = 12;
  const testing::DenseProduct negative(-Matrix::Identity(n, n));
  for (const std::vector<Vector>& u :
       {std::vector<Vector>{random_vector(n, 1)}, {Vector{}, random_vector(n, 1)}})
    EXPECT_EQ(evaluate(testing::random_kind(n, 1), u, 1, {.norm = &negative}).status,
              EvaluationStatus::not_positive_definite);
}

}  // namespace
}  // namespace phiflex

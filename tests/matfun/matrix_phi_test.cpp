// phi_k(tau A) b by every evaluator of the catalogue, against a reference that knows nothing of them.
#include "phiflex/matfun/matrix_phi.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/matfun/pencil_functions.h"

namespace phiflex {
namespace {

GeneralMatrix laplacian(int n, double scale) {  // eigenvalues in [-4 scale, 0)
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, -2 * scale);
    if (i > 0) entries.emplace_back(i, i - 1, scale);
    if (i + 1 < n) entries.emplace_back(i, i + 1, scale);
  }
  GeneralMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

GeneralMatrix with_drift(GeneralMatrix A, double drift) {
  for (Index row = 0; row < A.rows(); ++row)
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry)
      if (entry.col() > row) entry.valueRef() *= 1 + drift;
  return A;
}

// By the eigendecomposition; the recurrence of phi_k is harmless for the eigenvalues of the nonsymmetric case.
Vector reference(const GeneralMatrix& A, const Vector& b, double tau, int k) {
  const Matrix dense = tau * Matrix(A);
  if ((dense - dense.transpose()).norm() == 0) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(dense);
    Vector c = eigen.eigenvectors().transpose() * b;
    for (Index i = 0; i < c.size(); ++i) c[i] *= phi(k, eigen.eigenvalues()[i]);
    return eigen.eigenvectors() * c;
  }
  const Eigen::EigenSolver<Matrix> eigen(dense);
  Eigen::VectorXcd c = eigen.eigenvectors().fullPivLu().solve(b.cast<std::complex<double>>());
  for (Index i = 0; i < c.size(); ++i) {
    const std::complex<double> z = eigen.eigenvalues()[i];
    std::complex<double> value = std::exp(z), factor = 1;
    for (int j = 0; j < k; ++j) {
      value = (value - factor) / z;
      factor /= double(j + 1);
    }
    c[i] *= value;
  }
  return (eigen.eigenvectors() * c).real();
}

double error_of(const GeneralMatrix& A, const MatrixPhiOptions& options, const Vector& b) {
  Matrix y;
  const EvaluationReport report = evaluate_matrix_phi(A, b, options, y);
  EXPECT_EQ(report.status, EvaluationStatus::ok) << options.evaluator;
  EXPECT_TRUE(options.evaluator == "auto" || report.evaluator == options.evaluator) << report.evaluator;
  const Vector exact = reference(A, b, options.tau, options.k);
  return (y.col(0) - exact).norm() / exact.norm();
}

std::vector<std::string> evaluators(bool symmetric) {
  std::vector<std::string> names = {"auto"};
  for (const EvaluatorEntry& entry : evaluator_catalogue())
    if (symmetric || entry.make_phi) names.emplace_back(entry.info->name);
  return names;
}

// The tolerance asked is the tolerance got, within a factor of 3.
TEST(MatrixPhi, EveryEvaluatorReachesItsToleranceOnASymmetricMatrix) {
  const GeneralMatrix A = laplacian(60, 1);
  const Vector b = Vector::Random(60);
  for (const std::string& name : evaluators(true))
    for (const double tau : {1e-3, 1.0, 50.0})
      for (const int k : {0, 1, 3})
        for (const double tolerance : {1e-3, 1e-8})
          EXPECT_LE(error_of(A, {tau, k, name, tolerance}, b), 3 * tolerance)
              << name << " tau " << tau << " k " << k << " tolerance " << tolerance;
}

TEST(MatrixPhi, ANegativeTauIsThePhiFunctionOfTheNegativeMatrix) {
  const GeneralMatrix A = laplacian(40, 1);
  const Vector b = Vector::Random(40);
  for (const std::string& name : evaluators(true))
    for (const double tau : {-1.0, -8.0})
      EXPECT_LE(error_of(A, {tau, 1, name, 1e-6}, b), 3e-6) << name << " tau " << tau;
}

TEST(MatrixPhi, EveryGeneralEvaluatorReachesItsToleranceOnANonsymmetricMatrix) {
  const GeneralMatrix A = with_drift(laplacian(50, 1), 0.2);
  const Vector b = Vector::Random(50);
  for (const std::string& name : evaluators(false))
    for (const double tau : {0.3, 6.0})
      for (const int k : {0, 2})
        EXPECT_LE(error_of(A, {tau, k, name, 1e-6}, b), 3e-6) << name << " tau " << tau << " k " << k;
}

// 400 columns of a basis are far from enough for sqrt(4e5): the time is cut into substeps.
TEST(MatrixPhi, LanczosCutsTheTimeWhenItsBasisIsFull) {
  const GeneralMatrix A = laplacian(900, 1e5);
  Vector b = Vector::Random(900);
  for (const int k : {0, 2}) {
    Matrix y;
    const EvaluationReport report = evaluate_matrix_phi(A, b, {1, k, "lanczos", 1e-6}, y);
    ASSERT_EQ(report.status, EvaluationStatus::ok);
    EXPECT_GT(report.substeps, 1);
    const Vector exact = reference(A, b, 1, k);
    EXPECT_LE((y.col(0) - exact).norm(), 3e-6 * exact.norm()) << k;
  }
}

// An indefinite matrix whose spectrum is far from that of a stiffness matrix.
TEST(MatrixPhi, RationalMovesTheSpectrumOfAnIndefiniteMatrix) {
  GeneralMatrix A = laplacian(80, 50);
  for (Index i = 0; i < 80; ++i) A.coeffRef(i, i) += 20;
  EXPECT_LE(error_of(A, {1, 1, "rational", 1e-5}, Vector::Ones(80)), 3e-5);
}

TEST(MatrixPhi, TauZeroGivesExactlyBOverKFactorial) {
  const GeneralMatrix A = laplacian(5, 1);
  const Matrix b = Matrix::Random(5, 2);
  Matrix y;
  EXPECT_EQ(evaluate_matrix_phi(A, b, {0, 3, "kiops", 1e-6}, y).status, EvaluationStatus::ok);
  EXPECT_EQ(y, Matrix(b / 6));
}

TEST(MatrixPhi, SeveralColumnsAreEvaluatedOneByOne) {
  const GeneralMatrix A = laplacian(30, 1);
  const Matrix b = Matrix::Random(30, 3);
  Matrix y, one;
  const EvaluationReport all = evaluate_matrix_phi(A, b, {2, 1, "lanczos", 1e-9}, y);
  long products = 0;
  for (Index j = 0; j < 3; ++j) {
    products += evaluate_matrix_phi(A, b.col(j), {2, 1, "lanczos", 1e-9}, one).products;
    EXPECT_EQ(one.col(0), y.col(j));
  }
  EXPECT_EQ(all.products, products);
}

TEST(MatrixPhi, AResultThatOverflowsIsAFailureNotAnAnswer) {
  const GeneralMatrix A = laplacian(60, 1e5);
  for (const std::string& name : evaluators(true)) {
    Matrix y;
    EXPECT_NE(evaluate_matrix_phi(A, Matrix::Ones(60, 1), {-1, 0, name, 1e-6}, y).status,
              EvaluationStatus::ok)
        << name;
  }
}

TEST(MatrixPhi, AnAsymmetryIsFoundWithItsPair) {
  GeneralMatrix A = laplacian(20, 1);
  EXPECT_FALSE(find_asymmetry(A));
  A.coeffRef(3, 4) *= 1 + 1e-15;
  EXPECT_FALSE(find_asymmetry(A));
  A.coeffRef(7, 8) = 1.5;
  const auto pair = find_asymmetry(A);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->value + pair->mirrored, 2.5);
  Matrix y;
  EXPECT_THROW((void)evaluate_matrix_phi(A, Matrix::Ones(20, 1), {1, 0, "lanczos", 1e-6}, y),
               std::invalid_argument);
  EXPECT_THROW((void)evaluate_matrix_phi(A, Matrix::Ones(20, 1), {1, 0, "none such", 1e-6}, y),
               std::invalid_argument);
  EXPECT_THROW((void)evaluate_matrix_phi(A, Matrix::Ones(19, 1), {1, 0, "dense", 1e-6}, y),
               std::invalid_argument);
}

TEST(MatrixPhi, TheDefaultChoosesBySizeSymmetryAndNorm) {
  EXPECT_EQ(choose_evaluator(laplacian(50, 1), 1), "dense");
  EXPECT_EQ(choose_evaluator(laplacian(500, 1), 1), "lanczos");
  EXPECT_EQ(choose_evaluator(laplacian(500, 1e6), 1), "rational");
  EXPECT_EQ(choose_evaluator(laplacian(500, 1e6), -1), "lanczos");
  EXPECT_EQ(choose_evaluator(with_drift(laplacian(500, 1), 0.1), 100), "kiops");
  EXPECT_EQ(choose_evaluator(with_drift(laplacian(500, 1), 0.1), 0.01), "taylor");
}

}  // namespace
}  // namespace phiflex

#include "phiflex/matfun/matrix_phi.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "phiflex/matfun/symmetric_phi.h"

namespace phiflex {
namespace {

constexpr double kPhiRoundoff = 1e-14;
constexpr Index kDenseRows = 200;
constexpr double kTaylorNorm = 2;
constexpr double kLongLanczos = 1000;  // vectors; a factorization costs less

class ScaledOperator final : public LinearOperator {  // tau A
 public:
  ScaledOperator(const GeneralMatrix& A, double tau) : A_(tau * A) {}
  Index size() const override { return A_.rows(); }
  void apply(const Vector& x, Vector& y) const override { y.noalias() = A_ * x; }
  double norm() const override {  // infinity norm
    double largest = 0;
    for (Index row = 0; row < A_.rows(); ++row) {
      double sum = 0;
      for (GeneralMatrix::InnerIterator entry(A_, row); entry; ++entry) sum += std::abs(entry.value());
      largest = std::max(largest, sum);
    }
    return largest;
  }
  bool finite() const { return Eigen::Map<const Vector>(A_.valuePtr(), A_.nonZeros()).allFinite(); }

 private:
  GeneralMatrix A_;
};

// (A + A')/2 times tau on a symmetric pattern.
SparseMatrix make_symmetric(const GeneralMatrix& A, double tau) {
  std::vector<Coupling> couplings;
  for (Index row = 0; row < A.rows(); ++row)
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry)
      if (entry.col() != row) couplings.push_back({int(row), int(entry.col())});
  SparseMatrix result(std::make_shared<const SparsityPattern>(1, int(A.rows()), couplings));
  result.set_zero();
  for (Index row = 0; row < A.rows(); ++row) {
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry) {
      const int i = int(row), j = int(entry.col());
      *result.block(result.pattern().find(i, j)) += tau * entry.value() / 2;
      *result.block(result.pattern().find(j, i)) += tau * entry.value() / 2;
    }
  }
  return result;
}

// An upper bound of the eigenvalues of tau A, A symmetric (Gershgorin).
double upper_bound(const GeneralMatrix& A, double tau) {
  double bound = -std::numeric_limits<double>::infinity();
  for (Index row = 0; row < A.rows(); ++row) {
    double sum = 0;
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry)
      sum += entry.col() == row ? tau * entry.value() : std::abs(tau * entry.value());
    bound = std::max(bound, sum);
  }
  return bound;
}

using EvaluateColumn = std::function<EvaluationReport(const Vector& b, Vector& y)>;

EvaluateColumn make_general(const EvaluatorEntry& entry, const GeneralMatrix& A,
                            const MatrixPhiOptions& options) {
  const auto scaled = std::make_shared<ScaledOperator>(A, options.tau);
  const std::shared_ptr<PhiEvaluator> evaluator = entry.make_phi({.tolerance = options.tolerance});
  return [scaled, evaluator, k = options.k](const Vector& b, Vector& y) {
    EvaluationReport report;
    if (!scaled->finite()) {
      report.status = EvaluationStatus::not_finite;
      return report;
    }
    std::vector<Vector> u(std::size_t(k) + 1);
    u.back() = b;
    const double one = 1;
    report = evaluator->evaluate(*scaled, u, {&one, 1}, {&y, 1});
    return report;
  };
}

EvaluateColumn make_symmetric_evaluation(const EvaluatorEntry& entry, const GeneralMatrix& A,
                                         const MatrixPhiOptions& options) {
  if (find_asymmetry(A))
    throw std::invalid_argument("the evaluator " + std::string(entry.info->name) +
                                " needs a symmetric matrix");
  const auto evaluator = std::make_shared<SymmetricPhi>(
      entry, options.tolerance, make_symmetric(A, options.tau), upper_bound(A, options.tau));
  return [evaluator, k = options.k](const Vector& b, Vector& y) { return evaluator->evaluate(k, b, y); };
}

}  // namespace

std::optional<Asymmetry> find_asymmetry(const GeneralMatrix& A) {
  const GeneralMatrix difference = A - GeneralMatrix(A.transpose());
  double size = 0;
  for (Index row = 0; row < A.rows(); ++row)
    for (GeneralMatrix::InnerIterator entry(A, row); entry; ++entry)
      size = std::max(size, std::abs(entry.value()));
  Asymmetry worst;
  double largest = kPhiRoundoff * size;
  for (Index row = 0; row < A.rows(); ++row)
    for (GeneralMatrix::InnerIterator entry(difference, row); entry; ++entry)
      if (std::abs(entry.value()) > largest) {
        largest = std::abs(entry.value());
        worst = {row, entry.col(), A.coeff(row, entry.col()), A.coeff(entry.col(), row)};
      }
  if (largest == kPhiRoundoff * size) return std::nullopt;
  return worst;
}

// Lanczos for phi_k of a matrix with eigenvalues in [-r, 0] takes about sqrt(c r) vectors, c near 20 for six
// digits (Hochbruck, Lubich: On Krylov subspace approximations to the matrix exponential operator, 1997).
std::string choose_evaluator(const GeneralMatrix& A, double tau) {
  if (A.rows() <= kDenseRows) return "dense";
  const double norm = ScaledOperator(A, tau).norm();
  if (!find_asymmetry(A)) {
    const double top = upper_bound(A, tau);
    return top < 0.01 * norm + 100 && std::sqrt(20 * norm) > kLongLanczos ? "rational" : "lanczos";
  }
  return norm <= kTaylorNorm ? "taylor" : "kiops";
}

EvaluationReport evaluate_matrix_phi(const GeneralMatrix& A, const Matrix& b, const MatrixPhiOptions& options,
                                     Matrix& y) {
  if (A.rows() != A.cols() || A.rows() != b.rows() || !std::isfinite(options.tau) || options.k < 0)
    throw std::invalid_argument("phi_k(tau A) b needs a square A, b of its size, a finite tau and k >= 0");
  EvaluationReport report;
  y.resize(b.rows(), b.cols());
  if (options.tau == 0) {
    report.evaluator = "none";
    y = b / std::tgamma(options.k + 1);
    return report;
  }
  const std::string name = options.evaluator == "auto" ? choose_evaluator(A, options.tau) : options.evaluator;
  const EvaluatorEntry* entry = find_evaluator(name);
  if (!entry) throw std::invalid_argument("there is no evaluator called " + name);
  const EvaluateColumn evaluate =
      entry->make_phi ? make_general(*entry, A, options) : make_symmetric_evaluation(*entry, A, options);
  Vector column, result;
  for (Index j = 0; j < b.cols(); ++j) {
    column = b.col(j);
    const EvaluationReport one = evaluate(column, result);
    report.products += one.products;
    report.solves += one.solves;
    report.krylov_vectors += one.krylov_vectors;
    report.substeps += one.substeps;
    report.rejected += one.rejected;
    report.largest_basis = std::max(report.largest_basis, one.largest_basis);
    report.error = std::max(report.error, one.error);
    report.status = one.status;
    if (report.status != EvaluationStatus::ok) break;
    y.col(j) = result;
  }
  report.evaluator = entry->info->name;
  return report;
}

}  // namespace phiflex

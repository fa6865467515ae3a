#include "phiflex/matfun/symmetric_phi.h"

#include <algorithm>
#include <cmath>

#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/matfun/pencil_functions.h"

namespace phiflex {
namespace {

// Columns of the basis are single here; PencilOptions counts pairs. 400 columns keep the small eigenproblems
// cheap beside the products of a matrix that is worth a Krylov method.
constexpr int kLargestBasis = 200;
constexpr double kSubstepCut = 0.7;  // of a substep's length, until the current basis is large enough
constexpr int kMostSubstepCuts = 60;
// The evaluators' estimates know oscillations best. phi_k of real numbers converges superlinearly: to ask for a
// tenth costs few vectors.
constexpr double kCaution = 0.1;
// Where e^(-x) is still far from underflow.
constexpr double kDeepestDecay = 600;
// The pole of the rational method: (I - s A)^-1 for phi_k(A). Tenths of the time are right for accuracies
// around 1e-6 (van den Eshof, Hochbruck: Preconditioning Lanczos approximations to the matrix exponential, 2006).
constexpr double kShift = 0.1;

// (2) from t on for a length h; at t = 0 the one column is b.
class Substep final : public PencilFunction {
 public:
  Substep(int k, double c, double t, double h) : k_(k), c_(c), t_(t), h_(h) {}
  Index rows() const override { return 1; }
  Index columns() const override { return t_ > 0 && k_ > 0 ? 2 : 1; }
  double tolerance_share() const override { return h_; }
  void evaluate(double lambda, Matrix& f) const override {
    const double z = h_ * (c_ - lambda);
    if (t_ == 0) {
      f(0, 0) = std::pow(h_, k_) * phi(k_, z);
      return;
    }
    f(0, 0) = std::exp(z);
    if (k_ == 0) return;
    double sum = 0, factor = 1;  // t^(k-j)/(k-j)!
    for (int j = k_; j >= 1; --j) {
      sum += std::pow(h_, j) * phi(j, z) * factor;
      factor *= t_ / double(k_ - j + 1);
    }
    f(0, 1) = sum;
  }

 private:
  int k_;
  double c_, t_, h_;
};

// An estimate of the largest eigenvalue of -K, from below, by the power method on b I - K with b >= |K|.
double largest_eigenvalue(const SparseMatrix& K, double bound) {
  Vector x(K.rows()), y(K.rows());
  for (Index i = 0; i < x.size(); ++i) x[i] = std::sin(12.9898 * double(i + 1));
  double theta = -bound;
  for (int i = 0; i < 50 && x.norm() > 0; ++i) {
    x.normalize();
    K.apply(x, y);
    theta = -x.dot(y);
    x = bound * x - y;
  }
  return theta;
}

}  // namespace

struct SymmetricPhi::Factorized {
  explicit Factorized(std::shared_ptr<const SparsityPattern> pattern) : cholesky(std::move(pattern)) {}
  CholeskyFactorization cholesky;
  FactorizedShiftInverse inverse{cholesky, kShift};
  SolveStatus status = SolveStatus::ok;
};

SymmetricPhi::SymmetricPhi(const EvaluatorEntry& entry, double tolerance, const SparseMatrix& A, double upper)
    : K_(A.shared_pattern()),
      identity_(Vector::Ones(A.rows())),
      evaluator_(entry.make_pencil({.tolerance = kCaution * tolerance, .largest_basis = kLargestBasis})) {
  K_.set(-1, A);
  if (!entry.info->needs_factorization) {
    move_spectrum(std::max(0.0, upper));
    return;
  }
  factorized_ = std::make_unique<Factorized>(A.shared_pattern());
  factorized_->status = factorize();
}

SymmetricPhi::~SymmetricPhi() = default;

void SymmetricPhi::move_spectrum(double c) {
  K_.add_to_diagonal(c - c_, Vector::Ones(K_.rows()));
  c_ = c;
}

// Moves the spectrum by c: first to where its largest eigenvalue is seen, then further until Cholesky agrees.
SolveStatus SymmetricPhi::factorize() {
  const double bound = AssembledPencil(K_, identity_).norm();
  if (!std::isfinite(bound)) return SolveStatus::not_finite;
  const Vector ones = Vector::Ones(K_.rows());
  SparseMatrix shifted(K_.shared_pattern());
  for (double c = std::max(0.0, largest_eigenvalue(K_, bound));; c = 2 * c + 1 / kShift) {
    move_spectrum(c);
    shifted.set(kShift, K_);
    shifted.add_to_diagonal(1, ones);
    const FactorStatus status = factorized_->cholesky.factorize(shifted);
    if (status == FactorStatus::ok) return SolveStatus::ok;
    if (status == FactorStatus::not_finite) return SolveStatus::not_finite;
    if (c > bound) return SolveStatus::not_positive_definite;
  }
}

EvaluationReport SymmetricPhi::evaluate(int k, const Vector& b, Vector& y) {
  EvaluationReport report;
  ShiftInverse* inverse = factorized_ ? &factorized_->inverse : nullptr;
  if (factorized_ && factorized_->status != SolveStatus::ok) {
    report.status = factorized_->status == SolveStatus::not_finite ? EvaluationStatus::not_finite
                                                                   : EvaluationStatus::not_positive_definite;
    return report;
  }
  const AssembledPencil pencil(K_, identity_);
  Work work;
  Matrix columns = b, result;
  const double norm = pencil.norm();
  double t = 0, h = 1;
  while (t < 1) {
    h = std::min(h, 1 - t);
    double next_h = 2 * h;
    EvaluationReport part =
        evaluator_->evaluate(pencil, inverse, Substep(k, c_, t, h), columns, result, work);
    for (int cut = 0; part.status == EvaluationStatus::not_converged && cut < kMostSubstepCuts; ++cut) {
      if (cut == 0) ++report.rejected;
      h *= kSubstepCut;
      next_h = h;
      const EvaluationReport again = evaluator_->evaluate_again(Substep(k, c_, t, h), result);
      part.status = again.status;
      part.error = again.error;
    }
    report.evaluator = part.evaluator;
    report.products += part.products;
    report.solves += part.solves;
    report.krylov_vectors += part.krylov_vectors;
    // Counted in pairs of columns, like displacement and velocity; here a column is a vector.
    report.largest_basis = std::max(report.largest_basis, 2 * part.largest_basis);
    report.error += part.error / kCaution;
    report.status = part.status;
    if (part.status != EvaluationStatus::ok) return report;
    // A small basis sees only the fast end of a long spectrum, where all underflows: no result yet.
    if (result.isZero(0) && !columns.isZero(0) && h * norm > kDeepestDecay) {
      ++report.rejected;
      h = kDeepestDecay / norm;
      continue;
    }
    ++report.substeps;
    t = h == 1 - t ? 1 : t + h;
    h = next_h;
    if (t < 1) {
      columns.resize(b.size(), k > 0 ? 2 : 1);
      columns.col(0) = result.col(0);
      if (k > 0) columns.col(1) = b;
    }
  }
  y = result.col(0);
  if (!y.allFinite()) report.status = EvaluationStatus::not_finite;
  return report;
}

}  // namespace phiflex

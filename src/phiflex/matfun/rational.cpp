// Shift-and-invert block Krylov for functions of the pencil (K, M), on the factorization that a semi-implicit
// step has anyway: with V_1 R = b and S = (M + s K)^-1 M,
//
//   V_(j+1) = what is M-orthogonal to V_1 .. V_j in S V_j,      H = V'K V,                                (1)
//   f(A) b ~ V f(H) V'M b.                                                                                (2)
//
// Smooth vectors lie in few eigenvectors of small lambda, which S enlarges: the number of blocks does not grow
// with the stiffness. S builds the space only; K itself is projected. So S may be an approximation, one kept
// from an earlier K, and K may be indefinite as long as that approximation is definite.
//
// The shift s = (gamma h)^2 matters little: from gamma = 0.1 to 2 the blocks needed for 1e-2 differ by two or three
// (a small one is better where h w of the excited modes is moderate), so the s = h^2 that a semi-implicit step has
// is as good as any.
//
// For a few digits the basis is kept from call to call (recycled_rational.h).
//
// (Moret, Novati: RD-rational approximations of the matrix exponential, 2004; van den Eshof, Hochbruck:
// Preconditioning Lanczos approximations to the matrix exponential, 2006.)
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "phiflex/linalg/binary_unit.h"
#include "phiflex/linalg/block_products.h"
#include "phiflex/matfun/convergence.h"
#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/mass_block.h"
#include "phiflex/matfun/projected_function.h"
#include "phiflex/matfun/recycled_rational.h"

namespace phiflex {
namespace {

class Rational final : public PencilEvaluator {
 public:
  explicit Rational(const PencilOptions& options) : options_(options), recycled_(options) {}

  EvaluationReport evaluate(const Pencil& pencil, ShiftInverse* inverse, const PencilFunction& f,
                            const Matrix& b, Matrix& y, Work& work) override;
  void save(ArchiveWriter& out) const override { recycled_.save(out); }
  void load(ArchiveReader& in) override { recycled_.load(in); }

 private:
  static constexpr Index kBesideBasis = 4;  // blocks: W, M W, K W and what is solved for

  bool solve(const PencilFunction& f);
  void project(const Pencil& pencil);  // rows and columns of H for the last block W_
  Index orthogonalize(const Pencil& pencil);

  PencilOptions options_;
  const Team* team_ = &alone();    // of the latest pencil
  Matrix basis_;                   // its leading size_ columns are V
  Index size_ = 0, all_rows_ = 0;  // all: on all ranks
  Matrix W_, MW_, KW_, R_, g_;
  Matrix H_;  // its leading corner of size_
  GrowingMatrix C_, overlap_;
  Vector threshold_;
  ProjectedFunction projected_;
  Convergence convergence_;
  RecycledRational recycled_;  // for a few digits
};

void Rational::project(const Pencil& pencil) {
  const Index width = W_.cols();
  pencil.apply_K(W_, KW_);
  multiply_transposed(*team_, KW_, basis_.leftCols(size_), H_.block(size_, 0, width, size_));
  multiply_transposed(*team_, W_, KW_, H_.block(size_, size_, width, width));
  basis_.middleCols(size_, width) = W_;
  size_ += width;
}

// W_ becomes an M-orthonormal block, M-orthogonal to the basis: Gram-Schmidt, twice. Returns its width.
Index Rational::orthogonalize(const Pencil& pencil) {
  apply_mass(pencil.mass(), W_, MW_);
  column_norms(*team_, W_, MW_, threshold_);
  threshold_ *= 1e-10;
  for (int sweep = 0; sweep < 2 && size_ > 0; ++sweep) {
    auto overlap = overlap_.shape(size_, W_.cols());
    multiply_transposed(*team_, basis_.leftCols(size_), MW_, overlap);
    subtract_product(basis_.leftCols(size_), overlap, W_);
    apply_mass(pencil.mass(), W_, MW_);
  }
  const Index width = std::min(orthonormalize(*team_, W_, MW_, threshold_, R_), all_rows_ - size_);
  W_.conservativeResize(Eigen::NoChange, width);
  MW_.conservativeResize(Eigen::NoChange, width);
  return width;
}

bool Rational::solve(const PencilFunction& f) {
  if (!projected_.evaluate(f, H_.topLeftCorner(size_, size_), g_, C_)) return false;
  convergence_.add(f, C_.get());
  return true;
}

EvaluationReport Rational::evaluate(const Pencil& pencil, ShiftInverse* inverse, const PencilFunction& f,
                                    const Matrix& b, Matrix& y, Work& work) {
  if (!inverse) throw std::invalid_argument("rational: needs the inverse of M + s K");
  const double tolerance = options_.tolerance * f.tolerance_share();
  if (options_.motion_tolerance > 0 || tolerance >= RecycledRational::kTightestTolerance)
    return recycled_.evaluate(pencil, inverse, f, b, y, work);
  EvaluationReport report;
  report.evaluator = "rational";
  y.setZero(b.rows(), f.rows());
  size_ = 0;
  convergence_.clear();
  team_ = &pencil.mass().team();
  all_rows_ = total(*team_, b.rows());
  if (!all_finite(*team_, b)) {
    report.status = EvaluationStatus::not_finite;
    return report;
  }
  const double unit = binary_unit_of(*team_, b);  // in it no norm overflows
  W_ = b / unit;
  if (orthogonalize(pencil) == 0) return report;  // b = 0
  g_ = R_;
  const Index limit = std::max(2 * W_.cols(), 2 * Index(options_.largest_basis) - kBesideBasis * W_.cols());
  const Index most = std::min(limit + W_.cols(), all_rows_);
  if (H_.rows() < most) H_.resize(most, most);
  const SolveStatus ready = inverse->prepare(work);
  if (ready != SolveStatus::ok) {
    report.status = ready == SolveStatus::not_finite ? EvaluationStatus::not_finite
                                                     : EvaluationStatus::not_positive_definite;
    return report;
  }
  Index check = 1;
  for (Index blocks = 1;; ++blocks) {
    if (basis_.rows() != b.rows() || basis_.cols() < size_ + W_.cols())
      basis_.conservativeResize(b.rows(), std::max(size_ + W_.cols(), std::min(limit, 2 * basis_.cols())));
    project(pencil);
    report.products += W_.cols();
    const bool full = size_ + W_.cols() > limit, complete = size_ == all_rows_;
    if (blocks >= check || full || complete) {
      check = blocks + std::max<Index>(1, blocks / 8);  // changes from single vectors would tell of no drift
      if (!solve(f)) {
        report.status = EvaluationStatus::not_finite;
        break;
      }
      if (complete) convergence_.finish();
      if (convergence_.error() <= tolerance) break;
      if (full) {
        report.status = EvaluationStatus::not_converged;
        break;
      }
    }
    inverse->apply(MW_, W_, work);
    report.solves += MW_.cols();
    if (!all_finite(*team_, W_)) {
      report.status = EvaluationStatus::not_finite;
      break;
    }
    if (orthogonalize(pencil) == 0) {  // the space is invariant, the result exact
      if (!solve(f)) report.status = EvaluationStatus::not_finite;
      convergence_.finish();
      break;
    }
  }
  report.krylov_vectors = size_;
  report.error = convergence_.error();
  report.largest_basis = (size_ + kBesideBasis * b.cols() + 1) / 2;
  work.stiffness_products += report.products;
  work.krylov_vectors += report.krylov_vectors;
  if (report.status == EvaluationStatus::ok) {
    multiply(basis_.leftCols(size_), C_.get(), y);
    y *= unit;
    if (!all_finite(*team_, y)) report.status = EvaluationStatus::not_finite;
  }
  return report;
}

}  // namespace

EvaluatorEntry rational_evaluator() {
  static constexpr EvaluatorInfo info{
      .name = "rational",
      .summary = "shift-and-invert Krylov on the factorization of M + h^2 K: smooth data, any stiffness",
      .family = EvaluatorFamily::pencil,
      .needs_factorization = true,
      .citation = "vandeneshof2006preconditioning",
      .on_ranks = true};
  return pencil_entry<Rational>(info);
}

}  // namespace phiflex

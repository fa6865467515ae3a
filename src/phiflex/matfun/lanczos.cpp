// Block Lanczos in the inner product of M for functions of the pencil (K, M): with V_1 R = b and A = M^-1 K,
//
//   A V_j = V_(j-1) B_(j-1)' + V_j A_j + V_(j+1) B_j,     V_i'M V_j = delta_ij I                           (1)
//
// a short recurrence, whose blocks A_j, B_j make the block-tridiagonal T = V'K V; f(A) b ~ V f(T) V'M b.
// All vectors of b share one sweep over K; the basis is made in the unit of the largest entry of b, so that no norm
// overflows. Vectors that become dependent leave the block; when none is left,
// the result is exact. Loss of orthogonality only repeats Ritz values that have converged, which f(T) does
// not mind.
//
// (Hochbruck, Lubich: On Krylov subspace approximations to the matrix exponential operator, 1997; Higham:
// Functions of Matrices, 2008, chapter 13.)
//
// Beyond the memory for the basis the recurrence goes on for half as many blocks more; should that suffice, it is
// taken up again where storage ended, and what was not kept is made a second time.
//
// T is solved only at sizes that grow geometrically; its results there give the error estimate (convergence.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/linalg/binary_unit.h"
#include "phiflex/linalg/block_products.h"
#include "phiflex/matfun/block_store.h"
#include "phiflex/matfun/convergence.h"
#include "phiflex/matfun/evaluator_entry.h"
#include "phiflex/matfun/mass_block.h"
#include "phiflex/matfun/projected_function.h"

namespace phiflex {
namespace {

constexpr double kRoundoff = std::numeric_limits<double>::epsilon();
constexpr double kCompleteSpace = 1e-10;  // of |A|: round-off left by a basis of the whole space
// Beside the stored basis live V_j, M V_j, M V_(j-1), K V_j, and the first three once more where storage ended.
constexpr int kRecurrenceBlocks = 7;

class Lanczos final : public PencilEvaluator {
 public:
  explicit Lanczos(const PencilOptions& options) : options_(options) {}

  EvaluationReport evaluate(const Pencil& pencil, ShiftInverse* inverse, const PencilFunction& f,
                            const Matrix& b, Matrix& y, Work& work) override;
  EvaluationReport evaluate_again(const PencilFunction& f, Matrix& y) override;

 private:
  Index capacity(Index columns, StoredPrecision precision) const;
  bool start(const Pencil& pencil, const Matrix& b);
  bool extend(const Pencil& pencil);     // the next block; false when there is none
  bool make_next(const Pencil& pencil);  // A_j, V_(j+1) and B_j of (1)
  void add_what_was_not_kept(const Pencil& pencil, Matrix& y, EvaluationReport& report);
  bool solve(const PencilFunction& f, std::size_t blocks);
  EvaluationStatus restore_unit(Matrix& y) const;
  const Team& team() const { return *team_; }

  PencilOptions options_;
  const Team* team_ = &alone();  // of the latest pencil
  BlockStore basis_;
  Matrix V_, MV_, MV_before_, KV_, B_, B_transposed_;  // of (1)
  Index width_before_ = 0;                             // of V_(j-1)
  Matrix A_block_;
  struct {
    Matrix V, MV, MV_before, B;
    Index width_before = 0;
  } end_of_storage_;
  Index storage_ = 0;  // columns there is memory for
  Index stored_ = 0;   // columns kept
  std::size_t stored_blocks_ = 0;
  Matrix band_;  // T: T(j + d, j) = band_(j, d)
  Matrix g_;
  GrowingMatrix C_;
  ProjectedFunction projected_;
  Vector threshold_;
  Index all_rows_ = 0;    // of the pencil, on all ranks
  Index size_ = 0;        // columns of the basis, rows of T_
  Index last_block_ = 0;  // first column of the last block
  double scale_ = 0;      // of A, for what counts as zero
  double unit_ = 1;       // of b: the basis is that of b/unit_
  Convergence convergence_;
  std::vector<Index> block_start_;
};

Index Lanczos::capacity(Index columns, StoredPrecision precision) const {
  const Index doubles = 2 * Index(options_.largest_basis) - kRecurrenceBlocks * columns;
  return std::max(2 * columns, precision == StoredPrecision::single ? 2 * doubles : doubles);
}

bool Lanczos::start(const Pencil& pencil, const Matrix& b) {
  unit_ = binary_unit_of(team(), b);
  V_ = b / unit_;
  apply_mass(pencil.mass(), V_, MV_);
  column_norms(team(), V_, MV_, threshold_);
  threshold_ *= 1e-12;
  const Index rank = orthonormalize(team(), V_, MV_, threshold_, B_);
  V_.conservativeResize(Eigen::NoChange, rank);
  MV_.conservativeResize(Eigen::NoChange, rank);
  width_before_ = 0;
  g_ = B_;
  size_ = stored_ = 0;
  stored_blocks_ = 0;
  block_start_.clear();
  scale_ = pencil.norm();
  return rank > 0;
}

// Takes V_j into the basis, its A_j into T, and makes V_(j+1) and B_j.
bool Lanczos::extend(const Pencil& pencil) {
  const Index width = V_.cols(), before = width_before_;
  if (stored_ == size_ && size_ + width <= storage_) {
    basis_.push(V_);
    stored_ += width;
    ++stored_blocks_;
  } else if (stored_ == size_) {
    end_of_storage_.V = V_;
    end_of_storage_.MV = MV_;
    end_of_storage_.MV_before = MV_before_;
    end_of_storage_.B = B_;
    end_of_storage_.width_before = width_before_;
  }
  last_block_ = size_;
  block_start_.push_back(size_);
  size_ += width;
  for (Index j = 0; j < before; ++j)
    for (Index i = 0; i < width; ++i) band_(last_block_ - before + j, before - j + i) = B_(i, j);
  const bool more = make_next(pencil);
  for (Index j = 0; j < width; ++j)
    for (Index i = j; i < width; ++i) band_(last_block_ + j, i - j) = A_block_(i, j);
  return more;
}

bool Lanczos::make_next(const Pencil& pencil) {
  const Index width = V_.cols();
  pencil.apply_K(V_, KV_);
  A_block_.resize(width, width);
  multiply_transposed(team(), V_, KV_, A_block_);
  for (Index j = 0; j < width; ++j)
    for (Index i = j + 1; i < width; ++i)
      A_block_(i, j) = A_block_(j, i) = 0.5 * (A_block_(i, j) + A_block_(j, i));
  subtract_product(MV_, A_block_, KV_);
  if (width_before_ > 0) {
    B_transposed_ = B_.transpose();
    subtract_product(MV_before_, B_transposed_, KV_);
  }
  solve_mass(pencil.mass(), KV_, V_);
  // n vectors span the space: what is left after them is round-off of the recurrence, unless orthogonality was lost
  // long before; its directions are not orthogonal even to the last block, and T of them has eigenvalues that A has
  // not.
  const double zero = size_ >= all_rows_ ? kCompleteSpace : 8 * kRoundoff;
  threshold_.setConstant(width, std::max(zero * scale_, 1e-14 * A_block_.norm()));
  MV_before_.swap(MV_);
  width_before_ = width;
  MV_.swap(KV_);
  const Index rank = orthonormalize(team(), V_, MV_, threshold_, B_);
  V_.conservativeResize(Eigen::NoChange, rank);
  MV_.conservativeResize(Eigen::NoChange, rank);
  return rank > 0;
}

void Lanczos::add_what_was_not_kept(const Pencil& pencil, Matrix& y, EvaluationReport& report) {
  if (stored_ == size_) return;
  V_ = end_of_storage_.V;
  MV_ = end_of_storage_.MV;
  MV_before_ = end_of_storage_.MV_before;
  B_ = end_of_storage_.B;
  width_before_ = end_of_storage_.width_before;
  const auto C = C_.get();
  for (Index first = stored_; first < size_;) {
    for (Index i = 0; i < y.cols(); ++i)
      for (Index j = 0; j < V_.cols(); ++j) y.col(i) += C(first + j, i) * V_.col(j);
    first += V_.cols();
    if (first >= size_) return;
    report.products += V_.cols();
    make_next(pencil);
  }
}

// C_ and the error estimate in the leading blocks of the basis.
bool Lanczos::solve(const PencilFunction& f, std::size_t blocks) {
  const Index size = blocks < block_start_.size() ? block_start_[blocks] : size_;
  const double accuracy = 1e-3 * options_.tolerance * f.tolerance_share();
  if (!projected_.evaluate_banded(f, band_.topRows(size), g_, accuracy, C_)) return false;
  convergence_.add(f, C_.get());
  return true;
}

EvaluationStatus Lanczos::restore_unit(Matrix& y) const {
  y *= unit_;
  return all_finite(team(), y) ? EvaluationStatus::ok : EvaluationStatus::not_finite;
}

EvaluationReport Lanczos::evaluate(const Pencil& pencil, ShiftInverse* /*inverse*/, const PencilFunction& f,
                                   const Matrix& b, Matrix& y, Work& work) {
  EvaluationReport report;
  report.evaluator = "lanczos";
  y.setZero(b.rows(), f.rows());
  team_ = &pencil.mass().team();
  all_rows_ = total(team(), b.rows());
  if (!all_finite(team(), b)) {
    report.status = EvaluationStatus::not_finite;
    return report;
  }
  const double tolerance = options_.tolerance * f.tolerance_share();
  const StoredPrecision precision = tolerance >= 1e-5 ? StoredPrecision::single : StoredPrecision::full;
  basis_.clear(precision);
  if (!start(pencil, b)) return report;  // b = 0
  // In small spaces a basis that has lost its orthogonality needs more than n vectors.
  storage_ = std::min(4 * all_rows_, capacity(V_.cols(), precision));
  const Index limit = storage_ + storage_ / 2;
  band_.setZero(limit, 2 * V_.cols());
  convergence_.clear();
  Index check = 2;
  for (bool more = true; more;) {
    report.products += V_.cols();
    more = extend(pencil);
    const Index blocks = Index(block_start_.size());
    const bool full = size_ + V_.cols() > limit;
    if (more && !full && blocks < check) continue;
    if (!solve(f, block_start_.size())) {
      report.status = EvaluationStatus::not_finite;
      break;
    }
    if (!more) convergence_.finish();
    if (convergence_.error() <= tolerance) break;
    if (full) {
      report.status = EvaluationStatus::not_converged;
      break;
    }
    check = blocks + (blocks < 6 ? 1 : std::max<Index>(2, blocks / 8));
  }
  report.krylov_vectors = size_;
  report.error = convergence_.error();
  report.largest_basis = (precision == StoredPrecision::single ? (stored_ + 1) / 2 : stored_) / 2 +
                         (kRecurrenceBlocks * b.cols() + 1) / 2;
  if (report.status == EvaluationStatus::ok) {
    basis_.combine(C_.get().topRows(stored_), y);
    add_what_was_not_kept(pencil, y, report);
    report.status = restore_unit(y);
  }
  work.stiffness_products += report.products;
  work.krylov_vectors += report.krylov_vectors;
  return report;
}

// The history that the estimate needs: the leading parts of the basis.
EvaluationReport Lanczos::evaluate_again(const PencilFunction& f, Matrix& y) {
  EvaluationReport report;
  report.evaluator = "lanczos";
  convergence_.clear();
  const std::size_t blocks = stored_blocks_;
  for (const double part : {0.55, 0.62, 0.7, 0.79, 0.89, 1.0})
    if (!solve(f, std::max<std::size_t>(1, std::size_t(part * double(blocks))))) {
      report.status = EvaluationStatus::not_finite;
      return report;
    }
  report.error = convergence_.error();
  if (report.error > options_.tolerance * f.tolerance_share()) {
    report.status = EvaluationStatus::not_converged;
    return report;
  }
  y.resize(V_.rows(), f.rows());
  basis_.combine(C_.get(), y);
  report.status = restore_unit(y);
  return report;
}

}  // namespace

EvaluatorEntry lanczos_evaluator() {
  static constexpr EvaluatorInfo info{
      .name = "lanczos",
      .summary = "block Lanczos in the inner product of M: functions of the pencil, cost grows with h w_max",
      .family = EvaluatorFamily::pencil,
      .needs_factorization = false,
      .citation = "hochbruck1997krylov",
      .polynomial = true,
      .on_ranks = true};
  return pencil_entry<Lanczos>(info);
}

}  // namespace phiflex

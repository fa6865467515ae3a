#include "phiflex/matfun/recycled_rational.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "phiflex/linalg/binary_unit.h"
#include "phiflex/matfun/mass_block.h"

namespace phiflex {
namespace {

constexpr double kSafety = 3;         // of (3)
constexpr double kMotionSafety = 2;   // of (6)
constexpr double kFirstAccuracy = 6;  // of the first result, beyond the tolerance
constexpr double kNegligible = 0.1;   // of the tolerance: amplitudes whose drift does not matter
// The same of a motion; residuals bring back what lacks, so that what is below it is not kept either.
constexpr double kNegligibleMotion = 0.3;
constexpr Index kMoreBlocks = 8;  // beside a kept basis, before it is given up
constexpr Index kBesideBasis =
    6;  // blocks: W, M W, K W, what is solved for, and those of some columns at once
constexpr Index kColumnsAtOnce = 8;  // of products with K
constexpr std::array kNear = {-0.29, -0.17, -0.1, -0.04,
                              0.03,  0.11,  0.19, 0.27};  // (t - t_i)/max(|t_i|, 1/s) of (2)

}  // namespace

Index RecycledRational::capacity(Index columns) const {
  return std::min(all_rows_,
                  std::max(2 * columns, 2 * Index(options_.largest_basis) - kBesideBasis * columns));
}

void RecycledRational::reserve(Index rows, Index most, Index columns, Index widest, Index results) {
  if (any(*team_, rows != rows_)) size_ = 0;
  rows_ = rows;
  basis_.shape(rows, most);
  overlap_.shape(most, 2 * widest);
  if (std::size_t(widest) >= blocks_.size()) blocks_.resize(std::size_t(widest) + 1);
  for (GrowingMatrix* coordinates : {&C_, &before_, &turned_}) coordinates->shape(most, results);
  for (Matrix* part : {&part_, &K_part_, &image_}) part->resize(rows, kColumnsAtOnce);
  if (H_.rows() >= most && g_.cols() == columns) return;
  for (Matrix* square : {&H_, &S_}) square->resize(most, most);
  for (Matrix* rows_of_basis : {&g_, &rotated_}) rows_of_basis->resize(most, columns);
  theta_.resize(most);
  drift_.resize(most);
  eigen_.reserve(most);
  order_.reserve(std::size_t(most));
}

void RecycledRational::project_kept(const Pencil& pencil) {
  const auto basis = V();
  for (Index first = 0; first < size_; first += kColumnsAtOnce) {
    const Index count = std::min(kColumnsAtOnce, size_ - first);
    part_.leftCols(count) = basis.middleCols(first, count);
    part_.rightCols(kColumnsAtOnce - count).setZero();
    pencil.apply_K(part_, K_part_);
    multiply_transposed(*team_, K_part_.leftCols(count), basis.leftCols(first + count),
                        H_.block(first, 0, count, first + count));
  }
}

// Gram-Schmidt in the inner product of M, twice.
Index RecycledRational::orthogonalize(const Pencil& pencil) {
  apply_mass(pencil.mass(), W_, MW_);
  column_norms(*team_, W_, MW_, threshold_);
  threshold_ *= 1e-10;
  auto overlap = overlap_.shape(size_, 2 * W_.cols());
  auto sum = overlap.leftCols(W_.cols()), once = overlap.rightCols(W_.cols());
  sum.setZero();
  for (int sweep = 0; sweep < 2 && size_ > 0; ++sweep) {
    multiply_transposed(*team_, V(), MW_, once);
    subtract_product(V(), once, W_);
    sum += once;
    apply_mass(pencil.mass(), W_, MW_);
  }
  const Index width = std::min(orthonormalize(*team_, W_, MW_, threshold_, R_), all_rows_ - size_);
  narrow(width);
  return width;
}

void RecycledRational::append(const Pencil& pencil) {
  const Index width = W_.cols(), before = size_;
  pencil.apply_K(W_, KW_);
  multiply_transposed(*team_, KW_, V(), H_.block(before, 0, width, before));
  multiply_transposed(*team_, W_, KW_, H_.block(before, before, width, width));
  size_ += width;
  V().rightCols(width) = W_;
}

void RecycledRational::find_drifts(const Pencil& pencil) {
  const auto X = V();
  for (std::size_t first = 0; first < order_.size(); first += kColumnsAtOnce) {
    const auto count = std::min<std::size_t>(kColumnsAtOnce, order_.size() - first);
    part_.setZero();
    for (std::size_t j = 0; j < count; ++j) part_.col(Index(j)) = X.col(order_[first + j]);
    pencil.apply_K(part_, K_part_);
    apply_mass(pencil.mass(), part_, image_);
    for (std::size_t j = 0; j < count; ++j)
      K_part_.col(Index(j)) -= theta_[order_[first + j]] * image_.col(Index(j));  // M d_i
    solve_mass(pencil.mass(), K_part_, part_);
    pencil.apply_K(part_, image_);
    std::array<double, 2 * kColumnsAtOnce> products{};
    for (std::size_t j = 0; j < count; ++j) {
      products[2 * j] = part_.col(Index(j)).dot(K_part_.col(Index(j)));
      products[2 * j + 1] = part_.col(Index(j)).dot(image_.col(Index(j)));
    }
    team_->sum(products);
    for (std::size_t j = 0; j < count; ++j) {
      const double square = std::max(0.0, products[2 * j]), stiffness = products[2 * j + 1];
      drift_[order_[first + j]] = stiffness > 0 ? square * square / stiffness : 0;  // (1)
    }
  }
}

// y - y' of (6): what the block since the last result has changed, in the coordinates of the basis that is now X.
void RecycledRational::find_change(const PencilFunction& f) {
  const Index in_group = f.rows_per_group();
  const auto C = C_.get();
  auto turned = turned_.shape(size_, f.rows());
  multiply_transposed(S_.topLeftCorner(before_.get().rows(), size_), before_.get(), turned);
  change_of_result_.setZero(size_of_result_.size());
  for (Index row = 0; row < f.rows(); ++row)
    for (Index i = 0; i < size_; ++i)
      change_of_result_[row / in_group] +=
          std::pow(f.displacement_weight(row, theta_[i]) * (C(i, row) - turned(i, row)), 2);
}

bool RecycledRational::resolve(const Pencil& pencil, double shift, const PencilFunction& f) {
  const bool has_before = results_++ > 0;
  if (motion_ && has_before) before_.shape(C_.get().rows(), f.rows()) = C_.get();
  auto S = S_.topLeftCorner(size_, size_);
  auto theta = theta_.head(size_);
  if (!eigen_.solve(H_.topLeftCorner(size_, size_), theta, S)) return false;
  multiply(V(), S, V());
  multiply_transposed(S, g_.topRows(size_), rotated_.topRows(size_));
  g_.topRows(size_) = rotated_.topRows(size_);
  H_.topLeftCorner(size_, size_) = theta.asDiagonal();

  const Index in_group = f.rows_per_group(), groups = (f.rows() + in_group - 1) / in_group;
  auto C = C_.shape(size_, f.rows());
  amplitude_.resize(H_.rows(), groups);
  size_of_result_.setZero(groups);
  value_.resize(f.rows(), f.columns());
  const auto entry = [&](Index i, Index row) {  // of value_ g_i
    return value_.row(row).transpose().dot(g_.row(i).transpose());
  };
  const auto weight = [&](Index row, Index i) {
    return motion_ ? f.displacement_weight(row, theta[i]) : f.weight(row);
  };
  const auto scale = [&](Index i) { return std::max(std::abs(theta[i]), 1 / shift); };
  for (Index i = 0; i < size_; ++i) {
    f.evaluate(theta[i], value_);
    for (Index row = 0; row < f.rows(); ++row) {
      C(i, row) = entry(i, row);
      if (!motion_) size_of_result_[row / in_group] += std::pow(weight(row, i) * C(i, row), 2);
    }
    amplitude_.row(i).setZero();
    for (const double near : kNear) {
      f.evaluate(theta[i] + near * scale(i), value_);
      for (Index row = 0; row < f.rows(); ++row)
        amplitude_(i, row / in_group) +=
            std::pow(weight(row, i) * entry(i, row), 2) / double(kNear.size());  // (2)
    }
    if (motion_) size_of_result_ += amplitude_.row(i).transpose();
  }
  if (!C.allFinite() || !amplitude_.topRows(size_).allFinite()) return false;

  error_ = 1;
  order_.clear();
  if (motion_ && !has_before) return true;  // nothing to compare with
  const double tolerance = tolerance_ * f.tolerance_share();
  for (Index i = 0; i < size_; ++i)
    for (Index group = 0; group < groups; ++group)
      if (amplitude_(i, group) * double(size_) >
          std::pow((motion_ ? kNegligibleMotion : kNegligible) * tolerance, 2) * size_of_result_[group]) {
        order_.push_back(i);
        break;
      }
  find_drifts(pencil);
  error_squares_.setZero(groups);
  if (motion_) {
    find_change(f);
    error_squares_ = change_of_result_;
  }
  const double of_unresolved = motion_ ? 2 : 1;  // two results of unknown phase differ by 2 a_i^2 in the mean
  for (const Index i : order_) {
    f.evaluate(theta[i] - drift_[i], value_);
    change_.setZero(groups);
    for (Index row = 0; row < f.rows(); ++row)
      change_[row / in_group] += std::pow(weight(row, i) * (entry(i, row) - C(i, row)), 2);
    if ((change_.array() <= of_unresolved * amplitude_.row(i).transpose().array()).all()) {
      error_squares_ += change_;
      continue;
    }
    error_squares_ += of_unresolved * amplitude_.row(i).transpose();
    if (motion_) continue;
    C.row(i).setZero();
    for (const double near : kNear) {
      f.evaluate(theta[i] + near * scale(i), value_);
      for (Index row = 0; row < f.rows(); ++row) C(i, row) += entry(i, row) / double(kNear.size());
    }
  }
  error_ = std::numeric_limits<double>::epsilon();
  for (Index group = 0; group < groups; ++group)
    if (error_squares_[group] > 0)
      error_ = std::max(error_, (motion_ ? kMotionSafety : kSafety) *
                                    std::sqrt(error_squares_[group] / size_of_result_[group]));  // (3), (6)
  return true;
}

void RecycledRational::use_width(Index width) {
  for (const Index other : {width_, width}) {  // back to its place, and from its place
    Block& block = blocks_[std::size_t(other)];
    W_.swap(block.W);
    MW_.swap(block.MW);
    KW_.swap(block.KW);
    R_.swap(block.R);
    threshold_.swap(block.threshold);
  }
  width_ = width;
}

void RecycledRational::narrow(Index width) {
  if (width == width_) return;
  const Block& wide = blocks_[std::size_t(width_)];
  use_width(width);
  W_ = wide.W.leftCols(width);
  MW_ = wide.MW.leftCols(width);
}

// W_ and MW_ of (5), for the latest results; returns the products it cost.
Index RecycledRational::find_residuals(const Pencil& pencil) {
  const Index of_results = C_.get().cols(), columns = of_results + g_.cols();
  use_width(columns);
  KW_.resize(rows_, columns);
  W_.resize(rows_, columns);
  multiply(V(), C_.get(), W_.leftCols(of_results));
  multiply(V(), g_.topRows(size_), W_.rightCols(g_.cols()));
  pencil.apply_K(W_, KW_);
  solve_mass(pencil.mass(), KW_, W_);  // V'K V diag(..) is what orthogonalize() takes away
  orthogonalize(pencil);
  return columns;
}

// By their part in the result, those of no part at all not.
void RecycledRational::keep_largest(Index most) {
  const auto part = [&](Index i) {
    double largest = 0;
    for (Index group = 0; group < size_of_result_.size(); ++group)
      if (size_of_result_[group] > 0)
        largest = std::max(largest, amplitude_(i, group) / size_of_result_[group]);
    return largest;
  };
  const double least = std::pow((motion_ ? kNegligibleMotion : 0.1 * kNegligible) * tolerance_, 2) /
                       double(std::max<Index>(1, size_));
  order_.clear();
  for (Index i = 0; i < size_; ++i)
    if (part(i) > least) order_.push_back(i);
  if (Index(order_.size()) > most) {
    std::nth_element(order_.begin(), order_.begin() + most, order_.end(),
                     [&](Index i, Index j) { return part(i) > part(j); });
    order_.resize(std::size_t(most));
    std::sort(order_.begin(), order_.end());
  }
  auto X = V();
  for (std::size_t j = 0; j < order_.size(); ++j)
    if (order_[j] != Index(j)) X.col(Index(j)) = X.col(order_[j]);
  size_ = Index(order_.size());
}

EvaluationReport RecycledRational::evaluate(const Pencil& pencil, ShiftInverse* inverse,
                                            const PencilFunction& f, const Matrix& b, Matrix& y, Work& work) {
  if (!inverse) throw std::invalid_argument("rational: needs the inverse of M + s K");
  EvaluationReport report;
  report.evaluator = "rational";
  y.setZero(b.rows(), f.rows());
  team_ = &pencil.mass().team();
  all_rows_ = total(*team_, b.rows());
  if (!all_finite(*team_, b)) {
    report.status = EvaluationStatus::not_finite;
    return report;
  }
  const Index most = capacity(b.cols());
  const Index widest = motion_ ? f.rows() + b.cols() : b.cols();
  reserve(b.rows(), most + widest, b.cols(), widest, f.rows());
  results_ = 0;
  size_ = std::min(size_, most);
  const Index kept = size_;
  const double tolerance = tolerance_ * f.tolerance_share();
  project_kept(pencil);
  report.products += kept;
  use_width(b.cols());
  const double unit = binary_unit_of(*team_, b);  // in it no norm overflows
  W_ = b / unit;
  Index width = orthogonalize(pencil);
  g_.topRows(kept) = overlap_.get().leftCols(b.cols());
  g_.middleRows(kept, width) = (width == b.cols() ? R_ : blocks_[std::size_t(b.cols())].R).topRows(width);
  if (g_.topRows(kept + width).isZero(0)) return report;  // b = 0
  if (width > 0) {
    append(pencil);
    report.products += width;
  } else {  // b lies in the basis: what it lacks, if anything, comes from b itself
    use_width(b.cols());
    W_ = b / unit;
    apply_mass(pencil.mass(), W_, MW_);
  }
  bool prepared = false;
  Index check = 1;
  for (Index blocks = 1;; ++blocks) {
    const bool full = size_ + widest > most || (kept > 0 && blocks > kMoreBlocks) || size_ == all_rows_;
    if (blocks >= check || full) {
      check = blocks + std::max<Index>(kept > 0 && !motion_ ? 4 : 1, blocks / 4);
      if (!resolve(pencil, inverse->shift(), f)) {
        report.status = EvaluationStatus::not_finite;
        break;
      }
      report.products += Index(order_.size());
      if (size_ == all_rows_) error_ = std::numeric_limits<double>::epsilon();
      if (error_ <= (kept > 0 || full || motion_ ? tolerance : tolerance / kFirstAccuracy)) break;
      if (full) {
        report.status = EvaluationStatus::not_converged;
        break;
      }
      if (motion_) report.products += find_residuals(pencil);
      if (MW_.cols() == 0) {  // there are none: the results are exact
        error_ = std::numeric_limits<double>::epsilon();
        break;
      }
    }
    if (!prepared) {
      const SolveStatus ready = inverse->prepare(work);
      if (ready != SolveStatus::ok) {
        report.status = ready == SolveStatus::not_finite ? EvaluationStatus::not_finite
                                                         : EvaluationStatus::not_positive_definite;
        break;
      }
      prepared = true;
    }
    inverse->apply(MW_, W_, work);
    report.solves += MW_.cols();
    if (!all_finite(*team_, W_)) {
      report.status = EvaluationStatus::not_finite;
      break;
    }
    width = orthogonalize(pencil);
    if (width == 0) {  // the space is invariant, the result exact
      if (!resolve(pencil, inverse->shift(), f)) report.status = EvaluationStatus::not_finite;
      error_ = std::numeric_limits<double>::epsilon();
      break;
    }
    g_.middleRows(size_, width).setZero();
    append(pencil);
    report.products += width;
  }
  report.krylov_vectors = size_;
  report.error = error_;
  report.largest_basis = (size_ + kBesideBasis * b.cols() + 1) / 2;
  work.stiffness_products += report.products;
  work.krylov_vectors += size_ - kept;
  if (report.status == EvaluationStatus::not_finite ||
      report.status == EvaluationStatus::not_positive_definite) {
    size_ = 0;
    return report;
  }
  if (report.status == EvaluationStatus::ok) {
    multiply(V(), C_.get(), y);
    y *= unit;
    if (!all_finite(*team_, y)) report.status = EvaluationStatus::not_finite;
  }
  keep_largest(std::max<Index>(0, most - (kMoreBlocks / 2) * widest));
  return report;
}

void RecycledRational::save(ArchiveWriter& out) const {
  out.put(std::int64_t(rows_));
  out.put(std::int64_t(size_));
  if (size_ > 0) out.put(std::span<const double>(basis_.get().data(), std::size_t(rows_ * size_)));
}

void RecycledRational::load(ArchiveReader& in) {
  const std::int64_t rows = in.get_integer(), size = in.get_integer();
  if (rows < 0 || size < 0) throw ArchiveError("not the basis of a rational evaluator");
  rows_ = Index(rows);
  size_ = Index(size);
  if (size_ == 0) return;
  const std::vector<double> numbers = in.get_doubles();
  const auto of_a_vector = std::size_t(rows);  // none on a rank without rows
  if (rows == 0 ? !numbers.empty()
                : numbers.size() / of_a_vector != std::size_t(size) || numbers.size() % of_a_vector != 0)
    throw ArchiveError("not the basis of a rational evaluator");
  V() = Eigen::Map<const Matrix>(numbers.data(), rows_, size_);
}

}  // namespace phiflex

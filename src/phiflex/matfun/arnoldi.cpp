#include "phiflex/matfun/arnoldi.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/linalg/binary_unit.h"

namespace phiflex {
namespace {

// Squares of numbers between these neither overflow nor lose digits to underflow, sums of 1e40 of them included.
constexpr double kSmallSquare = 1e-250, kLargeSquare = 1e250;

// A breakdown is |A v_m - V h| <= this times the largest |A v_j|: the rounding of the projection itself.
constexpr double kBreakdown = 64 * std::numeric_limits<double>::epsilon();

// When orthogonalization leaves less than this part of the square of the norm, cancellation has cost digits
// of the orthogonality and a second pass restores them ("twice is enough", Kahan and Parlett).
constexpr double kCancellation = 0.5;

double square_in(const InnerProduct* product, const Vector& x, Vector& Gx) {
  if (!product) return x.squaredNorm();
  product->apply(x, Gx);
  return dot(product->team(), x, Gx);
}

bool is_safe(double square) {
  return square > kSmallSquare && square < kLargeSquare;
}

}  // namespace

double norm_in(const InnerProduct* product, const Vector& x, Vector& workspace) {
  double square = square_in(product, x, workspace);
  if (is_safe(square)) return std::sqrt(square);
  const double scale = 1 / binary_unit_of(product ? product->team() : alone(), x);
  if (scale == 1) return std::sqrt(square);
  square = square_in(product, scale * x, workspace);
  return std::sqrt(square) / scale;
}

double Arnoldi::start(const Vector& v, Index capacity) {
  size_ = vectors_ = 0;
  norm_H_ = 0;
  if (V_.rows() != v.size() || V_.cols() < capacity + 1) {
    V_.resize(v.size(), capacity + 1);
    H_.resize(capacity + 1, capacity);
    c_.resize(capacity + 1);
  }
  const double beta = norm_in(product_, v, Gw_);
  if (!(beta > 0) || !std::isfinite(beta)) return beta;
  w_ = v / beta;
  V_.col(0) = w_;
  vectors_ = 1;
  H_.setZero();
  return beta;
}

ArnoldiStatus Arnoldi::extend(const LinearOperator& A) {
  if (vectors_ == V_.cols()) {
    const Index more = V_.cols() + std::max<Index>(1, V_.cols() / 2);
    V_.conservativeResize(Eigen::NoChange, more);
    H_.conservativeResizeLike(Matrix::Zero(more, more - 1));
    c_.resize(more);
  }
  const Team& team = product_ ? product_->team() : alone();
  const Index m = size_, first = length_ > 0 ? std::max<Index>(0, m + 1 - length_) : 0;
  const auto basis = V_.middleCols(first, m + 1 - first);
  auto h = H_.col(m).segment(first, m + 1 - first);
  auto c = c_.head(m + 1 - first);

  w_.swap(Gw_);
  A.apply(Gw_, w_);
  double before = square_in(product_, w_, Gw_), scale = 1;
  if (!is_safe(before)) {
    scale = 1 / binary_unit_of(team, w_);
    w_ *= scale;
    before = square_in(product_, w_, Gw_);
  }
  if (!std::isfinite(before)) return ArnoldiStatus::not_finite;

  h.noalias() = basis.transpose() * (product_ ? Gw_ : w_);
  team.sum({h.data(), std::size_t(h.size())});
  w_.noalias() -= basis * h;
  double after = before - h.squaredNorm();
  if (!(after > kCancellation * before)) {
    square_in(product_, w_, Gw_);
    c.noalias() = basis.transpose() * (product_ ? Gw_ : w_);
    team.sum({c.data(), std::size_t(c.size())});
    w_.noalias() -= basis * c;
    h += c;
    after = square_in(product_, w_, Gw_);
  }
  // A square below zero by more than its rounding: the inner product is not one.
  if (before < 0 || after < -kBreakdown * before) return ArnoldiStatus::not_positive_definite;

  h /= scale;
  const double length = std::sqrt(std::max(0.0, after)), residual = length / scale;
  norm_H_ = std::max(norm_H_, std::sqrt(before) / scale);
  if (!std::isfinite(norm_H_)) return ArnoldiStatus::not_finite;
  ++size_;
  // A complete basis of the whole space has no further vector.
  if (residual <= kBreakdown * norm_H_ || (length_ == 0 && size_ == V_.rows()))
    return ArnoldiStatus::breakdown;
  H_(m + 1, m) = residual;
  w_ /= length;
  V_.col(m + 1) = w_;
  ++vectors_;
  return ArnoldiStatus::extended;
}

void Arnoldi::combine(const Eigen::Ref<const Vector>& c, Vector& y) const {
  y.noalias() = V_.leftCols(c.size()) * c;
}

}  // namespace phiflex

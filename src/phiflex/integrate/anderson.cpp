#include "phiflex/integrate/anderson.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace phiflex {
namespace {
constexpr double kRaise = 1e-10;  // of G's unit diagonal
}

void Anderson::add_change(const Vector& w, const Vector& d, const Vector& r) {
  if (count_ > 0) latest_ = (latest_ + 1) % window;
  if (count_ < window) ++count_;
  dd_.col(latest_) = d - d_;
  dr_.col(latest_) = r - r_;
  dg_.col(latest_) = (w - w_) + dd_.col(latest_);
  SmallVector products(count_);
  for (Index j = 0; j < count_; ++j) products[j] = dd_.col(j).dot(dr_.col(latest_));
  team_->sum({products.data(), std::size_t(count_)});
  for (Index j = 0; j < count_; ++j) G_(latest_, j) = G_(j, latest_) = -products[j];  // (3)
}

void Anderson::advance(const Vector& w, const Vector& d, const Vector& r, Vector& next) {
  if (seen_) add_change(w, d, r);
  w_ = w;
  d_ = d;
  r_ = r;
  seen_ = true;
  next = w + d;
  if (count_ == 0) return;
  scale_.resize(count_);
  gamma_.resize(count_);
  for (Index i = 0; i < count_; ++i) gamma_[i] = dd_.col(i).dot(r);
  team_->sum({gamma_.data(), std::size_t(count_)});
  for (Index i = 0; i < count_; ++i) {
    scale_[i] = G_(i, i) > 0 ? 1 / std::sqrt(G_(i, i)) : 0;  // rounding only: left out
    gamma_[i] = -scale_[i] * gamma_[i];
  }
  scaled_ = scale_.asDiagonal() * G_.topLeftCorner(count_, count_) * scale_.asDiagonal();
  scaled_.diagonal().setConstant(1 + kRaise);
  const Eigen::LDLT<SmallMatrix> factors(scaled_);
  gamma_ = factors.solve(gamma_).cwiseProduct(scale_);
  if (!gamma_.allFinite()) return;
  for (Index i = 0; i < count_; ++i) next.noalias() -= gamma_[i] * dg_.col(i);  // (1)
}

}  // namespace phiflex

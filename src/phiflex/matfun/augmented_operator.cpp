#include "phiflex/matfun/augmented_operator.h"

#include <algorithm>

namespace phiflex {

void AugmentedOperator::set(const LinearOperator& A, std::span<const Vector> u, double unit_of_time,
                            double scale) {
  A_ = &A;
  n_ = A.size();
  p_ = std::max<Index>(1, static_cast<Index>(u.size())) - 1;
  unit_ = unit_of_time;
  B_.resize(n_, p_);
  double factor = 1 / scale;
  for (Index k = 1; k <= p_; ++k) {
    if (u[k].size() > 0) {
      B_.col(p_ - k) = factor * u[k];
    } else {
      B_.col(p_ - k).setZero();
    }
    factor *= unit_;
  }
}

void AugmentedOperator::apply(const Vector& x, Vector& y) const {
  y.resize(n_ + p_);
  if (p_ == 0) return A_->apply(x, y);
  in_ = x.head(n_);
  A_->apply(in_, out_);
  const auto z = x.tail(p_);
  y.head(n_) = out_;
  y.head(n_).noalias() += B_ * z;
  y.segment(n_, p_ - 1) = z.tail(p_ - 1) / unit_;
  y[n_ + p_ - 1] = 0;
}

double AugmentedOperator::norm() const {
  if (p_ == 0) return A_->norm();
  double rows = 0;
  for (Index i = 0; i < n_; ++i) rows = std::max(rows, B_.row(i).cwiseAbs().sum());
  rows = largest(team(), rows);
  return std::max(A_->norm() + rows, p_ > 1 ? 1 / unit_ : 0.0);
}

void AugmentedOperator::set_augmented_part(double t, double z_scale, Vector& state) const {
  double entry = z_scale;
  for (Index k = 0; k < p_; ++k) {
    state[n_ + p_ - 1 - k] = entry;
    entry *= t / (unit_ * static_cast<double>(k + 1));
  }
}

void AugmentedProduct::apply(const Vector& x, Vector& Gx) const {
  in_ = x.head(n_);
  product_.apply(in_, out_);
  Gx.resize(x.size());
  Gx.head(n_) = out_;
  if (team().rank() == 0)
    Gx.tail(x.size() - n_) = x.tail(x.size() - n_);
  else
    Gx.tail(x.size() - n_).setZero();
}

}  // namespace phiflex

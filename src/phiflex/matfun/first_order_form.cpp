#include "phiflex/matfun/first_order_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace phiflex {

FirstOrderForm::FirstOrderForm(const Pencil& pencil, Rayleigh damping)
    : pencil_(pencil), rayleigh_(damping), in_(pencil.size(), 1), out_(pencil.size(), 1) {}

FirstOrderForm::FirstOrderForm(const Pencil& pencil, const LinearOperator& D)
    : pencil_(pencil), D_(&D), in_(pencil.size(), 1), out_(pencil.size(), 1) {}

// With D = alpha M + beta K:  -M^-1 (K q + D v) = -M^-1 K (q + beta v) - alpha v, one product with K.
void FirstOrderForm::apply(const Vector& x, Vector& y) const {
  const Index n = pencil_.size();
  const auto q = x.head(n), v = x.tail(n);
  y.resize(2 * n);
  if (rayleigh_ && rayleigh_->beta != 0) {
    in_.col(0) = q + rayleigh_->beta * v;
  } else {
    in_.col(0) = q;
  }
  pencil_.apply_K(in_, out_);
  force_ = out_.col(0);
  if (D_) {
    velocity_ = v;
    D_->apply(velocity_, damped_);
    force_ += damped_;
  }
  pencil_.mass().solve(force_, acceleration_);
  y.head(n) = v;
  y.tail(n) = -acceleration_;
  if (rayleigh_ && rayleigh_->alpha != 0) y.tail(n) -= rayleigh_->alpha * v;
}

double FirstOrderForm::norm() const {
  const double stiffness = pencil_.norm();
  double damping = 0;
  if (rayleigh_) damping = std::abs(rayleigh_->alpha) + std::abs(rayleigh_->beta) * stiffness;
  if (D_) {
    const Vector& masses = pencil_.mass().diagonal();
    const double infinity = std::numeric_limits<double>::infinity();
    const double least = -largest(team(), masses.size() > 0 ? -masses.minCoeff() : -infinity);
    damping = largest(team(), D_->norm()) / least;
  }
  return std::max(1.0, stiffness + damping);
}

void StepNorm::apply(const Vector& x, Vector& Gx) const {
  const Index n = mass_->rows();
  Gx.resize(2 * n);
  part_ = x.head(n);
  mass_->apply(part_, product_);
  Gx.head(n) = product_ / (h_ * h_);
  part_ = x.tail(n);
  mass_->apply(part_, product_);
  Gx.tail(n) = product_;
}

void EnergyProduct::apply(const Vector& x, Vector& Gx) const {
  const Index n = pencil_->size();
  Gx.resize(2 * n);
  in_ = x.head(n);
  pencil_->apply_K(in_, out_);
  Gx.head(n) = out_.col(0);
  part_ = x.tail(n);
  pencil_->mass().apply(part_, product_);
  Gx.tail(n) = product_;
}

}  // namespace phiflex

// The first-order form of  M q'' = -K q - D q' :  w = (q; v),
//
//   w' = J w,   J = [   0        I     ]
//                   [ -M^-1 K  -M^-1 D ]                                                                  (1)
//
// and the two inner products that belong to it:
//
//   section norm     <w, w> = q'M q / h^2 + v'M v        both in units of energy; errors of a step          (2)
//   energy product   <w, w> = q'K q + v'M v              J is exactly skew in it when D = 0; K positive definite  (3)
//
// (3) is the square-root reformulation X = (Omega q, v), Omega^2 = M^-1 K, of Michels, Luan, Tokman (2017)
// without ever forming Omega.
#pragma once

#include <optional>

#include "phiflex/linalg/linear_operator.h"
#include "phiflex/linalg/pencil.h"

namespace phiflex {

class FirstOrderForm final : public LinearOperator {
 public:
  // Pencil and D are kept by reference.
  FirstOrderForm(const Pencil& pencil, Rayleigh damping);         // functions of the pencil serve it
  FirstOrderForm(const Pencil& pencil, const LinearOperator& D);  // any symmetric D (not M^-1 D)

  Index size() const override { return 2 * pencil_.size(); }
  void apply(const Vector& x,
             Vector& y) const override;  // one product with K; not from several threads at once
  double norm() const override;
  const Team& team() const override { return pencil_.mass().team(); }

  const Pencil& pencil() const { return pencil_; }
  const std::optional<Rayleigh>& rayleigh() const { return rayleigh_; }  // empty: a general D

 private:
  const Pencil& pencil_;
  std::optional<Rayleigh> rayleigh_;
  const LinearOperator* D_ = nullptr;
  mutable Matrix in_, out_;
  mutable Vector force_, velocity_, damped_, acceleration_;
};

class StepNorm final : public InnerProduct {  // (2)
 public:
  StepNorm(const MassMatrix& mass, double h) : mass_(&mass), h_(h) {}  // mass: by reference
  void change(const MassMatrix& mass, double h) {                      // without losing its memory
    mass_ = &mass;
    h_ = h;
  }
  void apply(const Vector& x, Vector& Gx) const override;
  const Team& team() const override { return mass_->team(); }

 private:
  const MassMatrix* mass_;
  double h_;
  mutable Vector part_, product_;
};

class EnergyProduct final : public InnerProduct {  // (3); costs one product with K
 public:
  explicit EnergyProduct(const Pencil& pencil) : pencil_(&pencil) {}  // by reference
  void change(const Pencil& pencil) { pencil_ = &pencil; }
  void apply(const Vector& x, Vector& Gx) const override;
  const Team& team() const override { return pencil_->mass().team(); }

 private:
  const Pencil* pencil_;
  mutable Matrix in_, out_;
  mutable Vector part_, product_;
};

}  // namespace phiflex

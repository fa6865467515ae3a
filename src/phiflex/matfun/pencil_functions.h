// Functions of one eigenvalue lambda of the pencil (K, M): what exponential methods are made of.
//
// The damped oscillator  q'' + d q' + lambda q = 0,  d = alpha + beta lambda, has the response S to a unit
// impulse; its derivative and its repeated integrals
//
//   S_0(t) = S = e^(-st) sin(et)/e,   s = d/2,  e^2 = lambda - s^2        (sinh when e^2 < 0, t e^(-st) at 0)   (1)
//   S_-1 = S' = e^(-st) cos(et) - s S,     S_k(t) = integral of S_(k-1) from 0 to t                       (2)
//   S_(k-2) + d S_(k-1) + lambda S_k = t^(k-1)/(k-1)!,    k >= 1                                          (3)
//
// give every entry of every phi-function of  J = [0 1; -lambda -d]:
//
//   t^k phi_k(t J) = [ S_(k-1) + d S_k   S_k     ]
//                    [  -lambda S_k      S_(k-1) ]                                                        (4)
//
// They are entire in lambda: lambda < 0 (an indefinite K) and lambda = 0 (a rigid mode) are like any other.
// (Hochbruck, Ostermann: Exponential integrators, 2010, for phi; (1) to (4) by integrating the oscillator.)
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "phiflex/linalg/pencil.h"
#include "phiflex/matfun/pencil_evaluator.h"

namespace phiflex {

// S[i] = S_(i-1)(t) of (2), for i = 0 .. S.size() - 1. Accurate to a few units of round-off relative to the
// size of the oscillation for every lambda, d and t > 0; infinite when e^(t sqrt(-lambda)) overflows.
void oscillator_integrals(double lambda, Rayleigh damping, double t, std::span<double> S);

double phi(int k, double z);  // the scalar phi_k(z), without cancellation

// Filters of the trigonometric methods, functions of x = h sqrt(lambda), given x^2 (perhaps negative).
double cos_of(double x_squared);   // cos x
double sinc_of(double x_squared);  // sin(x)/x
double cosc_of(double x_squared);  // (1 - cos x)/x^2

// Any function of the user, with one entry or several.
class UserFunction final : public PencilFunction {
 public:
  explicit UserFunction(std::function<double(double)> scalar);
  UserFunction(Index rows, Index columns, std::function<void(double, Matrix&)> evaluate);
  Index rows() const override { return rows_; }
  Index columns() const override { return columns_; }
  void evaluate(double lambda, Matrix& f) const override { evaluate_(lambda, f); }

 private:
  Index rows_, columns_;
  std::function<void(double, Matrix&)> evaluate_;
};

// The phi-sum of mechanical_phi.h: (4) for the halves of the u_k that are not zero, at several times. Two rows
// per time, displacement and velocity, a group in the norm of a step.
class PhiSumFunction final : public PencilFunction {
 public:
  enum class Part { displacement, velocity };
  struct Half {
    int k;      // of u_k
    Part part;  // which half of it
  };
  // step: the h of the norm. share: the part of the tolerance that the evaluation may use.
  PhiSumFunction() = default;
  PhiSumFunction(std::vector<Half> halves, std::span<const double> times, Rayleigh damping, double step,
                 double share = 1);
  // As constructed anew, but in the memory that is there.
  void set(std::span<const Half> halves, std::span<const double> times, Rayleigh damping, double step,
           double share);

  Index rows() const override { return Index(2 * times_.size()); }
  Index columns() const override { return Index(halves_.size()); }
  void evaluate(double lambda, Matrix& f) const override;
  double weight(Index row) const override { return row % 2 == 0 ? 1 / step_ : 1; }
  double displacement_weight(Index row, double lambda) const override;
  Index rows_per_group() const override { return 2; }
  double tolerance_share() const override { return share_; }

 private:
  std::vector<Half> halves_;
  std::vector<double> times_;
  Rayleigh damping_;
  double step_ = 1, share_ = 1;
  mutable std::vector<double> S_;
};

}  // namespace phiflex

// A law as a function of C = F'F, where it is one (material.h, FunctionOfC):
//
//   psi(C) = psi(F),   S(C) = 2 dpsi/dC = F^-1 P(F)         for any F with F'F = C and J > 0              (1)
//   dS[dC] = F^-1 (dP[dF] - dF S),   dF = F^-T dC/2         since P = F S and F'dF + dF'F = dC            (2)
//
// F is the upper triangular factor of C = U'U (Cholesky), with a positive diagonal: no square root of a
// matrix is needed, and no law must know C. A law that has a shorter way states it as a class OfStrain with
// the same members.
#pragma once

#include "phiflex/base/sym3.h"
#include "phiflex/material/material.h"

namespace phiflex {

template <class Law, class Real>
class CholeskyStrain {
 public:
  PHIFLEX_HD CholeskyStrain(const LawModuli<Law, Real>& p, const Sym3<Real>& C)
      : U_(upper_factor(C)), inverse_(upper_inverse(U_)), at_(p, U_), S_(stress(at_.P())) {}

  PHIFLEX_HD Real psi() const { return at_.psi(); }
  PHIFLEX_HD const Sym3<Real>& S() const { return S_; }
  PHIFLEX_HD Sym3<Real> dS(const Sym3<Real>& dC) const {  // (2)
    const Mat3<Real> dF = transpose(inverse_) * full(Real(0.5) * dC);
    return symmetric_part(inverse_ * (at_.dP(dF) - dF * full(S_)));
  }

 private:
  PHIFLEX_HD static Mat3<Real> upper_factor(const Sym3<Real>& C) {
    Mat3<Real> U = Mat3<Real>::zero();
    U(0, 0) = sqrt(C(0, 0));
    const Real first = Real(1.0) / U(0, 0);
    U(0, 1) = first * C(0, 1);
    U(0, 2) = first * C(0, 2);
    U(1, 1) = sqrt(C(1, 1) - U(0, 1) * U(0, 1));
    U(1, 2) = (C(1, 2) - U(0, 1) * U(0, 2)) / U(1, 1);
    U(2, 2) = sqrt(C(2, 2) - U(0, 2) * U(0, 2) - U(1, 2) * U(1, 2));
    return U;
  }
  PHIFLEX_HD static Mat3<Real> upper_inverse(const Mat3<Real>& U) {
    Mat3<Real> V = Mat3<Real>::zero();
    for (int i = 0; i < 3; ++i) V(i, i) = Real(1.0) / U(i, i);
    V(0, 1) = -(U(0, 1) * V(0, 0) * V(1, 1));
    V(1, 2) = -(U(1, 2) * V(1, 1) * V(2, 2));
    V(0, 2) = -(V(2, 2) * (U(0, 2) * V(0, 0) + U(1, 2) * V(0, 1)));
    return V;
  }
  // S is symmetric: the rows of U^-1 P from the diagonal on are enough, and spare the longest sums.
  PHIFLEX_HD Sym3<Real> stress(const Mat3<Real>& P) const {
    const auto entry = [&](int i, int j) {
      Real sum = inverse_(j, j) * P(j, i);
      for (int k = j + 1; k < 3; ++k) sum = sum + inverse_(j, k) * P(k, i);
      return sum;
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(1, 2), entry(0, 2), entry(0, 1)};
  }

  Mat3<Real> U_, inverse_;
  typename Law::template At<Real> at_;
  Sym3<Real> S_;
};

namespace strain_detail {

template <class Law, class Real>
struct Choice {
  using Type = CholeskyStrain<Law, Real>;
};
template <class Law, class Real>
requires requires {
  typename Law::template OfStrain<Real>;
}
struct Choice<Law, Real> {
  using Type = typename Law::template OfStrain<Real>;
};

}  // namespace strain_detail

// psi(), S() and dS(dC) of a law at C.
template <class Law, class Real>
using StrainLaw = typename strain_detail::Choice<Law, Real>::Type;

// C0:E of linear elasticity at rest.
template <class Real>
PHIFLEX_HD Sym3<Real> rest_stress(const Lame<Real>& at_rest, const Sym3<Real>& E) {
  return Real(2.0) * at_rest.mu * E + Sym3<Real>::scaled_identity(at_rest.lambda * trace(E));
}

}  // namespace phiflex

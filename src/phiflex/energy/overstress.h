// The stress of viscoelastic branches as a law for elements (energy/prony_term.h), in the isochoric strain E of C =
// F'F:
//
//   psi = G |E - A|^2,   E = (m C - 1)/2,   m = J^(-2/3),   J = det F > 0                                   (1)
//
// A symmetric, different at every point of every element: the moduli of this law are (G, A), and no user gives them.
// With s = 2 G (E - A) and DEV[X] = X - (X:C)/3 C^-1,
//
//   S = 2 dpsi/dC = m DEV[s],     dE[dC] = m/2 (dC - (C^-1:dC)/3 C)                                           (2)
//   dS[dC] = m DEV[2 G dE] + terms with s: dm DEV[s] - m/3 ((s:dC) C^-1 - (s:C) C^-1 dC C^-1)                 (3)
//   dm = -m/3 C^-1:dC
//
// so that the Cauchy stress has no trace. P = F S, dP[dF] = dF S + F dS[F'dF + dF'F]. Projected is the part of (3) with
// G alone, which is positive semidefinite, without dF S.
// Simo, On a fully three-dimensional finite-strain viscoelastic damage model (1987), has E as the strain of its
// branches.
#pragma once

#include <limits>

#include "phiflex/base/sym3.h"
#include "phiflex/material/material.h"

namespace phiflex {

// (m C - 1)/2.
template <class Real>
PHIFLEX_HD Sym3<Real> isochoric_strain(const Sym3<Real>& C) {
  const Real root = cbrt(determinant(C, cofactor(C)));
  const Real half(0.5);
  return (half / root) * C - Sym3<Real>::scaled_identity(half);
}

struct Overstress {
  static constexpr std::string_view name = "overstress";
  static constexpr bool needs_positive_J = true;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;
  static constexpr LawProperties properties{.isotropic = false, .nearest_projection = false};
  static constexpr bool moduli_of_points = true;  // energy/elastic_term_of.h

  template <class Value>
  struct Parameters {};
  template <class V, class Value>
  static void fields(V&, Parameters<Value>&) {}

  template <class Real>
  struct Moduli {
    Real G;
    Sym3<Real> A;
  };
  static Moduli<double> moduli(const Parameters<double>&) { return {0, Sym3<double>::zero()}; }
  // What damping by stiffness acts on: not on branches, which have their own.
  static Lame<double> at_rest(const Moduli<double>&) { return {0, 0}; }

  template <class Real>
  class OfStrain {
   public:
    PHIFLEX_HD OfStrain(const Moduli<Real>& p, const Sym3<Real>& C)
        : C_(C), G2_(Real(2.0) * p.G), cofactor_(cofactor(C)) {
      const Real det = determinant(C, cofactor_);
      m_ = Real(1.0) / cbrt(det);
      inverse_ = (Real(1.0) / det) * cofactor_;
      difference_ = Real(0.5) * (m_ * C - Sym3<Real>::scaled_identity(Real(1.0))) - p.A;
      s_ = G2_ * difference_;
      sC_ = contract(s_, C);
    }
    PHIFLEX_HD Real psi() const { return Real(0.5) * contract(s_, difference_); }
    PHIFLEX_HD Sym3<Real> S() const { return m_ * (s_ - (kThird<Real>() * sC_) * inverse_); }  // (2)
    PHIFLEX_HD Sym3<Real> dS(const Sym3<Real>& dC) const {                                     // (3)
      const Real third = kThird<Real>(), dm = -third * m_ * contract(inverse_, dC);
      return stiff_dS(dC) + dm * (s_ - (third * sC_) * inverse_) -
             (third * m_) * (contract(s_, dC) * inverse_ - sC_ * between(dC));
    }
    PHIFLEX_HD Sym3<Real> stiff_dS(const Sym3<Real>& dC) const {
      const Real third = kThird<Real>();
      const Sym3<Real> ds = (Real(0.5) * G2_ * m_) * (dC - (third * contract(inverse_, dC)) * C_);
      return m_ * (ds - (third * contract(ds, C_)) * inverse_);
    }
    PHIFLEX_HD Real size() const { return contract(s_, s_); }

   private:
    template <class R>
    PHIFLEX_HD static R kThird() {
      return R(1.0 / 3);
    }
    PHIFLEX_HD Sym3<Real> between(const Sym3<Real>& dC) const {  // C^-1 dC C^-1
      const Mat3<Real> inverse = full(inverse_);
      return symmetric_part(inverse * (full(dC) * inverse));
    }
    Sym3<Real> C_;
    Real G2_;
    Sym3<Real> cofactor_, inverse_, difference_, s_;
    Real m_, sC_;
  };

  template <class Real>
  class At {
   public:
    PHIFLEX_HD At(const Moduli<Real>& p, const Mat3<Real>& F)
        : F_(F), J_(determinant(F)), strain_(p, gram(F)), S_(full(strain_.S())) {}
    PHIFLEX_HD Real psi() const {
      return select(J_ > Real(0.0), strain_.psi(), Real(std::numeric_limits<double>::infinity()));
    }
    PHIFLEX_HD Mat3<Real> P() const {
      const Real valid = select(J_ > Real(0.0), Real(1.0), Real(std::numeric_limits<double>::quiet_NaN()));
      return valid * (F_ * S_);
    }
    PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const {
      return dF * S_ + F_ * full(strain_.dS(Real(2.0) * symmetric_part(transpose(F_) * dF)));
    }
    PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {
      return Mat3<Real>::scaled_identity(dot(b, S_ * a)) +
             strain_block(F_, a, b, [&](const Sym3<Real>& dC) { return strain_.dS(dC); });
    }

   private:
    Mat3<Real> F_;
    Real J_;
    OfStrain<Real> strain_;
    Mat3<Real> S_;
  };

  template <class Real>
  class Projected {
   public:
    PHIFLEX_HD Projected(const Moduli<Real>& p, const Mat3<Real>& F) : F_(F), strain_(p, gram(F)) {}
    PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const {
      return F_ * full(strain_.stiff_dS(Real(2.0) * symmetric_part(transpose(F_) * dF)));
    }
    PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {
      return strain_block(F_, a, b, [&](const Sym3<Real>& dC) { return strain_.stiff_dS(dC); });
    }
    PHIFLEX_HD MaskOf<Real> changed() const { return strain_.size() > Real(0.0); }

   private:
    Mat3<Real> F_;
    OfStrain<Real> strain_;
  };

 private:
  // Its column k is F dS[2 sym(F'e_k b')] a, and F'e_k is row k of F.
  template <class Real, class Derivative>
  PHIFLEX_HD static Mat3<Real> strain_block(const Mat3<Real>& F, const Vec3<Real>& a, const Vec3<Real>& b,
                                            const Derivative& dS) {
    Mat3<Real> block;
    for (int k = 0; k < 3; ++k) {
      const Vec3<Real> row = {F(k, 0), F(k, 1), F(k, 2)};
      const Vec3<Real> column = F * (dS(Real(2.0) * symmetric_part(outer(row, b))) * a);
      for (int i = 0; i < 3; ++i) block(i, k) = column[i];
    }
    return block;
  }
};

}  // namespace phiflex

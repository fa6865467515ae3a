// Mooney-Rivlin solid: rubber, with a shear part that sees no volume.
//
//   psi = c1 (a I1 - 3) + c2 (a^2 I2 - 3) + bulk/2 (J - 1)^2,   a = J^(-2/3),   J = det F > 0             (1)
//   I1 = tr C,   I2 = (I1^2 - tr C^2)/2 = tr cof C,   C = F'F
//
// At rest the shear modulus is 2 (c1 + c2) and the bulk modulus is `bulk`. c1's part and the volume's are
// neo-hookean-isochoric with mu = 2 c1 and lambda = bulk; below is the rest, c2 (a^2 I2 - 3). With G = F (I1 1 - C),
// half the derivative of I2, cof F = dJ/dF, and subscripts for partial derivatives in I2, J:
//
//   P      = 2 psi_2 G + psi_J cof F                                                                      (2)
//   dP[dF] = 2 psi_2 (dF (I1 1 - C) + 2 (F:dF) F - F (F'dF + dF'F)) + psi_J dcof[dF]
//            + dJ (2 psi_2J G + psi_JJ cof F) + 2 psi_2J (G:dF) cof F                                     (3)
//   block(a, b) = 2 psi_2 (a.(I1 1 - C) b 1 + 2 Fa (Fb)' - (a.b) FF' - Fb (Fa)')
//            + psi_J [ik -> e_ikm w_m] + ra (cof b)' + (cof a) r'b,   w = F (a x b)                       (4)
//
// with dJ = cof F:dF, ra = (2 psi_2J G + psi_JJ cof F) a and r'b = 2 psi_2J G b. In principal stretches, with (i, j, k)
// a permutation of (0, 1, 2), I2_i = 2 s_i (s_j^2 + s_k^2) and J_i = s_j s_k the derivatives of I2 and J:
//
//   flip_k, twist_k = 2 psi_2 (s_k^2 -+ s_i s_j) -+ psi_J s_k                                             (5)
//   psi_ii = 2 psi_2 (s_j^2 + s_k^2) + 2 psi_2J I2_i J_i + psi_JJ J_i^2
//   psi_ij = 4 psi_2 s_i s_j + psi_J s_k + psi_2J (I2_i J_j + I2_j J_i) + psi_JJ J_i J_j                  (6)
//
// As a function of C:
//
//   S  = 2 psi_2 (I1 1 - C) + (psi_J/J) cof C                                                             (7)
//   dS = 2 dJ psi_2J (I1 1 - C) + 2 psi_2 (tr(dC) 1 - dC) + d(psi_J/J) cof C + (psi_J/J) dcof[dC]         (8)
//
// Mooney, A theory of large elastic deformation (1940); Rivlin, Large elastic deformations of isotropic materials IV
// (1948); the volume term as in Ogden, Non-linear elastic deformations (1984).
#pragma once

#include "phiflex/material/neo_hookean_isochoric.h"
#include "phiflex/material/sum_law.h"

namespace phiflex {

struct MooneyRivlin {
  static constexpr std::string_view name = "mooney-rivlin";
  static constexpr std::string_view summary =
      "rubber: c1 (J^(-2/3) I1 - 3) + c2 (J^(-4/3) I2 - 3) + bulk/2 (J - 1)^2; shear modulus 2 (c1 + c2)";
  static constexpr std::string_view citation = "mooney1940theory";
  static constexpr bool needs_positive_J = true;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;

  template <class Value>
  struct Parameters {
    Value c1, c2, bulk;
  };
  template <class V, class Value>
  static void fields(V& v, Parameters<Value>& p) {
    v({.key = "c1",
       .doc = "factor of the first invariant's part; the shear modulus at rest is 2 (c1 + c2)",
       .unit = "Pa",
       .range = ranges::positive,
       .example = {1.5e5}},
      p.c1);
    v({.key = "c2",
       .doc = "factor of the second invariant's part; 0: neo-Hookean",
       .unit = "Pa",
       .range = ranges::not_negative,
       .example = {5e4}},
      p.c2);
    v({.key = "bulk",
       .doc = "bulk modulus at rest",
       .unit = "Pa",
       .range = ranges::positive,
       .example = {1e6}},
      p.bulk);
  }
  template <class Real>
  using Moduli = Parameters<Real>;
  static Moduli<double> moduli(const Parameters<double>& p) { return p; }
  static Lame<double> at_rest(const Moduli<double>& p) {
    const double mu = 2 * (p.c1 + p.c2);
    return {mu, p.bulk - 2 * mu / 3};
  }

 private:
  using First = NeoHookeanIsochoric;
  template <class Real>
  PHIFLEX_HD static Lame<Real> first(const Moduli<Real>& p) {
    return {Real(2.0) * p.c1, p.bulk};
  }

  // psi = c2 (a^2 I2 - 3) and its partial derivatives at I2, J. Outside the domain the first part is infinite.
  template <class Real>
  struct Derivatives {
    Real psi, d2, dJ, d2J, dJJ;
    PHIFLEX_HD Derivatives(const Moduli<Real>& p, const Real& I2, const Real& J) {
      const Real root = cbrt(J), inverse_J = Real(1.0) / J;
      const Real a =
          select(J > Real(0.0), Real(1.0) / (root * root), Real(std::numeric_limits<double>::quiet_NaN()));
      d2 = p.c2 * a * a;
      psi = select(J > Real(0.0), d2 * I2 - Real(3.0) * p.c2, Real(0.0));
      d2J = Real(-4.0 / 3) * d2 * inverse_J;
      dJ = d2J * I2;
      dJJ = Real(-7.0 / 3) * dJ * inverse_J;
    }
  };

  template <class Real>
  class SecondAt {
   public:
    PHIFLEX_HD SecondAt(const Moduli<Real>& p, const Mat3<Real>& F)
        : F_(F),
          cofactor_(cofactor(F)),
          rest_(second(F)),
          G_(F * rest_),
          d_(p, contract(cofactor_, cofactor_),
             F(0, 0) * cofactor_(0, 0) + F(0, 1) * cofactor_(0, 1) + F(0, 2) * cofactor_(0, 2)) {}

    PHIFLEX_HD Real psi() const { return d_.psi; }
    PHIFLEX_HD Mat3<Real> P() const { return Real(2.0) * d_.d2 * G_ + d_.dJ * cofactor_; }  // (2)
    PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const {                                  // (3)
      const Real two(2.0), dJ = contract(cofactor_, dF);
      const Mat3<Real> half = transpose(F_) * dF;
      const Mat3<Real> dG = dF * rest_ + two * contract(F_, dF) * F_ - F_ * (half + transpose(half));
      return two * d_.d2 * dG + d_.dJ * cofactor_derivative(F_, dF) + (two * d_.d2J * dJ) * G_ +
             (d_.dJJ * dJ + two * d_.d2J * contract(G_, dF)) * cofactor_;
    }
    PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {  // (4)
      const Vec3<Real> Fa = F_ * a, Fb = F_ * b, Ca = cofactor_ * a, Cb = cofactor_ * b;
      const Real two(2.0), slope = two * d_.d2J;
      Mat3<Real> m = outer(slope * (G_ * a) + d_.dJJ * Ca, Cb) + outer(Ca, slope * (G_ * b)) +
                     outer(two * two * d_.d2 * Fa, Fb) - outer(two * d_.d2 * Fb, Fa) -
                     (two * d_.d2 * dot(a, b)) * (F_ * transpose(F_));
      const Real same = two * d_.d2 * dot(a, rest_ * b);
      const Vec3<Real> w = d_.dJ * (F_ * cross(a, b));
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m(i, i) += same;
        m(i, j) += w[k];
        m(j, i) -= w[k];
      }
      return m;
    }

   private:
    PHIFLEX_HD static Mat3<Real> second(const Mat3<Real>& F) {  // I1 1 - C
      const Sym3<Real> C = gram(F);
      return full(Sym3<Real>::scaled_identity(trace(C)) - C);
    }
    Mat3<Real> F_, cofactor_, rest_, G_;
    Derivatives<Real> d_;
  };

  // (7) and (8).
  template <class Real>
  class SecondOfStrain {
   public:
    PHIFLEX_HD SecondOfStrain(const Moduli<Real>& p, const Sym3<Real>& C)
        : C_(C),
          cofactor_(cofactor(C)),
          J_(sqrt(determinant(C, cofactor_))),
          rest_(Sym3<Real>::scaled_identity(trace(C)) - C),
          d_(p, trace(cofactor_), J_),
          slope_(d_.dJ / J_) {}

    PHIFLEX_HD Real psi() const { return d_.psi; }
    PHIFLEX_HD Sym3<Real> S() const { return Real(2.0) * d_.d2 * rest_ + slope_ * cofactor_; }
    PHIFLEX_HD Sym3<Real> dS(const Sym3<Real>& dC) const {
      const Real two(2.0), dJ = Real(0.5) * contract(cofactor_, dC) / J_;
      const Real d_slope = (d_.d2J * contract(rest_, dC) + (d_.dJJ - slope_) * dJ) / J_;
      return Sym3<Real>::scaled_identity(two * d_.d2 * trace(dC)) - two * d_.d2 * dC +
             (two * d_.d2J * dJ) * rest_ + d_slope * cofactor_ + slope_ * cofactor_derivative(C_, dC);
    }

   private:
    Sym3<Real> C_, cofactor_;
    Real J_;
    Sym3<Real> rest_;  // I1 1 - C
    Derivatives<Real> d_;
    Real slope_;  // psi_J/J
  };

 public:
  template <class Real>
  struct At : SumAt<First::At<Real>, SecondAt<Real>, Real> {
    PHIFLEX_HD At(const Moduli<Real>& p, const Mat3<Real>& F)
        : SumAt<First::At<Real>, SecondAt<Real>, Real>({first(p), F}, {p, F}) {}
  };
  template <class Real>
  using Projected = ProjectedHessian<MooneyRivlin, Real>;
  template <class Real>
  struct OfStrain : SumOfStrain<First::OfStrain<Real>, SecondOfStrain<Real>, Real> {
    PHIFLEX_HD OfStrain(const Moduli<Real>& p, const Sym3<Real>& C)
        : SumOfStrain<First::OfStrain<Real>, SecondOfStrain<Real>, Real>({first(p), C}, {p, C}) {}
  };

  template <class Real>
  PHIFLEX_HD static PrincipalCurvature<Real> curvature(const Moduli<Real>& p, const Vec3<Real>& s) {
    const Real two(2.0);
    const Vec3<Real> squares = {s[0] * s[0], s[1] * s[1], s[2] * s[2]};
    const Vec3<Real> J_i = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
    const Real I1 = squares[0] + squares[1] + squares[2];
    const Derivatives<Real> d(p, dot(J_i, J_i), s[0] * J_i[0]);
    Vec3<Real> mixed;  // psi_2J dI2
    for (int i = 0; i < 3; ++i) mixed[i] = two * d.d2J * s[i] * (I1 - squares[i]);
    PrincipalCurvature<Real> c = First::curvature(first(p), s);
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      c.flip[k] += two * d.d2 * (squares[k] - J_i[k]) - d.dJ * s[k];  // (5)
      c.twist[k] += two * d.d2 * (squares[k] + J_i[k]) + d.dJ * s[k];
      c.scaling(k, k) += two * d.d2 * (I1 - squares[k]) + two * mixed[k] * J_i[k] + d.dJJ * J_i[k] * J_i[k];
      c.scaling(i, j) += two * two * d.d2 * J_i[k] + d.dJ * s[k] + mixed[i] * J_i[j] + mixed[j] * J_i[i] +
                         d.dJJ * J_i[i] * J_i[j];  // (6)
      c.scaling(j, i) = c.scaling(i, j);
    }
    return c;
  }
};

}  // namespace phiflex

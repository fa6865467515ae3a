// Fibre-reinforced solid of Holzapfel, Gasser and Ogden: a neo-Hookean matrix, and fibres that stiffen exponentially
// when they are stretched and do nothing when they are shortened.
//
//   psi = mu/2 (J^(-2/3) I1 - 3) + bulk/2 (J - 1)^2 + g(E),   J = det F > 0                                 (1)
//   g(E) = k1/(2 k2) (exp(k2 E^2) - 1) where E > 0, else 0                                                (2)
//   E = H:(C - 1) - 1e-10,   H = d 1 + (1 - 3 d) n n'                                                     (3)
//
// n is the fibres' direction at rest, a unit vector, and d their dispersion: 0 when all are parallel, 1/3 when they
// point everywhere alike. E is the mean of the squared stretch of the fibres, less 1; the small number keeps
// rounding at rest from counting as stretch. Without stretched fibres the
// moduli at rest are mu and `bulk`; with them the stiffness jumps by 4 k1 H H'.
//
//   P = P_matrix + 2 g' F H,   dP[dF] = dP_matrix[dF] + 2 g' dF H + 4 g'' (F H:dF) F H                       (4)
//   block(a, b) = block_matrix(a, b) + 2 g' (a.H b) 1 + 4 g'' F H a (F H b)'                                (5)
//   S = S_matrix + 2 g' H,   dS[dC] = dS_matrix[dC] + 2 g'' (H:dC) H                                        (6)
//
// g' and g'' are not negative and H is positive semidefinite, so that the fibres' part of (5) needs no projection.
// (3) takes the whole of C, as Nolan et al. advise for compressible matrices; the matrix is neo-hookean-isochoric.
// Holzapfel, Gasser, Ogden, A new constitutive framework for arterial wall mechanics (2000); Gasser, Ogden, Holzapfel,
// Hyperelastic modelling of arterial layers with distributed collagen fibre orientations (2006); Nolan, Gower,
// Destrade, Ogden, McGarry, A robust anisotropic hyperelastic formulation for the modelling of soft tissue (2014).
#pragma once

#include "phiflex/base/exponential.h"
#include "phiflex/material/neo_hookean_isochoric.h"
#include "phiflex/material/sum_law.h"

namespace phiflex {

struct Holzapfel {
  using Matrix = NeoHookeanIsochoric;
  static constexpr std::string_view name = "holzapfel";
  static constexpr std::string_view summary =
      "soft tissue with fibres (Holzapfel, Gasser, Ogden): an isochoric neo-Hookean matrix and "
      "k1/(2 k2) (exp(k2 E^2) - 1) of stretched fibres";
  static constexpr std::string_view citation = "holzapfel2000arterial";
  static constexpr bool needs_positive_J = true;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;
  static constexpr LawProperties properties{.isotropic = false, .smooth = false, .nearest_projection = false};

  template <class Value>
  struct Parameters {
    Value mu, bulk, k1, k2, dispersion;
    Vec3<Value> direction;
  };
  template <class V, class Value>
  static void fields(V& v, Parameters<Value>& p) {
    v({.key = "mu",
       .doc = "shear modulus of the matrix at rest",
       .unit = "Pa",
       .range = ranges::positive,
       .example = {4e5}},
      p.mu);
    v({.key = "bulk",
       .doc = "bulk modulus at rest",
       .unit = "Pa",
       .range = ranges::positive,
       .example = {1e6}},
      p.bulk);
    v({.key = "k1",
       .doc = "stiffness of the fibres",
       .unit = "Pa",
       .range = ranges::not_negative,
       .example = {4e5}},
      p.k1);
    v({.key = "k2", .doc = "how fast the fibres stiffen", .range = ranges::positive, .example = {0.1}}, p.k2);
    v({.key = "dispersion",
       .doc =
           "how far the fibres' directions spread: 0 when all are parallel, 1/3 when there is no direction",
       .range = {.low = 0, .high = 1.0 / 3},
       .fallback = 0.0,
       .example = {0.1}},
      p.dispersion);
    v({.key = "direction",
       .doc = "direction of the fibres at rest, of any length above 0",
       .example = {2, 1, 2},
       .kind = ParameterKind::direction},
      p.direction);
  }

  template <class Real>
  struct Moduli {
    Real mu, bulk, k1, k2;
    Sym3<Real> H;
    PHIFLEX_HD Lame<Real> matrix() const { return {mu, bulk}; }
  };
  static Moduli<double> moduli(const Parameters<double>& p) {
    const Vec3<double> n = (1 / norm(p.direction)) * p.direction;
    const double d = p.dispersion;
    return {p.mu, p.bulk, p.k1, p.k2,
            Sym3<double>::scaled_identity(d) + (1 - 3 * d) * symmetric_part(outer(n, n))};  // (3)
  }
  static Lame<double> at_rest(const Moduli<double>& p) { return Matrix::at_rest(p.matrix()); }

 private:
  static constexpr double kRounding = 1e-10;

  // (2) and its derivatives at E.
  template <class Real>
  struct Fibres {
    Real g, slope, curvature;
    PHIFLEX_HD Fibres(const Moduli<Real>& p, const Real& E) {
      const Real stretched = max(E, Real(0.0)), square = p.k2 * stretched * stretched;
      const Real stiffness = p.k1 * exp(square);
      g = Real(0.5) * p.k1 / p.k2 * expm1(square);
      slope = stretched * stiffness;
      curvature = select(E > Real(0.0), (Real(1.0) + Real(2.0) * square) * stiffness, Real(0.0));
    }
  };
  template <class Real>
  PHIFLEX_HD static Real fibre_strain(const Moduli<Real>& p, const Sym3<Real>& C) {
    return contract(p.H, C - Sym3<Real>::scaled_identity(Real(1.0))) - Real(kRounding);
  }
  template <class Real>
  class FibresAt {
   public:
    PHIFLEX_HD FibresAt(const Moduli<Real>& p, const Mat3<Real>& F)
        : H_(full(p.H)), FH_(F * H_), f_(p, fibre_strain(p, gram(F))) {}
    PHIFLEX_HD Real psi() const { return f_.g; }
    PHIFLEX_HD Mat3<Real> P() const { return Real(2.0) * f_.slope * FH_; }
    PHIFLEX_HD Mat3<Real> dP(const Mat3<Real>& dF) const {  // (4)
      return Real(2.0) * f_.slope * (dF * H_) + (Real(4.0) * f_.curvature * contract(FH_, dF)) * FH_;
    }
    PHIFLEX_HD Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const {  // (5)
      return Mat3<Real>::scaled_identity(Real(2.0) * f_.slope * dot(a, H_ * b)) +
             outer(Real(4.0) * f_.curvature * (FH_ * a), FH_ * b);
    }

   private:
    Mat3<Real> H_, FH_;
    Fibres<Real> f_;
  };

  // (6).
  template <class Real>
  class FibresOfStrain {
   public:
    PHIFLEX_HD FibresOfStrain(const Moduli<Real>& p, const Sym3<Real>& C)
        : H_(p.H), f_(p, fibre_strain(p, C)) {}
    PHIFLEX_HD Real psi() const { return f_.g; }
    PHIFLEX_HD Sym3<Real> S() const { return (Real(2.0) * f_.slope) * H_; }
    PHIFLEX_HD Sym3<Real> dS(const Sym3<Real>& dC) const {
      return (Real(2.0) * f_.curvature * contract(H_, dC)) * H_;
    }

   private:
    Sym3<Real> H_;
    Fibres<Real> f_;
  };

 public:
  template <class Real>
  struct At : SumAt<Matrix::At<Real>, FibresAt<Real>, Real> {
    PHIFLEX_HD At(const Moduli<Real>& p, const Mat3<Real>& F)
        : SumAt<Matrix::At<Real>, FibresAt<Real>, Real>({p.matrix(), F}, {p, F}) {}
  };
  template <class Real>
  struct Projected : SumHessian<Matrix::Projected<Real>, FibresAt<Real>, Real> {
    PHIFLEX_HD Projected(const Moduli<Real>& p, const Mat3<Real>& F)
        : SumHessian<Matrix::Projected<Real>, FibresAt<Real>, Real>({p.matrix(), F}, {p, F}) {}
    PHIFLEX_HD MaskOf<Real> changed() const { return this->first_.changed(); }
  };
  template <class Real>
  struct OfStrain : SumOfStrain<Matrix::OfStrain<Real>, FibresOfStrain<Real>, Real> {
    PHIFLEX_HD OfStrain(const Moduli<Real>& p, const Sym3<Real>& C)
        : SumOfStrain<Matrix::OfStrain<Real>, FibresOfStrain<Real>, Real>({p.matrix(), C}, {p, C}) {}
  };
};

}  // namespace phiflex

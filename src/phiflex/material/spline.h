// An isotropic solid designed by three curves of the principal stretches s_0, s_1, s_2:
//
//   psi = sum_i f(s_i) + sum_i g(s_j s_k) + h(s_0 s_1 s_2),   (i, j, k) the permutations of (0, 1, 2)     (1)
//
// f', g' and h' are cubic splines (material/cubic_spline.h) in units of Young's modulus. A curve that is not
// given is a straight line, which matches Young's modulus and Poisson's ratio at rest:
//
//   f' = 2 mu (s - 1),   g' = 0,   h' = lambda (J - 1)                                                    (2)
//
// so that without any curves this is the fixed corotated solid mu |F - R|^2 + lambda/2 (J - 1)^2. In general
//
//   psi_i = f'(s_i) + s_j g'(s_i s_j) + s_k g'(s_k s_i) + s_j s_k h'                                      (3)
//   psi_ii = f''(s_i) + s_j^2 g''(s_i s_j) + s_k^2 g''(s_k s_i) + (s_j s_k)^2 h''                         (4)
//   psi_ij = g'(s_i s_j) + s_i s_j g''(s_i s_j) + s_k h' + s_k^2 s_i s_j h''                              (5)
//   flip_k = f'[s_i, s_j] + s_k^2 g'[s_k s_i, s_k s_j] - g'(s_i s_j) - s_k h'                             (6)
//   twist_k = (f'(s_i) + f'(s_j) + s_k (g'(s_k s_i) + g'(s_k s_j)))/(s_i + s_j) + g'(s_i s_j) + s_k h'    (7)
//
// with divided differences y[a, b] = (y(b) - y(a))/(b - a). Rest is free of stress, and there mu and lambda
//
//   f'(1) + 2 g'(1) + h'(1) = 0,   2 mu = f'' + g'' - g' - h',   lambda = g' + g'' + h' + h''   at 1      (8)
//
// Curves go on beyond their knots as straight lines: inverted elements are inside the domain, and pulled back
// where f' rises. As in the corotated law the second derivative does not exist where s_i + s_j = 0; (7)
// divides by kLeastSum there.
// Xu, Sin, Zhu, Barbic, Nonlinear material design using principal stretches (2015).
#pragma once

#include <optional>

#include "phiflex/material/principal.h"
#include "phiflex/material/spline_curves.h"

namespace phiflex {

struct Spline : YoungPoissonLaw {
  static constexpr std::string_view name = "spline";
  static constexpr std::string_view summary =
      "designed by curves f, g, h of the principal stretches, fitted to tables by `phiflex fit-material`; "
      "without curves mu |F - R|^2 + lambda/2 (J - 1)^2";
  static constexpr std::string_view citation = "xu2015spline";
  static constexpr bool needs_positive_J = false;
  static constexpr FunctionOfC function_of_C = FunctionOfC::where_J_is_positive;

  static constexpr LawProperties properties{.singular_vectors = true, .volume_part = false};

  template <class Value>
  struct Parameters : YoungPoissonLaw::Parameters<Value> {
    CurveParameter f, g, h;
  };
  template <class V, class Value>
  static void fields(V& v, Parameters<Value>& p) {
    YoungPoissonLaw::fields(v, p);
    v({.key = "f",
       .doc = "the curve f' of psi = sum f(s_i) + sum g(s_i s_j) + h(s_1 s_2 s_3), over a principal "
              "stretch; absent: the line 2 mu (s - 1) of `young` and `poisson`",
       .kind = ParameterKind::curve},
      p.f);
    v({.key = "g",
       .doc = "the curve g', over a product of two stretches; absent: 0",
       .kind = ParameterKind::curve},
      p.g);
    v({.key = "h",
       .doc = "the curve h', over the relative volume J; absent: the line lambda (J - 1)",
       .kind = ParameterKind::curve},
      p.h);
  }

  // curves: null for (2). They must outlive what is computed with them.
  template <class Real>
  struct WithCurves : Lame<Real> {
    const SplineCurves* curves;
    WithCurves(const Lame<Real>& lame, const SplineCurves* given = nullptr)
        : Lame<Real>(lame), curves(given) {}
  };

 private:
  static constexpr double kLeastSum = 1e-8;

  // A curve in Pa: the given one, or the line slope (x - 1) of (2).
  template <class Real>
  struct Curve {
    const CubicSpline* spline;
    Real young, slope;

    CubicSpline::Point<Real> at(const Real& x) const {
      if (!spline) {
        const Real t = x - Real(1.0);
        return {Real(0.5) * slope * t * t, slope * t, slope};
      }
      const CubicSpline::Point<Real> y = spline->at(x);
      return {young * y.integral, young * y.value, young * y.slope};
    }
    Real mean_slope(const Real& a, const Real& b) const {
      return spline ? young * spline->mean_slope(a, b) : slope;
    }
  };

  template <class Real>
  struct Curves {
    Curve<Real> f, g, h;
    explicit Curves(const WithCurves<Real>& p) {
      const Real young = p.mu * (Real(3.0) * p.lambda + Real(2.0) * p.mu) / (p.lambda + p.mu);
      const auto given = [](const std::optional<CubicSpline>& curve) { return curve ? &*curve : nullptr; };
      f = {p.curves ? given(p.curves->f) : nullptr, young, Real(2.0) * p.mu};
      g = {p.curves ? given(p.curves->g) : nullptr, young, Real(0.0)};
      h = {p.curves ? given(p.curves->h) : nullptr, young, p.lambda};
    }
  };

 public:
  static Lame<double> at_rest(const WithCurves<double>& p) {  // (8)
    const Curves<double> curves(p);
    const auto f = curves.f.at(1.0), g = curves.g.at(1.0), h = curves.h.at(1.0);
    return {(f.slope + g.slope - g.value - h.value) / 2, g.value + g.slope + h.value + h.slope};
  }

  template <class Real>
  class At {
   public:
    At(const WithCurves<Real>& p, const Mat3<Real>& F) : At(p, decomposed(F)) {}
    Real psi() const {
      Real sum = curves_.h.at(s_[0] * s_[1] * s_[2]).integral;
      for (int i = 0; i < 3; ++i)
        sum += curves_.f.at(s_[i]).integral + curves_.g.at(s_[i] * s_[(i + 1) % 3]).integral;
      return sum;
    }
    Mat3<Real> P() const {  // (3)
      const Real pressure = curves_.h.at(s_[0] * s_[1] * s_[2]).value;
      Real of_pair[3];  // g' of the pair opposite to k
      for (int k = 0; k < 3; ++k) of_pair[k] = curves_.g.at(s_[(k + 1) % 3] * s_[(k + 2) % 3]).value;
      Vec3<Real> psi_i;
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        psi_i[i] =
            curves_.f.at(s_[i]).value + s_[j] * of_pair[k] + s_[k] * of_pair[j] + s_[j] * s_[k] * pressure;
      }
      return U_ * diagonal(psi_i) * transpose(V_);
    }
    Mat3<Real> dP(const Mat3<Real>& dF) const { return hessian_.dP(dF); }
    Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const { return hessian_.block(a, b); }

   private:
    // A function of its own, as those of the curves: inlined, they take the compiler twice as long, and are no faster.
    [[gnu::noinline]] static Svd3<Real> decomposed(const Mat3<Real>& F) { return svd3(F); }
    At(const WithCurves<Real>& p, const Svd3<Real>& svd)
        : curves_(p), U_(svd.U), V_(svd.V), s_(svd.s), hessian_(svd.U, svd.V, curvature(p, svd.s)) {}
    Curves<Real> curves_;
    Mat3<Real> U_, V_;
    Vec3<Real> s_;
    PrincipalHessian<Real> hessian_;
  };

  template <class Real>
  using Projected = ProjectedHessian<Spline, Real>;

  template <class Real>
  static PrincipalCurvature<Real> curvature(const WithCurves<Real>& p, const Vec3<Real>& s) {
    const Curves<Real> curves(p);
    using Point = CubicSpline::Point<Real>;
    const Point h = curves.h.at(s[0] * s[1] * s[2]);
    Point f[3], g[3];  // g of the pair opposite to k
    for (int k = 0; k < 3; ++k) {
      f[k] = curves.f.at(s[k]);
      g[k] = curves.g.at(s[(k + 1) % 3] * s[(k + 2) % 3]);
    }
    PrincipalCurvature<Real> c;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const Real area = s[i] * s[j];
      c.scaling(k, k) =
          f[k].slope + s[i] * s[i] * g[j].slope + s[j] * s[j] * g[i].slope + area * area * h.slope;  // (4)
      c.scaling(i, j) = c.scaling(j, i) =
          g[k].value + area * g[k].slope + s[k] * (h.value + s[k] * area * h.slope);  // (5)
      const Real across = g[k].value + s[k] * h.value;
      const Real along = curves.g.mean_slope(s[k] * s[i], s[k] * s[j]);
      c.flip[k] = curves.f.mean_slope(s[i], s[j]) + s[k] * s[k] * along - across;  // (6)
      const Real sum = max(s[i] + s[j], Real(kLeastSum));
      c.twist[k] = (f[i].value + f[j].value + s[k] * (g[j].value + g[i].value)) / sum + across;  // (7)
    }
    return c;
  }
};

}  // namespace phiflex

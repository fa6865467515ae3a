// A law of the tests: a spline material with all three curves given, none of them a line, at work under stress
// that cancels at rest. Stretches of samples.h and their products lie on both sides of its knots.
#pragma once

#include "phiflex/material/spline.h"

namespace phiflex::test {

struct DesignedSpline : YoungPoissonLaw {
  static constexpr std::string_view name = "designed-spline";
  static constexpr std::string_view summary = "a spline of the tests";
  static constexpr std::string_view citation = Spline::citation;
  static constexpr bool needs_positive_J = Spline::needs_positive_J;
  static constexpr FunctionOfC function_of_C = Spline::function_of_C;
  static constexpr LawProperties properties{.singular_vectors = true,
                                            .at_rest = LawProperties::Moduli::other};

  static const SplineCurves& curves() {
    const auto curve = [](std::vector<double> knots, std::vector<double> values) {
      return CubicSpline(knots, values);
    };
    static const SplineCurves given{curve({0.4, 0.65, 1, 1.25, 1.5}, {-1.05, -0.7, -0.2, 0.1, 0.5}),
                                    curve({0.3, 0.7, 1, 1.4}, {-0.06, 0.01, 0.05, 0.15}),
                                    curve({0.2, 0.6, 1, 1.3, 1.7}, {-0.7, -0.25, 0.1, 0.35, 0.8})};
    return given;
  }

  static Lame<double> at_rest(const Lame<double>& p) { return Spline::at_rest({p, &curves()}); }

  template <class Real>
  struct At : Spline::At<Real> {
    At(const Lame<Real>& p, const Mat3<Real>& F) : Spline::At<Real>({p, &curves()}, F) {}
  };
  template <class Real>
  struct Projected : Spline::Projected<Real> {
    Projected(const Lame<Real>& p, const Mat3<Real>& F) : Spline::Projected<Real>({p, &curves()}, F) {}
  };
};

}  // namespace phiflex::test

// Force laws of springs: energy W(e), tension T = W'(e) and stiffness T'(e) of the extension e = l - l0, and what
// energy-momentum steps need of two extensions e, e+: the mean tension and twice its derivative in e+,
//
//   T(e, e+) = (W(e+) - W(e))/(e+ - e),     2 dT/de+,     both without a difference of close numbers.      (1)
//
// A law is a struct here and a line of spring_laws. k is T'(0) for every law.
//
//   linear      T = k e                                                                                   (2)
//   cubic       T = k (e + e^3/l0^2) = k l0 (strain + strain^3)                                           (3)
//               textiles yield at first and stiffen as they are stretched; Michels, Luan and Tokman
//               (A Stiffly Accurate Integrator for Elastodynamic Problems, 2017) take cubic springs for their
//               flags and leave the coefficients open. The linear part keeps the rest shape stiff.
//   corotated   f = R K (R^-1 X - X0) of the same paper. For two nodes K = k [1 -1; -1 1] and R turns the rest
//               direction n0 into the present one n: R^-1 s - s0 = (l - l0) n0, f_a = -k (l - l0) n. That is (2):
//               the springs of this engine are linear in the stretch and know large rotations anyway.
#pragma once

#include <string_view>
#include <tuple>

namespace phiflex {

struct LinearSpringLaw {
  static constexpr bool kNeedsRestLength = false;
  static double energy(double k, double, double e) { return 0.5 * k * e * e; }
  static double tension(double k, double, double e) { return k * e; }
  static double stiffness(double k, double, double) { return k; }
  static double mean_tension(double k, double, double e, double e_plus) { return k * (0.5 * (e + e_plus)); }
  static double mean_stiffness(double k, double, double, double) { return k; }
};

// W = k/2 e^2 + k/4 e^4/l0^2. With m = (e + e+)/2 and q = (e^2 + e+^2)/2: T(e, e+) = k m (1 + q/l0^2).
struct CubicSpringLaw {
  static constexpr bool kNeedsRestLength = true;
  static double energy(double k, double l0, double e) { return 0.5 * k * e * e * (1 + 0.5 * square(e / l0)); }
  static double tension(double k, double l0, double e) { return k * e * (1 + square(e / l0)); }
  static double stiffness(double k, double l0, double e) { return k * (1 + 3 * square(e / l0)); }
  static double mean_tension(double k, double l0, double e, double e_plus) {
    return k * (0.5 * (e + e_plus)) * (1 + 0.5 * (square(e / l0) + square(e_plus / l0)));
  }
  static double mean_stiffness(double k, double l0, double e, double e_plus) {
    return k * (1 + 0.5 * (square(e / l0) + square(e_plus / l0)) + (e + e_plus) * e_plus / (l0 * l0));
  }

 private:
  static double square(double x) { return x * x; }
};

// The laws by the words of scenes. description: of the tension of a spring of strain e.
template <class OfLaw>
struct NamedSpringLaw {
  using Law = OfLaw;
  std::string_view name, description;
};
inline constexpr std::tuple spring_laws{
    NamedSpringLaw<LinearSpringLaw>{"linear", "proportional to e"},
    NamedSpringLaw<CubicSpringLaw>{
        "cubic", "proportional to e + e^3 (textiles: soft at first, stiffer as they are stretched)"},
    NamedSpringLaw<LinearSpringLaw>{"corotated",
                                    "R K (R^-1 X - X0), which for springs between two points is `linear`"}};

}  // namespace phiflex

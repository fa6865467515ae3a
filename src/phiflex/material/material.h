// What a material law is: pure functions of the deformation gradient F, written once for all number types.
//
//   psi(F)         energy per rest volume, Pa                                                             (1)
//   P = dpsi/dF    first Piola-Kirchhoff stress                                                           (2)
//   dP[dF]         derivative of P in direction dF, that is d2psi/dF2 applied to dF                       (3)
//   block(a, b)    3x3 matrix B with x'B y = (x a') : dP[y b'], i.e. B(:,k) = dP[e_k b'] a                (4)
//
// With the gradients g_a of a linear tetrahedron's shape functions and its rest volume V, the force on vertex
// a is -V P g_a and its stiffness block is K_ab = V block(g_a, g_b). block is worth its name: it costs a
// small part of the three dP it stands for.
//
// A law is a struct L of types and constants (no storage):
//
//   static constexpr std::string_view name, summary, citation;   // citation: keys of docs/references.bib
//   static constexpr bool needs_positive_J;                      // psi = +infinity where J = det F <= 0
//   static constexpr FunctionOfC function_of_C;                  // where psi depends on C = F'F alone
//   static constexpr LawProperties properties;                   // what contracts may ask of it; may be left out
//   template <class Value> struct Parameters;      // what a user gives: numbers and directions (Vec3<Value>)
//   template <class V, class Value> static void fields(V& v, Parameters<Value>& p);  // v(ParameterInfo, p.member)
//   template <class Real> struct Moduli;           // what At and Projected take as p: members of type Real only
//   static Moduli<double> moduli(const Parameters<double>& p);
//   static Lame<double> at_rest(const Moduli<double>& p);  // of the linear elasticity it is near rest
//   template <class Real> struct At {              // what depends on F only is computed once
//     At(const Moduli<Real>& p, const Mat3<Real>& F);
//     Real psi() const;                                    // +infinity outside the domain
//     Mat3<Real> P() const;                                // not finite outside the domain
//     Mat3<Real> dP(const Mat3<Real>& dF) const;           // exact
//     Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const; };
//   template <class Real> struct Projected {       // the same second derivative without its negative part
//     Projected(const Moduli<Real>& p, const Mat3<Real>& F);
//     Mat3<Real> dP(const Mat3<Real>& dF) const;
//     Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const;
//     MaskOf<Real> changed() const; };                     // per lane: a negative eigenvalue was removed
//
// psi is proportional to the parameters in Pa taken together. fields() describes each parameter once; scene keys,
// schema, documentation, checks, fields of mesh files and the model builder follow from it (material/catalogue.h).
// YoungPoissonLaw has the parameters of most laws. A law with curves states a type WithCurves<Real>, made of a
// Moduli<Real> and the curves; At, Projected and at_rest then take that.
//
// Real is double, Pack<W> or a dual number. The laws, by name: material/catalogue.h.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>

#include "phiflex/base/mat3.h"
#include "phiflex/base/range.h"

namespace phiflex {

template <class Real>
struct Lame {
  Real mu;      // shear modulus, Pa
  Real lambda;  // first Lame parameter, Pa
};

// A direction is a vector of any length above 0; a mesh file may give it as a field of vectors. A curve is shared by
// all elements of a material (spline_curves.h).
enum class ParameterKind { number, direction, curve };

// One parameter of a law. Parameters of the same key mean the same in every law: all but `doc` and `example` are
// equal.
struct ParameterInfo {
  const char* key;
  const char* doc;
  const char* unit = "";
  Range range = {};
  std::optional<double> fallback = {};  // absent: the parameter must be given, or (a curve) may be left out
  std::array<double, 3> example = {};   // of soft rubber, for contracts and documents; a number is the first
  ParameterKind kind = ParameterKind::number;
  int count() const {  // of numbers
    return kind == ParameterKind::number ? 1 : kind == ParameterKind::direction ? 3 : 0;
  }
};

// Stands for a curve in Parameters; the curves themselves are in SplineCurves (spline_curves.h).
struct CurveParameter {};
struct SplineCurves;

namespace material_detail {

template <class Law, class Real>
struct ModuliOf {
  using Type = typename Law::template Moduli<Real>;
};
template <class Law, class Real>
requires requires {
  typename Law::template WithCurves<Real>;
}
struct ModuliOf<Law, Real> {
  using Type = typename Law::template WithCurves<Real>;
};

}  // namespace material_detail

// What a law's At and Projected take.
template <class Law, class Real>
using LawModuli = typename material_detail::ModuliOf<Law, Real>::Type;

// The moduli and, where the law has curves, those: null for the law's own lines. They must outlive what is computed
// with them.
template <class Law, class Real>
LawModuli<Law, Real> with_curves(const typename Law::template Moduli<Real>& moduli,
                                 const SplineCurves* curves) {
  if constexpr (std::is_same_v<LawModuli<Law, Real>, typename Law::template Moduli<Real>>)
    return (void)curves, moduli;
  else
    return {moduli, curves};
}

// Moduli are stored by the element, and computed with by the lane: as so many numbers of either type.
template <class Law>
inline constexpr std::size_t modulus_count = sizeof(typename Law::template Moduli<double>) / sizeof(double);
template <class Law, class Real>
using ModulusArray = std::array<Real, modulus_count<Law>>;
template <class Law, class Real>
ModulusArray<Law, Real> modulus_array(const typename Law::template Moduli<Real>& moduli) {
  return std::bit_cast<ModulusArray<Law, Real>>(moduli);
}
template <class Law, class Real>
PHIFLEX_HD typename Law::template Moduli<Real> moduli_of(const ModulusArray<Law, Real>& numbers) {
  return std::bit_cast<typename Law::template Moduli<Real>>(numbers);
}
// The same moduli in every lane, or without slopes.
template <class Law, class Real>
typename Law::template Moduli<Real> moduli_as(const typename Law::template Moduli<double>& moduli) {
  const ModulusArray<Law, double> numbers = modulus_array<Law, double>(moduli);
  ModulusArray<Law, Real> same;
  for (std::size_t k = 0; k < numbers.size(); ++k) same[k] = Real(numbers[k]);
  return moduli_of<Law, Real>(same);
}

// mu and lambda of linear elasticity from Young's modulus (Pa) and Poisson's ratio (-1 < poisson < 1/2).
inline Lame<double> lame_from_young(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

// Where psi(F) is a function of C = F'F alone, that is, where psi(F+) = psi(F) for all F+'F+ = F'F.
enum class FunctionOfC {
  nowhere,              // a turned body is strained
  where_J_is_positive,  // a turned one is not, a mirrored one is
  everywhere,
};

// What holds of most laws; one for which something does not says so.
struct LawProperties {
  bool isotropic = true;  // no preferred direction
  bool singular_vectors =
      false;               // its stress needs those of F: dual numbers do not pass where stretches are equal
  bool quadratic = false;  // psi is quadratic in the strain
  bool smooth = true;      // the second derivative is continuous (inside the domain)
  // `poisson` or `bulk` alone sets the stiffness of the volume, so that an element may take its part beyond Poisson's
  // ratio 0.4 by the mean over the element (energy/dilatation_term.h). Asked only of a law that has one of the two.
  bool volume_part = true;
  // Projected is the nearest positive semidefinite matrix; false: one that is larger than the exact one.
  bool nearest_projection = true;
  // What `young` and `poisson` are at rest.
  enum class Moduli { as_given, poisson_is_zero, lambda_is_bulk, other } at_rest = Moduli::as_given;
  // Of the catalogue: another law of which scenes choose this one as a form (`volumetric`); empty: a type of its own.
  std::string_view form_of = {};
};
template <class Law>
inline constexpr LawProperties law_properties{};
template <class Law>
requires requires {
  Law::properties;
}
inline constexpr LawProperties law_properties<Law> = Law::properties;

// Laws whose parameters are the moduli of linear elasticity at rest.
struct YoungPoissonLaw {
  template <class Value>
  struct Parameters {
    Value young;    // Young's modulus, Pa
    Value poisson;  // Poisson's ratio
  };
  template <class V, class Value>
  static void fields(V& v, Parameters<Value>& p) {
    v({.key = "young",
       .doc = "Young's modulus at rest",
       .unit = "Pa",
       .range = ranges::positive,
       .example = {1e6}},
      p.young);
    v({.key = "poisson",
       .doc = "Poisson's ratio at rest; `arap` has none",
       .range = ranges::poisson_range,
       .fallback = 0.3,
       .example = {0.3}},
      p.poisson);
  }
  template <class Real>
  using Moduli = Lame<Real>;
  static Lame<double> moduli(const Parameters<double>& p) { return lame_from_young(p.young, p.poisson); }
};

template <class L>
concept ElasticLaw = requires(const LawModuli<L, double>& p,
                              const typename L::template Parameters<double>& given, const Mat3<double>& F,
                              const Vec3<double>& a) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::summary } -> std::convertible_to<std::string_view>;
  { L::citation } -> std::convertible_to<std::string_view>;
  { L::needs_positive_J } -> std::convertible_to<bool>;
  { L::function_of_C } -> std::convertible_to<FunctionOfC>;
  { L::moduli(given) } -> std::same_as<typename L::template Moduli<double>>;
  { L::at_rest(p) } -> std::same_as<Lame<double>>;
  { typename L::template At<double>(p, F).psi() } -> std::same_as<double>;
  { typename L::template At<double>(p, F).P() } -> std::same_as<Mat3<double>>;
  { typename L::template At<double>(p, F).dP(F) } -> std::same_as<Mat3<double>>;
  { typename L::template At<double>(p, F).block(a, a) } -> std::same_as<Mat3<double>>;
  { typename L::template Projected<double>(p, F).dP(F) } -> std::same_as<Mat3<double>>;
  { typename L::template Projected<double>(p, F).block(a, a) } -> std::same_as<Mat3<double>>;
  { typename L::template Projected<double>(p, F).changed() } -> std::same_as<MaskOf<double>>;
};

}  // namespace phiflex

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
//   static Lame<double> parameters(double young, double poisson);  // what At and Projected take as p
//   static Lame<double> at_rest(Lame<double> p);   // mu, lambda of the linear elasticity it is near rest
//   template <class Real> struct At {              // what depends on F only is computed once
//     At(const Lame<Real>& p, const Mat3<Real>& F);
//     Real psi() const;                                    // +infinity outside the domain
//     Mat3<Real> P() const;                                // not finite outside the domain
//     Mat3<Real> dP(const Mat3<Real>& dF) const;           // exact
//     Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const; };
//   template <class Real> struct Projected {       // the same second derivative without its negative part
//     Projected(const Lame<Real>& p, const Mat3<Real>& F);
//     Mat3<Real> dP(const Mat3<Real>& dF) const;
//     Mat3<Real> block(const Vec3<Real>& a, const Vec3<Real>& b) const;
//     MaskOf<Real> changed() const; };                     // per lane: a negative eigenvalue was removed
//
// A law that needs more than two numbers states a type Parameters<Real>, made of a Lame<Real> and the rest;
// At, Projected and at_rest then take that.
//
// Real is double, Pack<W> or a dual number. The laws, by name: material/catalogue.h.
#pragma once

#include <concepts>
#include <string_view>

#include "phiflex/base/mat3.h"

namespace phiflex {

template <class Real>
struct Lame {
  Real mu;      // shear modulus, Pa
  Real lambda;  // first Lame parameter, Pa
};

namespace material_detail {

template <class Law, class Real>
struct ParametersOf {
  using Type = Lame<Real>;
};
template <class Law, class Real>
requires requires {
  typename Law::template Parameters<Real>;
}
struct ParametersOf<Law, Real> {
  using Type = typename Law::template Parameters<Real>;
};

}  // namespace material_detail

// What a law's At and Projected take.
template <class Law, class Real>
using LawParameters = typename material_detail::ParametersOf<Law, Real>::Type;

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

template <class L>
concept ElasticLaw = requires(const Lame<double>& p, const Mat3<double>& F, const Vec3<double>& a) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::summary } -> std::convertible_to<std::string_view>;
  { L::citation } -> std::convertible_to<std::string_view>;
  { L::needs_positive_J } -> std::convertible_to<bool>;
  { L::function_of_C } -> std::convertible_to<FunctionOfC>;
  { L::parameters(1.0, 0.3) } -> std::same_as<Lame<double>>;
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

// The entries of the catalogue, each defined in the method's own file.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/contact_guard.h"

namespace phiflex {

MethodEntry symplectic_euler_method();
MethodEntry rk4_method();
MethodEntry central_difference_method();
MethodEntry si_method();
MethodEntry be_method();
MethodEntry midpoint_method();
MethodEntry bdf2_method();
MethodEntry tr_bdf2_method();
MethodEntry newmark_method();
MethodEntry generalized_alpha_method();
MethodEntry zheng_method();
MethodEntry chen_ricles_method();
MethodEntry gui_method();
MethodEntry chang_method();
MethodEntry mssi_method();
MethodEntry ere_method();
MethodEntry exprb32_method();
MethodEntry exprb42_method();
MethodEntry pexprb43_method();
MethodEntry epirk4s3_method();
MethodEntry gautschi_method();
MethodEntry siere_method();
MethodEntry em_method();
MethodEntry emx_method();
MethodEntry verlet_method();

template <class Method>
std::unique_ptr<Integrator> make_method(const MechanicalSystem& system, const IntegratorOptions& options) {
  return guard_contacts(std::make_unique<Method>(system, options), system);
}

// The scene's keys read by every method that solves with NewtonSolver.
inline constexpr std::array<std::string_view, 7> newton_option_names = {
    "solver",     "newton_tolerance", "newton_limit", "project_hessian", "hessian_correction",
    "halve_step", "refactor"};

// And by the energy-momentum steps.
inline constexpr std::array<std::string_view, 9> em_option_names = {
    "solver",     "em_tolerance",    "energy_tolerance", "dissipation", "substeps",
    "halve_step", "project_hessian", "newton_tolerance", "newton_limit"};

// Such names and a method's own.
template <std::size_t count, class... Names>
constexpr auto option_names_and(const std::array<std::string_view, count>& shared, Names... own) {
  std::array<std::string_view, count + sizeof...(own)> names{};
  const std::string_view added[] = {own...};
  std::copy(std::begin(added), std::end(added), std::copy(shared.begin(), shared.end(), names.begin()));
  return names;
}
template <class... Names>
constexpr auto newton_option_names_and(Names... own) {
  return option_names_and(newton_option_names, own...);
}

}  // namespace phiflex

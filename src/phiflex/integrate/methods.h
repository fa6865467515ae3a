// The entries of the catalogue, each defined in the method's own file.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>

#include "phiflex/integrate/catalogue.h"

namespace phiflex {

MethodEntry symplectic_euler_method();
MethodEntry rk4_method();
MethodEntry central_difference_method();
MethodEntry si_method();
MethodEntry be_method();
MethodEntry midpoint_method();
MethodEntry bdf2_method();
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

template <class Method>
std::unique_ptr<Integrator> make_method(const MechanicalSystem& system, const IntegratorOptions& options) {
  return std::make_unique<Method>(system, options);
}

// The scene's keys read by every method that solves with NewtonSolver.
inline constexpr std::array<std::string_view, 6> newton_option_names = {
    "newton_tolerance", "newton_limit", "project_hessian", "hessian_correction", "halve_step", "refactor"};

// These and a method's own.
template <class... Names>
constexpr auto newton_option_names_and(Names... own) {
  std::array<std::string_view, newton_option_names.size() + sizeof...(own)> names{};
  const std::string_view added[] = {own...};
  std::copy(std::begin(added), std::end(added),
            std::copy(newton_option_names.begin(), newton_option_names.end(), names.begin()));
  return names;
}

}  // namespace phiflex

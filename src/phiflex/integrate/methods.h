// The entries of the catalogue, each defined in the method's own file.
#pragma once

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

template <class Method>
std::unique_ptr<Integrator> make_method(const MechanicalSystem& system, const IntegratorOptions& options) {
  return std::make_unique<Method>(system, options);
}

// The scene's keys read by every method that solves with NewtonSolver.
inline constexpr std::string_view newton_option_names[] = {"newton_tolerance", "newton_limit",
                                                           "project_hessian", "halve_step", "refactor"};

}  // namespace phiflex

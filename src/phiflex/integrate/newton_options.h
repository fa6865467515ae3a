// Settings of methods that solve by Newton's method (newton.h).
#pragma once

#include "phiflex/integrate/shared_options.h"

namespace phiflex {

// What Newton's method does where its matrix is not positive definite: take the projected stiffness (when
// project_hessian allows it), or add a growing multiple of the mass (newton.h).
enum class HessianCorrection { projection, diagonal };
template <>
struct Words<HessianCorrection> {
  static constexpr std::pair<HessianCorrection, const char*> all[] = {
      {HessianCorrection::projection, "projection"}, {HessianCorrection::diagonal, "diagonal"}};
};

namespace option {

inline constexpr OptionInfo newton_tolerance{
    .key = "newton_tolerance",
    .doc = "Newton's method stops when its update is this small, relative to the step",
    .range = tolerance_range};
inline constexpr OptionInfo newton_limit{
    .key = "newton_limit", .doc = "largest number of Newton iterations in a step", .range = at_least_one};
inline constexpr OptionInfo halve_step{
    .key = "halve_step", .doc = "fall back to smaller steps when Newton's method does not converge"};

}  // namespace option

struct NewtonOptions {
  TangentOptions tangent;
  double newton_tolerance = 1e-8;  // relative to the velocities: (4) of newton.h
  int newton_limit = 50;           // iterations per step
  HessianCorrection hessian_correction = HessianCorrection::projection;
  bool halve_step = true;  // halve the step, as the last resort, when Newton does not converge
};

template <class V>
void fields(V& v, NewtonOptions& o) {
  v(option::solver, o.tangent.solver);
  v(option::newton_tolerance, o.newton_tolerance);
  v(option::newton_limit, o.newton_limit);
  v(option::project_hessian, o.tangent.project_hessian);
  v({.key = "hessian_correction",
     .doc =
         "what Newton's method does where its matrix is not positive definite: take the projected stiffness "
         "(unless `project_hessian` is false), or raise the diagonal until it can be factorized"},
    o.hessian_correction);
  v(option::halve_step, o.halve_step);
  v(option::refactor, o.tangent.refactor);
  v(option::factorization, o.tangent.factorization);
}

}  // namespace phiflex

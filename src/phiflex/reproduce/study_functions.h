// Functions of expressions that carry out a small study of their own (square_root_study.h, particle_row_study.h,
// spectrum_study.h, static_step_study.h, step_cost_study.h):
//
//   square_root_residual(method, n, condition)        'newton', 'denman-beavers', 'schur', 'eigen': |X^2 - L|/|L| at the end
//   square_root_best(method, n, condition)            the same of the best iterate
//   square_root_seconds(method, n, condition)
//   wave_eigenvalue(elements [, b])                   lowest eigenvalue of the wave equation, mass tridiag(b, 4, b)
//   row_iterations('newton' or 'bfgs', stiffness)     on the backward Euler steps of five particles, 20 steps of 0.1 s
//   dg_lambda(flux, from, to, n)                     lowest eigenvalue of two triangles over the penalty (study/penalty_study.h)
//   laplacian_modes_seconds(nx, ny, s)                cost of the s lowest modes
//   siere_jacobian(resolution, modes)                 [rank of J_H - J, fill of I - h J, fill of I - h J_H, size]
//   newmark_seconds(scene, overrides, iterations)     a Newmark step that factorizes in each of its Newton iterations
//   step_seconds(scene, overrides, method)            a step of a method of the catalogue; both in processor seconds
//   static_residual(scene, overrides)                 of the state at the scene's end
//   static_inverted(scene, overrides)                 tetrahedra turned inside out there
//   one_step(scene, overrides, step_overrides, method, tau, 'count')   work of one step from there
#pragma once

#include <filesystem>

#include "phiflex/reproduce/expression.h"

namespace phiflex {

// `folder`: of the experiment, where its scenes are.
Functions study_functions(const std::filesystem::path& folder);

}  // namespace phiflex

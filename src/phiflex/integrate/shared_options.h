// Settings that several methods share (options.h).
#pragma once

#include "phiflex/integrate/options.h"
#include "phiflex/linalg/implicit_matrix.h"

namespace phiflex {

template <>
struct Words<LinearSolver> {
  static constexpr std::pair<LinearSolver, const char*> all[] = {
      {LinearSolver::automatic, "auto"},
      {LinearSolver::factorization, "factorization"},
      {LinearSolver::multigrid, "multigrid"}};
};
// Of the matrix of an implicit step: Cholesky needs a positive definite one, indefinite takes it as it is.
enum class Factorization { cholesky, indefinite };
template <>
struct Words<Factorization> {
  static constexpr std::pair<Factorization, const char*> all[] = {{Factorization::cholesky, "cholesky"},
                                                                  {Factorization::indefinite, "indefinite"}};
};
template <>
struct Words<RefactorPolicy> {
  static constexpr std::pair<RefactorPolicy, const char*> all[] = {{RefactorPolicy::automatic, "auto"},
                                                                   {RefactorPolicy::always, "always"}};
};

namespace option {

inline constexpr OptionInfo solver{
    .key = "solver",
    .doc =
        "of linear systems of implicit steps, of modes, and of the rational evaluator: a factorization, or "
        "a multigrid for bodies that are too large for one; "
        "`auto` decides by counted work and memory, and says so"};
inline constexpr OptionInfo refactor{
    .key = "refactor",
    .doc = "`auto` keeps a factorization while that saves work, `always` makes a new one every time"};
inline constexpr OptionInfo factorization{.key = "factorization",
                                          .doc =
                                              "of the step's matrix: `cholesky` needs a positive definite "
                                              "one; `indefinite` (LU) takes the exact stiffness at every "
                                              "step, whatever its signs, and never projects it: the method "
                                              "as it is on paper, with its divergence. Not for "
                                              "multigrid, nor for contacts by a barrier"};
inline constexpr OptionInfo linear_tolerance{
    .key = "linear_tolerance",
    .doc = "relative residual at which a solve preconditioned by a kept factorization stops",
    .range = tolerance_range};
inline constexpr OptionInfo project_hessian{
    .key = "project_hessian",
    .doc =
        "fall back to the projected (positive semidefinite) stiffness when the step's matrix is not "
        "positive definite; `ere`: when the stiffness is indefinite and what grows outgrows the step"};
inline constexpr OptionInfo modes{
    .key = "modes",
    .doc = "`siere`, `emx`: how many of the lowest modes move exactly; 0 is `si` and `em`",
    .range = {.low = 0, .high = 1000}};
inline constexpr int default_modes = 5;
inline constexpr OptionInfo substeps{.key = "substeps",
                                     .doc =
                                         "`em`, `emx`, `verlet`: equal substeps in a step; 0 takes as many "
                                         "as the motion, or stability, asks for",
                                     .range = {.low = 0, .high = 1000000}};

}  // namespace option

// Of solves with a M + b D + c K (tangent_solver.h).
struct TangentOptions {
  LinearSolver solver = LinearSolver::automatic;  // of systems that have positions
  RefactorPolicy refactor = RefactorPolicy::automatic;
  bool project_hessian = true;  // fall back to the projected stiffness when the exact one is indefinite
  Factorization factorization = Factorization::cholesky;
};

}  // namespace phiflex

// The s smallest eigenpairs of a pencil,
//
//   K u_i = lambda_i M u_i,   U'M U = I,   lambda ascending,                                              (1)
//
// from nothing, of a pencil of one rank: by Davidson's method on an inverse of M + s K of its own, a factorization or,
// for a body that is too large for one, a multigrid (kept_inverse.h), whose cycle takes the place of the inverse. Where
// a multigrid does not find them, a factorization does if memory allows it. Rigid modes of free bodies (lambda = 0) are
// modes like any other, and clusters and multiple eigenvalues are found complete. The residual of a pair:
//
//   r_i = |K u_i - lambda_i M u_i|_2 / |K u_i|_2                                                          (2)
//
// where |K u_i| is replaced by lambda_max |M u_i| when |lambda_i| <= 1e-6 lambda_max: for a rigid mode K u_i is
// rounding itself. lambda_max is the largest |lambda| of the set, or that of the first elastic mode of a free
// body when fewer than seven are wanted, and 1e-8 |A| at least. What rounding leaves, some epsilon |A| |M u_i|,
// counts as converged.
#pragma once

#include <string>

#include "phiflex/linalg/kept_inverse.h"
#include "phiflex/linalg/pencil.h"

namespace phiflex {

struct Modes {
  Vector lambda;    // 1/s^2, ascending
  Matrix U;         // a mode per column
  Vector residual;  // (2)
  // Why LinearSolver::automatic did not take what it takes for bodies of usual size; else empty.
  std::string solver_reason = {};
  Index count() const { return lambda.size(); }
};

enum class [[nodiscard]] ModesStatus{ok, not_converged, not_positive_definite, not_finite};

struct ModesOptions {
  double tolerance = 1e-8;  // of (2)
  int sweep_limit = 300;
  LinearSolver solver = LinearSolver::automatic;  // indefinite: a factorization
  Vector positions = {};  // of the vertices, three numbers for each block row. Empty: no multigrid
};
// count is at most size(). not_converged: modes hold what was reached.
ModesStatus compute_modes(const AssembledPencil& pencil, Index count, const ModesOptions& options,
                          Modes& modes, Work& work);

}  // namespace phiflex

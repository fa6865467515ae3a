// Conjugate gradients on A + c B, where A is known by its inverse alone (a factorization that is kept and turned, and
// no longer that of any current matrix) and B by its products (stencil_blocks.h), with A^-1 as the preconditioner. With
//
//   z = A^-1 r,    p = z + beta p_before,    A p = r + beta A p_before                                      (1)
//
// the product A p costs nothing: each iteration takes one solve and one product with B. A^-1 (A + c B) is 1 but for as
// many eigenvalues as B has terms, so that the number of iterations grows with the number of different contacts, not
// with the mesh. Stop when
//
//   r'A^-1 r <= tolerance^2 (rhs'A^-1 rhs)                                                                  (2)
//
// (1) holds as well as z solves A z = r: a tolerance below the precision of the solves cannot be met.
#pragma once

#include "phiflex/base/function_ref.h"
#include "phiflex/linalg/stencil_blocks.h"
#include "phiflex/linalg/team.h"

namespace phiflex {

class BesideSolver {
 public:
  enum class [[nodiscard]] Status{ok, not_positive_definite, not_finite, not_converged};
  using Inverse = FunctionRef<void(const Vector& r, Vector& z)>;

  // team: the ranks that share the rows, each with the terms of B that touch its own; it must outlive the solver.
  explicit BesideSolver(const Team& team = alone()) : team_(&team) {}

  // x = (A + c B)^-1 rhs. inverse: z = A^-1 r, called once in every iteration. c >= 0. x is what was reached when the
  // limit of iterations is met (not_converged), else undefined unless ok.
  Status solve(Inverse inverse, const StencilBlocks& B, double c, const Vector& rhs, double tolerance,
               int limit, Vector& x);
  int iterations() const { return iterations_; }  // of the latest solve: so many calls of inverse

 private:
  const Team* team_;
  int iterations_ = 0;
  Vector r_, z_, p_, Ap_, q_;
};

}  // namespace phiflex

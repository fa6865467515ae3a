// Solves with the matrix of the rest shape, by which the unconditionally stable explicit methods divide:
//
//   S = a M + b D0 + c K0,     D0 and K0 the tangent at t = 0, q = 0, v = 0                               (1)
//
// It is factorized once, and again only when a, b, c change with the step. Taken at rest and not at the first
// state, it does not depend on where a run starts: the methods are maps of (q, v).
#pragma once

#include <optional>

#include "phiflex/integrate/tangent_solver.h"

namespace phiflex {

struct RestOptions {
  bool project_hessian = true;  // where the matrix of the rest shape is not positive definite
};
template <class V>
void fields(V& v, RestOptions& o) {
  v(option::project_hessian, o.project_hessian);
}

class RestSolver {
 public:
  RestSolver(const MechanicalSystem& system, const RestOptions& options);

  // S for this shift, made where it is not there yet. Where (1) is not finite (vertices held away from the rest
  // shape may invert elements) the tangent is taken at `first`; where it is not positive definite, projected.
  StepStatus prepare(Shift shift, const State& first, Work& work);
  const AssembledTangent& tangent() const { return tangent_.tangent(); }  // D0 and K0, once prepared
  StepStatus solve(const Vector& rhs, Vector& x, Work& work);             // S x = rhs, once prepared

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  SolveStatus factorize_at(const State& at, Shift shift, Work& work);

  TangentSolver tangent_;
  State rest_;
  std::optional<Shift> shift_;  // of the present S
};

}  // namespace phiflex

// Phi-functions of the Jacobian of a system,
//
//   w_j = sum_k tau_j^k phi_k(tau_j J) u_k,     J = [0 I; -M^-1 K  -M^-1 D]                               (1)
//
// with the exact K and D of a state, where an indefinite K is fine, or with the projected K. It owns all that lies
// between a system and the evaluator that was chosen: the tangent, the pencil, the factorization for evaluators that
// want one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "phiflex/integrate/exponential_options.h"
#include "phiflex/linalg/outer_solver.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/matfun/first_order_form.h"
#include "phiflex/matfun/mechanical_phi.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_result.h"

namespace phiflex {

// (M + s K)^-1 of a tangent, factorized when it is first needed after a change; when M + s K is not positive
// definite, with the projected stiffness, which is counted. Where a multigrid takes the place of the factorization,
// conjugate gradients to 1e-3: a basis needs no more. On several ranks, which have no factorization: outer_solver.h.
class TangentShiftInverse final : public ShiftInverse {
 public:
  TangentShiftInverse(const MechanicalSystem& system, const AssembledTangent& exact, LinearSolver solver);
  // The tangent is that of this state from now on. keep: a factorization for the same shift, that of a state nearby,
  // serves on: whoever uses it projects the K that is.
  void change(const State& at, double shift, bool keep);
  double shift() const override { return shift_; }
  SolveStatus prepare(Work& work) override;
  bool is_definite(Work& work);  // M + s K of the exact tangent; a factorization, kept for prepare()
  void apply(const Matrix& R, Matrix& X, Work& work) override;
  double preparation_work() const override;
  double solve_work() const override;
  const KeptInverse& kept() const { return matrix_.kept(); }

  // What the result depends on beside the tangent: a multigrid's aggregates, or that it was replaced. Nothing where
  // there was none.
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  SolveStatus factorize(const SparseMatrix& K, Definiteness definiteness, Work& work);

  const MechanicalSystem& system_;
  const AssembledTangent& exact_;
  std::unique_ptr<AssembledTangent> projected_;  // only when it is needed
  struct OfRanks {
    explicit OfRanks(const MechanicalSystem& system);
    SparseMatrix matrix;
    OuterSolver solver;
  };
  ImplicitMatrix matrix_;  // of one rank
  bool began_with_multigrid_;
  std::unique_ptr<OfRanks> outer_;  // of several ranks, in its place
  Vector positions_, column_, result_;
  State at_;
  double shift_ = 0;
  bool ready_ = false;
};

// Where results of TangentPhi lie. Only an evaluation that succeeded gives access to them.
class PhiMemory {
  friend class TangentPhi;
  std::vector<Vector> w_;
};

enum class JacobianDamping { of_the_system, none };

class TangentPhi {
 public:
  // InputError when the evaluator that was chosen cannot take the system's damping.
  TangentPhi(const MechanicalSystem& system, const ExponentialOptions& options, JacobianDamping damping,
             Definiteness definiteness = Definiteness::exact);

  // J is that of this state from now on, for steps of about h. nearby: (M + h^2 K)^-1 of the state before will do.
  void update(const State& at, double h, StepReport& report, bool nearby = false);
  const AssembledTangent& tangent() const { return *tangent_; }
  // Whether M + h^2 K is positive definite: nothing grows by more than e in a step then.
  bool is_definite(StepReport& report) { return inverse_.is_definite(report.work); }
  // (1), a vector for every tau; tau ascending, an empty u_k stands for zero. The result lies in `memory` until the
  // next call with it.
  StepResult<std::vector<Vector>> evaluate(std::span<const Vector> u, std::span<const double> tau,
                                           PhiMemory& memory, StepReport& report);

  // Null: the evaluator takes none.
  const KeptInverse* kept() const { return takes_inverse_ ? &inverse_.kept() : nullptr; }

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  class Damping final : public LinearOperator {
   public:
    explicit Damping(const AssembledTangent& tangent) : tangent_(tangent) {}
    Index size() const override { return tangent_.K().rows(); }
    void apply(const Vector& x, Vector& y) const override { tangent_.apply_D(x, y); }
    double norm() const override;

   private:
    const AssembledTangent& tangent_;
  };
  static FirstOrderForm make_first_order_form(const AssembledTangent& tangent, const Pencil& pencil,
                                              const Damping& D, JacobianDamping damping);

  std::unique_ptr<AssembledTangent> tangent_;
  AssembledPencil pencil_;
  Damping damping_;
  FirstOrderForm J_;
  TangentShiftInverse inverse_;
  bool takes_inverse_;
  std::unique_ptr<MechanicalPhi> phi_;
};

}  // namespace phiflex

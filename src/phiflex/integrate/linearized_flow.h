// A system linearized at a state u = (q, v), and phi-functions of its Jacobian: what every exponential
// Rosenbrock method is made of.
//
//   F(t, u) = (v, M^-1 f),   J = dF/du = [0 I; -M^-1 K  -M^-1 D],   G = dF/dt = (0, M^-1 g)                 (1)
//
// The linearized system is solved exactly by
//
//   U(tau) = u + tau phi_1(tau J) F + tau^2 phi_2(tau J) G                                                (2)
//
// and what it leaves out is the remainder, whose displacement half is zero:
//
//   R(tau, U) = F(t + tau, U) - F - J (U - u) - tau G                                                     (3)
//             = (0, M^-1 [f(t + tau, U) - f + K dq + D dv - tau g]),   U - u = (dq, dv).
//
// K is the exact stiffness: an indefinite one is fine. Increments and remainders are stacked, (q half; v half).
#pragma once

#include <array>
#include <memory>
#include <span>

#include "phiflex/integrate/options.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/shift_inverse.h"
#include "phiflex/matfun/first_order_form.h"
#include "phiflex/matfun/mechanical_phi.h"
#include "phiflex/system/mechanical_system.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

// (M + s K)^-1 of a tangent, factorized when it is first needed after a change; when M + s K is not positive
// definite, with the projected stiffness, which is counted.
class TangentShiftInverse final : public ShiftInverse {
 public:
  TangentShiftInverse(const MechanicalSystem& system, const AssembledTangent& exact);
  void change(const State& at, double shift);  // the tangent is that of this state from now on
  double shift() const override { return shift_; }
  SolveStatus prepare(Work& work) override;
  void apply(const Matrix& R, Matrix& X, Work& work) override;
  double preparation_work() const override;
  double solve_work() const override;

 private:
  SolveStatus factorize(const SparseMatrix& K, Work& work);

  const MechanicalSystem& system_;
  const AssembledTangent& exact_;
  std::unique_ptr<AssembledTangent> projected_;  // only when it is needed
  SparseMatrix matrix_;
  CholeskyFactorization factorization_;
  State at_;
  double shift_ = 0;
  bool ready_ = false;
};

class LinearizedFlow {
 public:
  LinearizedFlow(const MechanicalSystem& system, const IntegratorOptions& options);

  // F, J and G of (1) at a state, for steps of about h.
  StepStatus linearize(const State& at, double h, StepReport& report);
  // (2): increments[i] = U(tau[i]) - u, all from one basis; tau ascending.
  StepStatus flow(std::span<const double> tau, std::span<Vector> increments, StepReport& report);
  // (3) at U = u + increment.
  StepStatus remainder(double tau, const Vector& increment, Vector& R, StepReport& report);
  // sum = tau^3 phi_3(tau J) u3 + tau^4 phi_4(tau J) u4; an empty u4 stands for zero.
  StepStatus correction(double tau, const Vector& u3, const Vector& u4, Vector& sum, StepReport& report);
  // Any phi-sum of J: w[j] = sum_k tau[j]^k phi_k(tau[j] J) u[k].
  StepStatus evaluate(std::span<const Vector> u, std::span<const double> tau, std::span<Vector> w,
                      StepReport& report);

  const State& state() const { return at_; }
  // next = state + increment at time t + tau, checked to be finite.
  StepStatus add(double tau, const Vector& increment, State& next) const;
  // |part| / |whole| with |w|^2 = q'M q / h^2 + v'M v, both halves in units of energy; 0 when both are zero.
  double relative_norm(const Vector& part, const Vector& whole, double h);

  void save(ArchiveWriter& out) const { phi_->save(out); }
  void load(ArchiveReader& in) { phi_->load(in); }

 private:
  double norm(const Vector& w, double h);

  class Damping final : public LinearOperator {
   public:
    explicit Damping(const AssembledTangent& tangent) : tangent_(tangent) {}
    Index size() const override { return tangent_.K().rows(); }
    void apply(const Vector& x, Vector& y) const override { tangent_.apply_D(x, y); }
    double norm() const override;

   private:
    const AssembledTangent& tangent_;
  };

  const MechanicalSystem& system_;
  std::unique_ptr<AssembledTangent> tangent_;
  AssembledPencil pencil_;
  Damping damping_;
  FirstOrderForm J_;
  TangentShiftInverse inverse_;
  std::unique_ptr<MechanicalPhi> phi_;
  State at_, stage_;
  Vector f_, g_, stage_force_, product_, half_;
  std::array<Vector, 5> u_;  // u_1 = F, u_2 = G or empty
  std::array<Vector, 5> correction_;
};

}  // namespace phiflex

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
// The terms of (3) cancel down to what is nonlinear. They are known no better than the rounding of the state they are
// taken at, which alone changes them by up to
//
//   eps (|K| (|q| + |q + dq|) + |D| (|v| + |v + dv|) + |f(t + tau, U)| + |f| + tau |g|)                    (4)
//
// entry by entry. An entry below a few times (4) tells of nothing, and is zero: a linear system has no remainder at
// any step, and weights of tens of thousands (epirk4s3) find nothing to enlarge.
//
// Where K and D are positive semidefinite, (2) gains no more than the forces at the beginning can give it: by its
// energy, in the norm of M,
//
//   |v(h)| <= |v| + 2 h |a| + h^2 |M^-1 g|,     F = (v, a).                                              (5)
//
// An indefinite K lets it grow like exp(h sqrt(-lambda)): true of the first moments of a buckling, absurd after a step
// that is long for it.
//
// Increments and remainders are stacked, (q half; v half).
#pragma once

#include <array>
#include <span>

#include "phiflex/integrate/tangent_phi.h"

namespace phiflex {

class LinearizedFlow {
 public:
  // definiteness: of the K of J; with the projected one (1) is no derivative, and the remainder holds what it lacks.
  LinearizedFlow(const MechanicalSystem& system, const ExponentialOptions& options,
                 Definiteness definiteness = Definiteness::exact)
      : system_(system), phi_(system, options, JacobianDamping::of_the_system, definiteness) {}

  // F, J and G of (1) at a state, for steps of about h. nearby: the latest state was near this one.
  StepStatus linearize(const State& at, double h, StepReport& report, bool nearby = false);
  // The results of these three stay until the next call of the same one.
  // (2): the increments U(tau[i]) - u, all from one basis; tau ascending.
  StepResult<std::vector<Vector>> flow(std::span<const double> tau, StepReport& report);
  // (3) at every tau[i] and U = u + increments[i]; there may be more increments.
  StepResult<std::vector<Vector>> remainders(std::span<const double> tau,
                                             const std::vector<Vector>& increments, StepReport& report);
  // tau^3 phi_3(tau J) u3 + tau^4 phi_4(tau J) u4; an empty u4 stands for zero.
  StepResult<Vector> correction(double tau, const Vector& u3, const Vector& u4, StepReport& report);

  // next = state + increment at time t + tau, checked to be finite.
  StepStatus add(double tau, const Vector& increment, State& next) const;
  // |part| / |whole| with |w|^2 = q'M q / h^2 + v'M v, both halves in units of energy; 0 when both are zero.
  double relative_norm(const Vector& part, const Vector& whole, double h);
  // Whether the velocity at the end of (2) is beyond (5): K is indefinite, and h too long for what grows.
  bool outgrows(double h, const Vector& increment);
  // Whether nothing can grow by more than e in a step: at the price of a factorization.
  bool is_definite(StepReport& report) { return phi_.is_definite(report); }

  const KeptInverse* kept() const { return phi_.kept(); }  // null: the evaluator takes none

  void save(ArchiveWriter& out) const { phi_.save(out); }
  void load(ArchiveReader& in) { phi_.load(in); }

 private:
  StepStatus find_remainder(double tau, const Vector& increment, Vector& R, StepReport& report);
  double norm(const Vector& w, double h);
  void drop_rounding();  // from stage_force_, the terms of (4) that need no product in bound_ already

  const MechanicalSystem& system_;
  TangentPhi phi_;
  State at_, stage_;
  Vector f_, g_, stage_force_, product_, half_;
  Vector sizes_, bound_;         // of (4)
  std::array<Vector, 5> u_;      // u_1 = F, u_2 = G or empty
  bool has_rate_ = false;        // G is not zero
  std::array<Vector, 5> terms_;  // u_3 and u_4 of a correction
  PhiMemory increments_, correction_;
  std::vector<Vector> remainders_;
};

}  // namespace phiflex

// Newmark's family, with a = M^-1 f(t, q, v) and a+ = M^-1 f(t + h, q+, v+):
//
//   q+ = q + h v + h^2 [(1/2 - beta) a + beta a+]                                                         (1)
//   v+ = v + h [(1 - gamma) a + gamma a+]                                                                 (2)
//
// in the unknown w = h a+. As a is computed from the state, the method is a one-step map.
// beta = 1/4, gamma = 1/2 is the trapezoidal rule. Order 2 only for gamma = 1/2; stable for any h if
// gamma >= 1/2 and beta >= (gamma + 1/2)^2/4.
// Newmark: A Method of Computation for Structural Dynamics, 1959.
#include "phiflex/integrate/newton_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kNewmarkInfo{
    .name = "newmark",
    .summary = "Newmark's family; by default the trapezoidal rule, without damping",
    .order = 2,
    .reversible = true,
    .conserves_linear_energy = true,
    .citation = "newmark1959method",
    .contact = ContactStep::solved,
    .on_ranks = UsualStep{.forces = 3, .matrices = 3, .iterations = 24}};

struct NewmarkOptions {
  NewtonOptions newton;
  double beta = 0.25, gamma = 0.5;
};
template <class V>
void fields(V& v, NewmarkOptions& o) {
  fields(v, o.newton);
  v({.key = "beta",
     .doc = "`newmark`: weight of the new acceleration in the position",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1}},
    o.beta);
  v({.key = "gamma",
     .doc = "`newmark`: weight of the new acceleration in the velocity",
     .range = {.low = 0, .high = 1}},
    o.gamma);
}

class Newmark final : public NewtonMethod {
 public:
  using Options = NewmarkOptions;
  Newmark(const MechanicalSystem& system, const NewmarkOptions& options)
      : NewtonMethod(system, options.newton), beta_(options.beta), gamma_(options.gamma) {
    info_.order = gamma_ == 0.5 ? 2 : 1;
    info_.reversible = gamma_ == 0.5;
    info_.conserves_linear_energy = gamma_ == 0.5 && beta_ == 0.25;
  }
  const MethodInfo& info() const override { return info_; }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    StepStatus status = evaluate_acceleration(system_, now, f_, stage_.start, work);
    if (status != StepStatus::ok) return status;
    stage_.h = stage_.s = h;
    stage_.t = now.t + h;
    stage_.rho = beta_ * h;
    stage_.sigma = gamma_;
    stage_.start *= h;  // a guess of h a+ is h a
    stage_.w0.setZero(now.v.size());
    stage_.q0 = now.q + h * now.v + (0.5 - beta_) * h * stage_.start;  // (1) without a+
    stage_.v0 = now.v + (1 - gamma_) * stage_.start;                   // (2) without a+
    status = newton_.solve(stage_, now, f_, w_, work);
    if (status != StepStatus::ok) return status;
    stage_.place(w_, next);  // (1), (2)
    return check_finite(system_, next);
  }
  // For the trapezoidal rule, q+ - q = h (v + v+)/2 and M (v+ - v) = h (f + f+)/2: the change of kinetic energy is the
  // work of (f + f+)/2 along q+ - q.
  DampingPoints damping_points(const State& now, const State& next) override {
    if (!info_.conserves_linear_energy) return {};
    return {{{&now, 0.5}, {&next, 0.5}}};
  }

  double beta_, gamma_;
  MethodInfo info_ = kNewmarkInfo;
  Vector w_;
};

}  // namespace

MethodEntry newmark_method() {
  return method_entry<Newmark>(kNewmarkInfo);
}

}  // namespace phiflex

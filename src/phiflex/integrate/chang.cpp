// Chang's explicit method: the position without knowing the force at the end of the step, the velocity by the
// trapezoidal rule, with a = M^-1 f(t, q, v) and a+ = M^-1 f(t + h, q+, v+):
//
//   q+ = q + h b1 v + h^2 b2 a                                                                            (1)
//   v+ = v + h/2 (a + a+)                                                                                 (2)
//
// Derivation. Ask that (1) gives on linear systems, f = F - K q - D v, what Newmark's average acceleration
// gives, q+ = q + h/2 (v + v+) with (2). That Newmark step in the mean velocity w = (v + v+)/2 reads
// M (w - v) = h/2 (f - h/2 K w - D (w - v)), so that q+ = q + h w with
//
//   S w = (M + h/2 D0) v + h/2 f(t, q, v),   S = M + h/2 D0 + h^2/4 K0                                    (3)
//
// and b1 = S^-1 (M + h/2 D0), b2 = S^-1 M/2. With D0, K0 at rest, S is factorized once. In (2) the damping at
// the end is linearized, f+ = f(t + h, q+, v*) - D0 (v+ - v*) about v* = v + h a:
//
//   (M + h/2 D0) (v+ - v*) = h/2 (f(t + h, q+, v*) - f)                                                   (4)
//
// exact when the damping is linear and constant, of order 2 in any case. Stable at any step where the body is
// not stiffer than at rest. Without damping, (3) and (2) are a kick, a drift with the mass S and a kick.
// Chang: Explicit Pseudodynamic Algorithm with Unconditional Stability, 2002.
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/plain_method.h"
#include "phiflex/integrate/rest_solver.h"
#include "phiflex/integrate/step_memory.h"

namespace phiflex {
namespace {

constexpr MethodInfo kChangInfo{
    .name = "chang",
    .summary = "explicit position by a matrix of the rest shape, trapezoidal velocity",
    .order = 2,
    .symplectic = true,
    .reversible = true,
    .conserves_linear_energy = true,
    .citation = "chang2002explicit",
    .contact = ContactStep::explicit_force};

class Chang final : public PlainMethod {
 public:
  using Options = RestOptions;
  Chang(const MechanicalSystem& system, const RestOptions& options)
      : system_(system), S_(system, options), damped_mass_(system, options) {}
  const MethodInfo& info() const override { return kChangInfo; }
  void save(ArchiveWriter& out) const override {
    put_carried(memory_, carried_, out);
    S_.save(out);
    damped_mass_.save(out);
  }
  void load(ArchiveReader& in) override {
    get_carried(in, system_.dofs(), memory_, carried_);
    S_.load(in);
    damped_mass_.load(in);
  }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    StepStatus status = take_force(now, h, work);
    if (status != StepStatus::ok) return status;
    status = S_.prepare({.a = 1, .b = h / 2, .c = h * h / 4}, now, work);
    if (status != StepStatus::ok) return status;
    system_.mass().apply(now.v, rhs_);
    rhs_ += h / 2 * f_;
    const bool damped = S_.tangent().D() != nullptr;
    if (damped) {
      S_.tangent().apply_D(now.v, product_);
      rhs_ += h / 2 * product_;
    }
    status = S_.solve(rhs_, w_, work);  // (3)
    if (status != StepStatus::ok) return status;

    system_.mass().solve(f_, dv_);
    next.t = now.t + h;
    next.q = now.q + h * w_;
    next.v = now.v + h * dv_;  // v*
    status = evaluate_force(system_, next, f_end_, work);
    if (status != StepStatus::ok) return status;
    rhs_ = h / 2 * (f_end_ - f_);
    if (damped) {
      status = damped_mass_.prepare({.a = 1, .b = h / 2, .c = 0}, now, work);
      if (status == StepStatus::ok) status = damped_mass_.solve(rhs_, dv_, work);
      if (status != StepStatus::ok) return status;
    } else {
      system_.mass().solve(rhs_, dv_);
    }
    next.v += dv_;  // (4)
    status = check_finite(system_, next);
    if (status == StepStatus::ok && !system_.force_depends_on_velocity()) {
      memory_.keep(next, h, system_.force_version());
      carried_ = f_end_;
    }
    return status;
  }

  // f at now: without damping it is the force at the end of the last step.
  StepStatus take_force(const State& now, double h, Work& work) {
    if (!memory_.ends_in(now, h, system_.force_version())) return evaluate_force(system_, now, f_, work);
    f_ = carried_;
    return StepStatus::ok;
  }

  const MechanicalSystem& system_;
  RestSolver S_;
  RestSolver damped_mass_;  // M + h/2 D0
  StepMemory memory_;
  Vector carried_;  // the force at the end of a step
  Vector f_, f_end_, w_, dv_, rhs_, product_;
};

}  // namespace

MethodEntry chang_method() {
  return method_entry<Chang>(kChangInfo);
}

}  // namespace phiflex

// The backward differentiation formula of order 2, u- the state one step before u:
//
//   u+ = 4/3 u - 1/3 u- + 2/3 h F(t + h, u+),       u = (q, v), F = (v, M^-1 f)                           (1)
//
// in the unknown w = v+:
//
//   M (w - (4 v - v-)/3) = 2h/3 f(t + h, (4 q - q-)/3 + 2h/3 w, w)                                        (2)
//   q+ = (4 q - q-)/3 + 2h/3 w                                                                            (3)
//
// A step with no u- (it does not continue the last one with the same h, step_memory.h) is a backward Euler step; so are
// the halves of a step that fails, after which the history starts again.
// (1) in changes of the state, with du- = u - u-, says
//
//   dq = dq-/3 + 2h/3 v+,   M dv = M dv-/3 + 2h/3 f+                                                      (4)
//
// so that both are h times means over the steps before, with weights 2/3, 2/9, 2/27, ..., and with them the damping
// force R of the step, R = R-/3 + 2/3 D+ v+, which begins as D+ v+ of the backward Euler step: what the energy ledger
// books. On a linear material without loads the numerical loss of a step is then, with m for means of the ends and q_b
// = q_b-/3 + 2/3 q+, (dq/h - v_m)'M dv + (q_b - q_m)'K dq.
//
// Hairer, Wanner: Solving Ordinary Differential Equations II, 1996, section V.1.
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/halving.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/newton.h"
#include "phiflex/integrate/step_memory.h"

namespace phiflex {
namespace {

constexpr MethodInfo kBdf2Info{
    .name = "bdf2",
    .summary = "two-step backward differences: second order, damps high frequencies",
    .order = 2,
    .l_stable = true,
    .history = 2,
    .citation = "hairer1996ode",
    .contact = ContactStep::solved};

class Bdf2 final : public Integrator {
 public:
  using Options = NewtonOptions;
  Bdf2(const MechanicalSystem& system, const NewtonOptions& options)
      : system_(system), newton_(system, options), halving_(options.halve_step) {}
  const MethodInfo& info() const override { return kBdf2Info; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    const auto start = [this](const State& from, double length, State& to, Work& work) {
      set_backward_euler(from, length, stage_);
      return advance(from, length, to, work);
    };
    const bool goes_on = memory_.continues_with(now, h);
    if (goes_on) {
      set_two_step(now, h);
      report.status = advance(now, h, next, report.work);
    } else {
      report.status = start(now, h, next, report.work);
    }
    report.status = halving_.rescue(report.status, start, now, h, next, report.work);
    if (report.status != StepStatus::ok) return report;
    before_ = now;
    memory_.keep(next, h);
    if (report.work.halved_steps > 0) {
      memory_.forget();
      return report;
    }
    report.damping = {{{&next, goes_on ? 2. / 3 : 1}}};  // (4)
    report.damping_memory = {.kept = goes_on ? 1. / 3 : 0};
    return report;
  }

  const KeptInverse* kept_inverse() const override { return &newton_.kept(); }
  void save(ArchiveWriter& out) const override {
    memory_.save(out);
    if (memory_.known()) put_state(before_, out);
    newton_.save(out);
  }
  void load(ArchiveReader& in) override {
    memory_.load(in, system_.dofs());
    if (memory_.known()) get_state(in, system_.dofs(), before_);
    newton_.load(in);
  }

 private:
  void set_two_step(const State& now, double h) {
    set_backward_euler(now, h, stage_);
    stage_.s = stage_.rho = 2 * h / 3;
    stage_.w0 = (4 * now.v - before_.v) / 3;  // (2)
    stage_.q0 = (4 * now.q - before_.q) / 3;  // (2)
  }

  StepStatus advance(const State& now, double h, State& next, Work& work) {
    StepStatus status = evaluate_force(system_, now, f_, work);
    if (status != StepStatus::ok) return status;
    status = newton_.solve(stage_, now, f_, next.v, work);  // (2)
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.q = stage_.q0 + stage_.rho * next.v;  // (3)
    return check_finite(system_, next);
  }

  const MechanicalSystem& system_;
  NewtonSolver newton_;
  Halving halving_;
  ImplicitStage stage_;
  StepMemory memory_;
  State before_;  // u-
  Vector f_;
};

}  // namespace

MethodEntry bdf2_method() {
  return method_entry<Bdf2>(kBdf2Info);
}

}  // namespace phiflex

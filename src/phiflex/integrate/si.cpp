// The semi-implicit (linearly implicit) Euler method: backward Euler with its force linearized once,
//
//   (M + h D + h^2 K) dv = h (f + h g - h K v)                                                            (1)
//   v+ = v + dv,   q+ = q + h v+                                                                          (2)
//
// with f, K, D and the load rate g = df/dt at (t, q, v): one Newton step of `be` from (q, v). The term h g
// moves time-dependent loads and constraints to the end of the step. The damping force of the step is -D v+, with D at
// (t, q), whether K is projected or not: that is what the energy ledger books. On a linear material without loads
// the numerical loss of a step is then  1/2 dv'M dv + 1/2 dq'K dq.
// Baraff, Witkin: Large Steps in Cloth Simulation, 1998.
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/linearized_stage.h"
#include "phiflex/integrate/method_entry.h"

namespace phiflex {
namespace {

constexpr MethodInfo kSiInfo{
    .name = "si",
    .summary = "semi-implicit Euler: one linear solve per step, strong numerical damping",
    .order = 1,
    .l_stable = true,
    .citation = "baraff1998cloth",
    .on_ranks = UsualStep{.matrices = 1, .products = 1, .iterations = 13}};

struct SiOptions {
  TangentOptions tangent;
  double linear_tolerance = 1e-6;  // of conjugate gradients on a kept factorization, relative
};
template <class V>
void fields(V& v, SiOptions& o) {
  v(option::solver, o.tangent.solver);
  v(option::linear_tolerance, o.linear_tolerance);
  v(option::refactor, o.tangent.refactor);
  v(option::factorization, o.tangent.factorization);
  v(option::project_hessian, o.tangent.project_hessian);
}

class SemiImplicitEuler final : public Integrator {
 public:
  using Options = SiOptions;
  SemiImplicitEuler(const MechanicalSystem& system, const SiOptions& options)
      : system_(system), linearized_(system, options.tangent, options.linear_tolerance) {}
  const MethodInfo& info() const override { return kSiInfo; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    report.status = advance(now, h, next, report.work);
    if (report.status == StepStatus::ok && linearized_.tangent_solver().tangent().D()) {
      damped_at_.t = now.t;
      damped_at_.q = now.q;
      damped_at_.v = next.v;
      report.damping = {{{&damped_at_, 1}}};
    }
    return report;
  }
  const KeptInverse* kept_inverse() const override { return &linearized_.tangent_solver().kept(); }
  void save(ArchiveWriter& out) const override { linearized_.tangent_solver().save(out); }
  void load(ArchiveReader& in) override { linearized_.tangent_solver().load(in); }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) {
    StepStatus status = evaluate_force(system_, now, f_, work);
    if (status != StepStatus::ok) return status;
    set_backward_euler(now, h, stage_);
    status = linearized_.solve(stage_, now, f_, dv_, work);  // (1)
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.v = now.v + dv_;         // (2)
    next.q = now.q + h * next.v;  // (2)
    return check_finite(system_, next);
  }

  const MechanicalSystem& system_;
  LinearizedStage linearized_;
  ImplicitStage stage_;
  State damped_at_;  // of the latest step
  Vector f_, dv_;
};

}  // namespace

MethodEntry si_method() {
  return method_entry<SemiImplicitEuler>(kSiInfo);
}

}  // namespace phiflex

// The exponential Rosenbrock-Euler method: the system linearized at the current state, solved exactly,
//
//   u+ = u + h phi_1(h J) F + h^2 phi_2(h J) G                                                            (1)
//
// with F, J and G = dF/dt of linearized_flow.h.
//
// Where the stiffness is indefinite and the step too long for what grows ((5) there), the step is made with the
// projected stiffness instead: (1) is consistent with any matrix J, of order 1 then. From there on the exact stiffness
// is taken when M + h^2 K can be factorized, which is tried again after 8, 16, up to 64 steps. Every step with the
// projected one is counted.
//
// On request a step is divided as exchange_substeps.h says.
// Chen, Ascher, Pai: Exponential Rosenbrock-Euler Integrators for Elastodynamic Simulation, 2018.
#include <algorithm>
#include <memory>

#include "phiflex/integrate/exchange_substeps.h"
#include "phiflex/integrate/exponential_method.h"
#include "phiflex/matfun/catalogue.h"

namespace phiflex {
namespace {

constexpr std::int64_t kFirstWait = 8, kLongestWait = 64;  // steps

constexpr MethodInfo kEreInfo{
    .name = "ere",
    .summary = "exponential Rosenbrock-Euler: exact on linear systems, no damping of its own",
    .order = 2,
    .exact_on_linear = true,
    .conserves_linear_energy = true,
    .citation = "chen2018ere",
    .contact = ContactStep::resolved,
    // 200 products of two columns: h w_max = 290
    .on_ranks = UsualStep{.matrices = 1, .products = 400}};

struct EreOptions : ExponentialOptions {
  EreOptions() { motion_tolerance = 5e-3; }
  bool project_hessian = true;
  bool divide = false;  // steps, as the energy asks for
};
template <class V>
void fields(V& v, EreOptions& o) {
  fields(v, static_cast<ExponentialOptions&>(o));
  v({.key = "motion_tolerance",
     .doc =
         "`ere`: error that the `rational` evaluator may leave in a step, relative to the motion, in the "
         "norm of displacements, in which a velocity counts by the displacement that it makes in the step; "
         "0, or a `tolerance` below 1e-4: `tolerance`, in the norm of the mass",
     .range = {.low = 0, .high = 1}},
    o.motion_tolerance);
  v(option::project_hessian, o.project_hessian);
  v({.key = "divide",
     .doc = "`ere`: steps are divided into up to 16 substeps, so that what the method gains or loses stays a "
            "small "
            "part of the energy that the motion exchanges"},
    o.divide);
}

class ExponentialRosenbrockEuler final : public Integrator {
 public:
  using Options = EreOptions;
  ExponentialRosenbrockEuler(const MechanicalSystem& system, const EreOptions& options)
      : system_(system),
        options_(options),
        exact_(system, options),
        substeps_(options.divide),
        meter_(system.work_meter()) {
    for (State& state : between_) state.q = state.v = Vector::Zero(system.dofs());
  }
  const MethodInfo& info() const override { return kEreInfo; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    while (divided_step(now, h, next, report)) ++report.work.rejected_steps;
    return report;
  }

  const KeptInverse* kept_inverse() const override { return exact_.kept(); }
  void save(ArchiveWriter& out) const override {
    exact_.save(out);
    substeps_.save(out);
    out.put(std::int64_t(suspicious_));
    out.put(wait_);
    out.put(next_wait_);
    out.put(std::int64_t(projected_ != nullptr));
    if (projected_) projected_->save(out);
  }
  void load(ArchiveReader& in) override {
    exact_.load(in);
    substeps_.load(in);
    suspicious_ = in.get_integer() != 0;
    wait_ = std::clamp<std::int64_t>(in.get_integer(), 0, kLongestWait);
    next_wait_ = std::clamp(in.get_integer(), kFirstWait, kLongestWait);
    if (in.get_integer() != 0) projected().load(in);
  }

 private:
  // Whether the step is to be made again, in more substeps.
  bool divided_step(const State& now, double h, State& next, StepReport& report) {
    const int n = substeps_.count();
    energy_error_ = 0;
    report.step_work.reset();
    const State* from = &now;
    for (int i = 0; i < n; ++i) {
      State& to = between_[i % 2];
      report.status = substep(*from, h / n, i > 0, to, report);
      if (report.status != StepStatus::ok) return false;
      if (n > 1 && meter_) {
        if (!report.step_work) report.step_work.emplace();
        *report.step_work += meter_->between(*from, to);
      }
      from = &to;
    }
    a_ = (from->v - now.v) / h;
    const auto square = [&](const Vector& x) { return system_.mass().dot(x, x); };
    if (!substeps_.accept(h, energy_error_, square(from->v), square(a_))) return true;
    if (n > 1) report.work.inner_steps += n;
    next = *from;
    next.t = now.t + h;
    return false;
  }
  // nearby: it goes on where the latest one ended.
  StepStatus substep(const State& now, double h, bool nearby, State& next, StepReport& report) {
    if (wait_ > 0) {
      --wait_;
    } else {
      const StepStatus linearized = exact_.linearize(now, h, report, nearby);
      if (linearized != StepStatus::ok) return linearized;
      if (!suspicious_ || exact_.is_definite(report)) {
        const double energy_error = energy_error_;
        const auto dw = advance(exact_, h, next, report);
        // No fault of the stiffness: another one would not help.
        if (dw.status() == StepStatus::function_not_evaluated && exact_.is_definite(report))
          return dw.status();
        const bool outgrown = !dw.ok() || exact_.outgrows(h, dw.value());
        if (!outgrown) next_wait_ = kFirstWait;
        if (!outgrown || !options_.project_hessian) return dw.status();
        energy_error_ = energy_error;  // of a way not gone
      }
      suspicious_ = true;
      wait_ = next_wait_ - 1;
      next_wait_ = std::min(2 * next_wait_, kLongestWait);
    }
    ++report.work.projected_hessians;
    const StepStatus linearized = projected().linearize(now, h, report, nearby);
    return linearized == StepStatus::ok ? advance(projected(), h, next, report).status() : linearized;
  }
  // (1) with the J of this flow; gives u+ - u.
  StepResult<Vector> advance(LinearizedFlow& flow, double h, State& next, StepReport& report) {
    const auto U = flow.flow({&h, 1}, report);
    if (!U.ok()) return U.status();
    const StepStatus status = flow.add(h, U.value()[0], next);
    if (status != StepStatus::ok) return status;
    if (substeps_.divides()) add_energy_error(flow, h, U.value(), report);
    return StepResult(U.value()[0]);
  }
  // (1) of exchange_substeps.h. A step into a place without forces is not made better by knowing it.
  void add_energy_error(LinearizedFlow& flow, double h, const std::vector<Vector>& dw, StepReport& report) {
    const auto R = flow.remainders({&h, 1}, dw, report);
    if (!R.ok()) return;
    const Index n = system_.dofs();
    dq_ = dw[0].head(n);
    r_ = R.value()[0].tail(n);
    energy_error_ -= system_.mass().dot(r_, dq_) / 3;
  }
  LinearizedFlow& projected() {
    if (!projected_) {
      // D is no alpha M + beta K with the projected K: an evaluator that needs one hands over to the default.
      EreOptions options = options_;
      const auto damping = system_.assembled_tangent(Definiteness::projected)->rayleigh();
      EvaluatorSettings evaluator = options.settings();
      if (!takes_damping(evaluator.type, damping)) evaluator.type = "auto";
      options.evaluator = evaluator;
      projected_ = std::make_unique<LinearizedFlow>(system_, options, Definiteness::projected);
    }
    return *projected_;
  }

  const MechanicalSystem& system_;
  EreOptions options_;
  LinearizedFlow exact_;
  ExchangeSubsteps substeps_;
  std::unique_ptr<WorkMeter> meter_;  // null: the ends of a step tell its work
  State between_[2];
  Vector dq_, r_, a_;
  double energy_error_ = 0;                         // of the substeps of a step
  std::unique_ptr<LinearizedFlow> projected_;       // only when it is needed
  bool suspicious_ = false;                         // the exact one has outgrown its step before
  std::int64_t wait_ = 0, next_wait_ = kFirstWait;  // steps until the exact stiffness is tried, and after it
};

}  // namespace

MethodEntry ere_method() {
  return method_entry<ExponentialRosenbrockEuler>(kEreInfo);
}

}  // namespace phiflex

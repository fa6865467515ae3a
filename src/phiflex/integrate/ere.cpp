// The exponential Rosenbrock-Euler method: the system linearized at the current state, solved exactly,
//
//   u+ = u + h phi_1(h J) F + h^2 phi_2(h J) G                                                            (1)
//
// with F, J and G = dF/dt of linearized_flow.h.
//
// Where the stiffness is indefinite and the step too long for what grows ((5) there), the step is made with the projected
// stiffness instead: (1) is consistent with any matrix J, of order 1 then. From there on the exact stiffness is taken
// when M + h^2 K can be factorized, which is tried again after 8, 16, up to 64 steps. Every step with the projected one is
// counted.
// Chen, Ascher, Pai: Exponential Rosenbrock-Euler Integrators for Elastodynamic Simulation, 2018.
#include <algorithm>
#include <memory>

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
  bool project_hessian = true;
};
template <class V>
void fields(V& v, EreOptions& o) {
  fields(v, static_cast<ExponentialOptions&>(o));
  v(option::project_hessian, o.project_hessian);
}

class ExponentialRosenbrockEuler final : public Integrator {
 public:
  using Options = EreOptions;
  ExponentialRosenbrockEuler(const MechanicalSystem& system, const EreOptions& options)
      : system_(system), options_(options), exact_(system, options) {}
  const MethodInfo& info() const override { return kEreInfo; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    if (wait_ > 0) {
      --wait_;
    } else {
      report.status = exact_.linearize(now, h, report);
      if (report.status != StepStatus::ok) return report;
      if (!suspicious_ || exact_.is_definite(report)) {
        const auto dw = advance(exact_, h, next, report);
        report.status = dw.status();
        // No fault of the stiffness: another one would not help.
        if (report.status == StepStatus::function_not_evaluated && exact_.is_definite(report)) return report;
        const bool outgrown = !dw.ok() || exact_.outgrows(h, dw.value());
        if (!outgrown) next_wait_ = kFirstWait;
        if (!outgrown || !options_.project_hessian) return report;
      }
      suspicious_ = true;
      wait_ = next_wait_ - 1;
      next_wait_ = std::min(2 * next_wait_, kLongestWait);
    }
    ++report.work.projected_hessians;
    report.status = projected().linearize(now, h, report);
    if (report.status == StepStatus::ok) report.status = advance(projected(), h, next, report).status();
    return report;
  }

  const KeptInverse* kept_inverse() const override { return exact_.kept(); }
  void save(ArchiveWriter& out) const override {
    exact_.save(out);
    out.put(std::int64_t(suspicious_));
    out.put(wait_);
    out.put(next_wait_);
    out.put(std::int64_t(projected_ != nullptr));
    if (projected_) projected_->save(out);
  }
  void load(ArchiveReader& in) override {
    exact_.load(in);
    suspicious_ = in.get_integer() != 0;
    wait_ = std::clamp<std::int64_t>(in.get_integer(), 0, kLongestWait);
    next_wait_ = std::clamp(in.get_integer(), kFirstWait, kLongestWait);
    if (in.get_integer() != 0) projected().load(in);
  }

 private:
  // (1) with the J of this flow; gives u+ - u.
  StepResult<Vector> advance(LinearizedFlow& flow, double h, State& next, StepReport& report) {
    const auto U = flow.flow({&h, 1}, report);
    if (!U.ok()) return U.status();
    const StepStatus status = flow.add(h, U.value()[0], next);
    if (status != StepStatus::ok) return status;
    return StepResult(U.value()[0]);
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
  std::unique_ptr<LinearizedFlow> projected_;       // only when it is needed
  bool suspicious_ = false;                         // the exact one has outgrown its step before
  std::int64_t wait_ = 0, next_wait_ = kFirstWait;  // steps until the exact stiffness is tried, and after it
};

}  // namespace

MethodEntry ere_method() {
  return method_entry<ExponentialRosenbrockEuler>(kEreInfo);
}

}  // namespace phiflex

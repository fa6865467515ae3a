// The generalized-alpha method. r is the spectral radius at infinite frequency (rho_infinity, 0..1):
//
//   am = (2r - 1)/(1 + r),  af = r/(1 + r),  beta = (1 - am + af)^2/4,  gamma = 1/2 - am + af             (1)
//   q+ = q + h v + h^2 [(1/2 - beta) a + beta a+]                                                         (2)
//   v+ = v + h [(1 - gamma) a + gamma a+]                                                                 (3)
//   M [(1 - am) a+ + am a] = f at (1 - af) (t + h, q+, v+) + af (t, q, v)                                 (4)
//
// in the unknown w = h a+. a is not M^-1 f but carried from step to step by (4); it starts as M^-1 f, at the
// first step, where the step does not continue the last one (step_memory.h), and in the halves of a step that
// fails.
//
// With R the damping force at the state inside f of (4), and z that part of - M a, (4) and (3) say
//
//   z+ = (R - am z)/(1 - am),   M (v+ - v) = ... - h [(1 - gamma) z + gamma z+]                           (5)
//
// where z starts as the damping force at (t, q, v): the bracket is the damping force of the step, and what the energy
// ledger books. On a linear material without loads the numerical loss of a step is then, with m for means of the ends
// and F the same bracket of K q in place of the damping force, ((q+ - q)/h - v_m)'M (v+ - v) + (F - K q_m)'(q+ - q).
//
// Chung, Hulbert: A Time Integration Algorithm for Structural Dynamics With Improved Numerical Dissipation:
// The Generalized-alpha Method, 1993.
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/halving.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/newton.h"
#include "phiflex/integrate/step_memory.h"

namespace phiflex {
namespace {

constexpr MethodInfo kGeneralizedAlphaInfo{
    .name = "generalized-alpha",
    .summary = "second order, damps high frequencies as much as rho_infinity says",
    .order = 2,
    .history = 2,
    .citation = "chung1993generalized",
    .contact = ContactStep::resolved};

struct GeneralizedAlphaOptions {
  NewtonOptions newton;
  double rho_infinity = 0.9;
  bool printed =
      false;  // beta and gamma from am + af, a misprint in circulation that makes the method unstable
};
template <class V>
void fields(V& v, GeneralizedAlphaOptions& o) {
  fields(v, o.newton);
  v({.key = "rho_infinity",
     .doc = "`generalized-alpha`: spectral radius at infinity, 1 keeps high frequencies, 0 removes them",
     .range = {.low = 0, .high = 1}},
    o.rho_infinity);
  v({.key = "printed", .doc = "for `phiflex analyze` to show the misprint", .in_scenes = false}, o.printed);
}

class GeneralizedAlpha final : public Integrator {
 public:
  using Options = GeneralizedAlphaOptions;
  GeneralizedAlpha(const MechanicalSystem& system, const GeneralizedAlphaOptions& options)
      : system_(system), newton_(system, options.newton), halving_(options.newton.halve_step) {
    const double r = options.rho_infinity;
    am_ = (2 * r - 1) / (1 + r);  // (1)
    af_ = r / (1 + r);
    const double alpha = options.printed ? am_ + af_ : am_ - af_;
    beta_ = 0.25 * (1 - alpha) * (1 - alpha);
    gamma_ = 0.5 - alpha;
  }
  const MethodInfo& info() const override { return kGeneralizedAlphaInfo; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    const auto start = [this](const State& from, double length, State& to, Work& work) {
      const StepStatus status = evaluate_acceleration(system_, from, f_, a_, work);
      return status == StepStatus::ok ? advance(from, length, to, work) : status;
    };
    const bool goes_on = memory_.ends_in(now, h, system_.force_version());
    if (goes_on) {
      a_ = carried_;
      report.status = evaluate_force(system_, now, f_, report.work);
      if (report.status == StepStatus::ok) report.status = advance(now, h, next, report.work);
    } else {
      report.status = start(now, h, next, report.work);
    }
    report.status = halving_.rescue(report.status, start, now, h, next, report.work);
    if (report.status != StepStatus::ok) return report;
    memory_.keep(next, h, system_.force_version());
    carried_ = w_ / h;
    if (report.work.halved_steps > 0) {
      memory_.forget();
      return report;
    }
    stage_.place(w_, inside_);
    report.damping = {{{&inside_, 1 / (1 - am_)}}};  // (5)
    report.damping_memory = {
        .kept = -am_ / (1 - am_), .before = 1 - gamma_, .after = gamma_, .starts = !goes_on};
    return report;
  }

  const KeptInverse* kept_inverse() const override { return &newton_.kept(); }
  void save(ArchiveWriter& out) const override {
    put_carried(memory_, carried_, out);
    newton_.save(out);
  }
  void load(ArchiveReader& in) override {
    get_carried(in, system_.dofs(), memory_, carried_);
    newton_.load(in);
  }

 private:
  // With f_ and a_ at now.
  StepStatus advance(const State& now, double h, State& next, Work& work) {
    next.q = now.q + h * now.v + (0.5 - beta_) * h * h * a_;  // (2) without a+
    next.v = now.v + (1 - gamma_) * h * a_;                   // (3) without a+
    stage_.h = h;
    stage_.t = now.t + (1 - af_) * h;
    stage_.s = h / (1 - am_);  // (4), divided by 1 - am
    stage_.w0 = -am_ * stage_.s * a_;
    stage_.q0 = (1 - af_) * next.q + af_ * now.q;
    stage_.v0 = (1 - af_) * next.v + af_ * now.v;
    stage_.rho = (1 - af_) * beta_ * h;
    stage_.sigma = (1 - af_) * gamma_;
    stage_.start = h * a_;
    const StepStatus status = newton_.solve(stage_, now, f_, w_, work);
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.q += beta_ * h * w_;  // (2)
    next.v += gamma_ * w_;     // (3)
    return check_inside_domain(system_, next);
  }

  const MechanicalSystem& system_;
  double am_, af_, beta_, gamma_;
  NewtonSolver newton_;
  Halving halving_;
  ImplicitStage stage_;
  StepMemory memory_;
  Vector carried_;  // a, from the last step
  Vector f_, a_, w_;
  State inside_;  // f of (4)
};

}  // namespace

MethodEntry generalized_alpha_method() {
  return method_entry<GeneralizedAlpha>(kGeneralizedAlphaInfo);
}

}  // namespace phiflex

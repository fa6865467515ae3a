#include "phiflex/integrate/em_method.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "phiflex/integrate/evaluate.h"

namespace phiflex {
namespace {

constexpr int kWait = 20, kWaitInContact = 1;  // of the number of substeps, steps
constexpr double kFarthest = 2;  // of (2): the factor, after steps much shorter than the one to come

double dial_strength(double rho) {
  return rho * (1 - rho) / (2 * (1 + rho) * (1 + rho));  // (3)
}

// The last resort factorizes afresh every time: nothing of it is carried over, and nothing need be saved.
NewtonOptions without_memory(NewtonOptions options) {
  options.tangent.refactor = RefactorPolicy::always;
  return options;
}

}  // namespace

EnergyMomentumMethod::EnergyMomentumMethod(const MethodInfo& info, const MechanicalSystem& system,
                                           const EmOptions& options, std::unique_ptr<ModalFit> fit)
    : info_(info),
      system_(system),
      last_resort_(without_memory(options.newton)),
      chi_(dial_strength(options.dissipation)),
      solver_(system, options),
      fit_(std::move(fit)),
      halving_(options.newton.halve_step),
      has_contacts_(system.has_contacts()),
      substeps_(options.substeps, has_contacts_ ? kWaitInContact : kWait),
      ladder_(system, options.newton.halve_step) {
  if (chi_ == 0) return;
  info_.reversible = info_.conserves_linear_energy = info_.exact_on_linear = false;
}

StepReport EnergyMomentumMethod::step(const State& now, double h, State& next) {
  StepReport report;
  memory_ = kept_;
  step_work_ = {};
  repeated_at_most_ = 0;
  first_ = solver_.kept().ready() ? 0 : 1;
  ElementRates rates;
  if (substeps_.automatic()) {
    rates = solver_.force().rates(resolved_motion(now, h));
    rates.approach = solver_.force().approach_rate(now, h);
  }
  const int asked = substeps_.choose(h, rates);
  ladder_.begin(now, h, h / asked);
  const int n = asked * ladder_.first_parts();
  smallest_step_ = h / asked / 32;
  const auto once = [this](auto&&... arguments) { return advance_or_fall_back(arguments...); };
  for (int k = 0; k < n && report.status == StepStatus::ok; ++k) {
    const State& from = k == 0 ? now : inner_[std::size_t(k % 2)];
    State& to = k + 1 == n ? next : inner_[std::size_t((k + 1) % 2)];
    report.status = halving_.advance(once, from, h / n, to, report.work);
  }
  if (n > 1) report.work.inner_steps += n;
  if (report.status != StepStatus::ok) return report;
  next.t = now.t + h;
  memory_.mean = (next.q - now.q) / h;
  std::swap(kept_, memory_);
  substeps_.accept(asked, effort(report.work));
  ladder_.accept();
  if (report.work.backward_euler_steps == 0 && !ladder_.used_explicit()) report.step_work = step_work_;
  if (chi_ != 0 && !fit_)
    report.modified_energy = kept_.strain.size() > 0 ? solver_.force().dial_energy(chi_, kept_.strain) : 0;
  return report;
}

// The end velocity v holds all that rings, which no number of substeps should follow. The mean velocity of the last
// step is without it; that of the last substep holds the more of it the shorter it is, and would ask for more of them
// again. Where contacts are met, it knows nothing of the latest impact.
const State& EnergyMomentumMethod::resolved_motion(const State& now, double h) {
  if (has_contacts_ || memory_.known == 0 || !memory_.last.ends_in(now, h, 0, system_.mass().team()))
    return now;
  resolved_.t = now.t;
  resolved_.q = now.q;
  resolved_.v = memory_.mean;
  return resolved_;
}

SubstepEffort EnergyMomentumMethod::effort(const Work& work) const {
  SubstepEffort effort{.repeated_at_most = repeated_at_most_};
  if (has_contacts_ || system_.mass().team().size() > 1 || ladder_.used_explicit()) return effort;
  effort.factorization = ladder_.work_of_factorization(solver_.kept());
  effort.iterations = ladder_.work_of_iterations(work, solver_.kept());
  effort.repeated = double(work.factorizations - first_) * effort.factorization;
  return effort;
}

StepStatus EnergyMomentumMethod::advance_or_fall_back(const State& now, double h, State& next, Work& work) {
  if (ladder_.goes_explicit() && explicit_steps(now, h, next, work)) return StepStatus::ok;
  const StepStatus status = advance(now, h, next, work);
  if (status == StepStatus::ok) {
    repeated_at_most_ = std::max(repeated_at_most_, solver_.repeated_factorizations());
    ladder_.converged(h);
    return status;
  }
  if (ladder_.over_budget(h, work, solver_.kept()) && explicit_steps(now, h, next, work))
    return StepStatus::ok;
  const bool smallest = h < 1.5 * smallest_step_;
  return smallest ? backward_euler(now, h, next, work) : status;
}

bool EnergyMomentumMethod::explicit_steps(const State& now, double h, State& next, Work& work) {
  if (ladder_.advance_explicitly(now, h, next, work) != StepStatus::ok) return false;
  start_afresh(next);
  return true;
}

// Forgetting the dial's memory can only lower E*.
void EnergyMomentumMethod::start_afresh(const State& next) {
  memory_.last.forget();
  memory_.strain.resize(0);
  memory_.largest_energy = std::max(memory_.largest_energy, system_.kinetic_energy(next));
}

StepStatus EnergyMomentumMethod::advance(const State& now, double h, State& next, Work& work) {
  const bool goes_on = memory_.last.ends_in(now, h, 0, system_.mass().team());
  if (!goes_on) memory_.last.forget();
  EmStep step{.now = now, .h = h, .dial = {}, .largest_energy = memory_.largest_energy};
  step.dial.chi = chi_;
  if (chi_ != 0 && goes_on && memory_.strain.size() > 0) {
    step.dial.memory = &memory_.strain;
    step.dial.ratio = std::min(1., h / memory_.last.length());
  }
  if (fit_) fit_->update(now, h);
  if (fit_ && !fit_->empty()) {
    step.fit = fit_.get();
    if (step.dial.memory && memory_.modal.size() > 0) step.fit_before = &memory_.modal;
  }
  predict(now, h);
  const StepStatus status = solver_.solve(step, start_, w_, work);
  if (status != StepStatus::ok) return status;
  next.t = now.t + h;
  next.q = now.q + h * w_;  // (1)
  if (step.fit) {
    step.fit->apply(w_, next.v);
    next.v = 2 * next.v - now.v;
  } else {
    next.v = 2 * w_ - now.v;
  }
  if (const StepStatus finite = check_finite(system_, next); finite != StepStatus::ok) return finite;
  const StepWork done = solver_.force().work(w_);
  step_work_.external += done.external;
  step_work_.dissipated += done.dissipated;
  step_work_.friction += done.friction;
  if (chi_ != 0) {
    solver_.force().strain_change(w_, memory_.strain);
    if (step.fit) {
      f_ = h * w_;
      step.fit->coefficients(f_, memory_.modal);
    } else {
      memory_.modal.resize(0);
    }
  }
  remember(next, h);
  return StepStatus::ok;
}

void EnergyMomentumMethod::predict(const State& now, double h) {
  start_ = now.v;
  if (memory_.known != 2 || !memory_.last.known()) return;
  if (memory_.last.has_length(h) && same_time(memory_.length_before, h, h)) {
    start_ = 2 * memory_.w - memory_.w_before;  // (2), as it is for equal lengths
    return;
  }
  if (has_contacts_) return;
  const double h1 = memory_.last.length();
  const double ahead = std::min((h1 + h) / (h1 + memory_.length_before), kFarthest);
  start_ = memory_.w + ahead * (memory_.w - memory_.w_before);  // (2)
}

void EnergyMomentumMethod::remember(const State& next, double h) {
  memory_.known = memory_.last.known() ? std::min(memory_.known + 1, 2) : 1;
  memory_.length_before = memory_.last.length();
  memory_.w_before.swap(memory_.w);
  memory_.w = w_;
  memory_.last.keep(next, h);
  memory_.largest_energy = std::max(memory_.largest_energy, system_.kinetic_energy(next));
}

StepStatus EnergyMomentumMethod::backward_euler(const State& now, double h, State& next, Work& work) {
  ++work.backward_euler_steps;
  if (!newton_) newton_ = std::make_unique<NewtonSolver>(system_, last_resort_);
  StepStatus status = evaluate_force(system_, now, f_, work);
  if (status != StepStatus::ok) return status;
  set_backward_euler(now, h, stage_);
  status = newton_->solve(stage_, now, f_, next.v, work);
  if (status != StepStatus::ok) return status;
  next.t = now.t + h;
  next.q = now.q + h * next.v;
  start_afresh(next);
  return check_inside_domain(system_, next);
}

void EnergyMomentumMethod::save(ArchiveWriter& out) const {
  solver_.save(out);
  substeps_.save(out);
  ladder_.save(out);
  kept_.last.save(out);
  out.put(kept_.largest_energy);
  if (!kept_.last.known()) return;
  out.put(std::int64_t{kept_.known});
  out.put(kept_.length_before);
  out.put(as_span(kept_.w));
  if (kept_.known == 2) out.put(as_span(kept_.w_before));
  out.put(as_span(kept_.mean));
  if (chi_ == 0) return;
  out.put(as_span(kept_.strain));
  if (fit_) out.put(as_span(kept_.modal));
}

void EnergyMomentumMethod::load(ArchiveReader& in) {
  const auto get = [&](Vector& x) {
    const std::vector<double> values = in.get_doubles();
    x = Eigen::Map<const Vector>(values.data(), Index(values.size()));
  };
  solver_.load(in);
  substeps_.load(in);
  ladder_.load(in);
  kept_ = {};
  kept_.last.load(in, system_.dofs());
  kept_.largest_energy = in.get_double();
  if (!kept_.last.known()) return;
  kept_.known = in.get_integer() == 2 ? 2 : 1;
  kept_.length_before = in.get_double();
  if (!(kept_.length_before >= 0)) throw ArchiveError("a length of a step that no run has");
  kept_.w.resize(system_.dofs());
  in.get_doubles(as_span(kept_.w));
  kept_.w_before.resize(system_.dofs());
  if (kept_.known == 2) in.get_doubles(as_span(kept_.w_before));
  kept_.mean.resize(system_.dofs());
  in.get_doubles(as_span(kept_.mean));
  if (chi_ == 0) return;
  get(kept_.strain);
  if (kept_.strain.size() != 0 && kept_.strain.size() != solver_.force().memory_size())
    throw ArchiveError("the dial's memory is of another system");
  if (!fit_) return;
  get(kept_.modal);
  if (kept_.modal.size() != 0 && kept_.modal.size() != fit_->count())
    throw ArchiveError("the memory of the fitted modes is of another system");
}

}  // namespace phiflex

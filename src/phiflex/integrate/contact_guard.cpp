#include "phiflex/integrate/contact_guard.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "phiflex/integrate/evaluate.h"

namespace phiflex {
namespace {

constexpr std::size_t kGuardLevels = 12;          // of halving
constexpr double kExplicit = 0.2, kResolved = 1;  // of (2)
constexpr double kForeseen = 4;                   // of (3)
constexpr double kDrag = 1;                       // of (5)
constexpr double kThrown = 2, kRounding = 1e-3;   // of (4)

class GuardedMethod final : public Integrator {
 public:
  GuardedMethod(std::unique_ptr<Integrator> method, const MechanicalSystem& system)
      : method_(std::move(method)), guard_(system, method_->info().contact), meter_(system.work_meter()) {}
  const MethodInfo& info() const override { return method_->info(); }

  StepReport step(const State& now, double h, State& next) override {
    StepReport whole;
    int parts = 0;
    const auto once = [&](const State& from, double length, State& to, Work& work) {
      const StepReport part = method_->step(from, length, to);
      work += part.work;
      // The work of the step, and where it was damped, are known of a step that is made whole.
      const bool is_whole = ++parts == 1 && part.status == StepStatus::ok;
      whole.step_work = is_whole ? part.step_work : std::nullopt;
      whole.damping = is_whole ? part.damping : DampingPoints{};
      whole.damping_memory = is_whole ? part.damping_memory : std::nullopt;
      whole.cost += part.cost;
      whole.function_error = std::max(whole.function_error, part.function_error);
      whole.eigen_residual = std::max(whole.eigen_residual, part.eigen_residual);
      if (!part.evaluator.empty()) whole.evaluator = part.evaluator;
      if (part.error_estimate)
        whole.error_estimate = std::max(whole.error_estimate.value_or(0), *part.error_estimate);
      return part.status;
    };
    // Parts of a step are booked one by one; of a whole one, its ends tell the ledger.
    std::optional<StepWork> sum;
    const auto book = [&](const State& from, const State& to) {
      if (!meter_ || (&from == &now && &to == &next)) return;
      if (!sum) sum.emplace();
      *sum += meter_->between(from, to);
    };
    whole.status = guard_.advance(once, now, h, next, whole.work, book);
    if (sum) whole.step_work = sum;
    return whole;
  }
  const KeptInverse* kept_inverse() const override { return method_->kept_inverse(); }
  void save(ArchiveWriter& out) const override { method_->save(out); }
  void load(ArchiveReader& in) override { method_->load(in); }

 private:
  std::unique_ptr<Integrator> method_;
  ContactGuard guard_;
  std::unique_ptr<WorkMeter> meter_;  // null: not needed
};

}  // namespace

ContactGuard::ContactGuard(const MechanicalSystem& system, ContactStep kind, bool resolves_drag)
    : system_(system),
      kind_(kind),
      resolves_drag_(resolves_drag && kind == ContactStep::explicit_force),
      halving_(true, system.has_contacts() ? kGuardLevels : 0) {}

StepStatus ContactGuard::advance(Halving::OneStep step, const State& now, double h, State& next, Work& work,
                                 Accepted accepted) {
  if (!needed()) {
    const StepStatus status = step(now, h, next, work);
    if (status == StepStatus::ok) accepted(now, next);
    return status;
  }
  const auto judged = [&](const State& from, double length, State& to, Work& done) {
    const bool looks = kind_ != ContactStep::solved, foresees = kind_ == ContactStep::linearized;
    const double limit = kind_ == ContactStep::explicit_force ? kExplicit : kResolved;
    const double before = looks ? system_.contact_stiffness(from) : 0;
    met_ = met_ || before > 0;
    if (looks && !foresees && !(length * std::sqrt(before) <= limit)) return StepStatus::not_stable;  // (2)
    const auto rubs_too_hard = [&](const State& at) {
      return resolves_drag_ && !(length * system_.contact_drag(at) <= kDrag);  // (5)
    };
    if (rubs_too_hard(from)) return StepStatus::rubs_too_hard;
    const StepStatus status = step(from, length, to, done);
    if (status != StepStatus::ok) return status;
    if (const StepStatus finite = check_finite(system_, to); finite != StepStatus::ok) return finite;
    if (system_.free_way(from, to) < 1) return StepStatus::not_free;  // (1)
    if (!looks) return StepStatus::ok;
    if (rubs_too_hard(to)) return StepStatus::rubs_too_hard;
    if (kind_ == ContactStep::resolved) {
      const double largest = std::max(acceleration(from, done), acceleration(to, done));
      const auto size = [&](const Vector& v) { return std::sqrt(system_.mass().dot(v, v)); };
      a_ = to.v - from.v;
      if (!(size(a_) <= kThrown * length * largest + kRounding * size(from.v)))
        return StepStatus::not_stable;  // (4)
    }
    const double there = system_.contact_stiffness(to), after = there - (foresees ? kForeseen * before : 0);
    met_ = met_ || there > 0;
    return length * std::sqrt(std::max(after, 0.)) <= limit ? StepStatus::ok
                                                            : StepStatus::not_stable;  // (2), (3)
  };
  const auto guarded = [&](const State& from, double length, State& to, Work& done) {
    const StepStatus status = judged(from, length, to, done);
    if (status == StepStatus::ok) accepted(from, to);
    return status;
  };
  return halving_.advance(guarded, now, h, next, work);
}

double ContactGuard::acceleration(const State& at, Work& work) {
  if (evaluate_acceleration(system_, at, f_, a_, work) != StepStatus::ok)
    return std::numeric_limits<double>::infinity();
  return std::sqrt(dot(system_.mass().team(), f_, a_));
}

std::unique_ptr<Integrator> guard_contacts(std::unique_ptr<Integrator> method,
                                           const MechanicalSystem& system) {
  if (!system.has_contacts() || method->info().contact == ContactStep::guarded) return method;
  return std::make_unique<GuardedMethod>(std::move(method), system);
}

}  // namespace phiflex

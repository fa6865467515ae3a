// Velocity Verlet (leapfrog.h) in as many equal substeps as its stability asks for: explicit, and at any step
// as stable as its estimate,
//
//   n = the smallest with h/n <= the stable step (stable_step.h), at the beginning and at the end         (1)
//
// of the step, and a quarter of it from the first touch of a barrier or the first projection on ((3) there). A
// substep in which a contact is stiffer than it resolves is halved (contact_guard.h). 20,000 substeps at most. Where
// the body has stiffened so much that the end asks for more, the step is made again with as many, and then each time
// with twice as many: the end depends on n itself, most of all where friction takes hold of a body. With a given
// number of substeps it is symplectic and reversible, and the caller answers for its stability.
// Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, section I.1.4.
#include <array>
#include <cmath>
#include <cstdint>

#include "phiflex/integrate/leapfrog.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/stable_step.h"
#include "phiflex/integrate/step_memory.h"

namespace phiflex {
namespace {

constexpr MethodInfo kVerletInfo{.name = "verlet",
                                 .summary = "explicit Verlet that divides its step as stability asks",
                                 .order = 2,
                                 .citation = "hairer2006geometric",
                                 .contact = ContactStep::guarded,
                                 .auto_role = AutoRole::explicit_step,
                                 .on_ranks = UsualStep{}};

struct VerletOptions {
  int substeps = 0;  // in a step; 0: as stability asks for
};
template <class V>
void fields(V& v, VerletOptions& o) {
  v(option::substeps, o.substeps);
}

constexpr int kMostInnerSteps = 20000;
constexpr int kMostTries = 8;

class Verlet final : public Integrator {
 public:
  using Options = VerletOptions;
  Verlet(const MechanicalSystem& system, const VerletOptions& options)
      : fixed_(options.substeps),
        leapfrog_(system, system.friction_kick()),
        stable_(system),
        guard_(system, ContactStep::explicit_force, !leapfrog_.kicks()),
        team_(system.mass().team()),
        dofs_(system.dofs()),
        meter_(system.work_meter()) {
    info_.symplectic = info_.reversible = fixed_ > 0;
  }
  const MethodInfo& info() const override { return info_; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    report.status =
        fixed_ > 0 ? advance(now, h, fixed_, next, report.work) : advance_stably(now, h, next, report.work);
    if (meter_) report.step_work = step_work_;
    return report;
  }
  void expect_impacts() override { touched_ = true; }
  // The stable step at the end is that at the beginning of the next step.
  void save(ArchiveWriter& out) const override {
    leapfrog_.save(out);
    memory_.save(out);
    out.put(stable_at_end_);
    out.put(std::int64_t{touched_});
  }
  void load(ArchiveReader& in) override {
    leapfrog_.load(in);
    memory_.load(in, dofs_);
    stable_at_end_ = in.get_double();
    touched_ = in.get_integer(0, 1) == 1;
  }

 private:
  StepStatus advance_stably(const State& now, double h, State& next, Work& work) {
    const bool goes_on = memory_.ends_in(now, h, 0, team_);
    touched_ = touched_ || (memory_.ends_at(now.t, h) && !goes_on);  // a projection changed the state
    double stable = goes_on ? stable_at_end_ : longest_at(now, work);
    StepStatus status = StepStatus::not_finite;
    for (int attempt = 0; attempt < kMostTries; ++attempt) {
      if (!(stable > 0)) return StepStatus::not_finite;
      const double n = std::max(1., std::ceil(h / stable));  // (1)
      if (!(n <= kMostInnerSteps)) return StepStatus::not_stable;
      if (attempt > 0) ++work.rejected_steps;
      status = advance(now, h, static_cast<int>(n), next, work);
      touched_ = touched_ || guard_.has_met();
      const double at_end = status == StepStatus::ok ? longest_at(next, work) : 0;
      if (at_end >= h / n) {
        stable_at_end_ = at_end;
        memory_.keep(next, h);
        return StepStatus::ok;
      }
      if (status == StepStatus::ok && at_end == 0) status = StepStatus::not_finite;
      // What the end asks for; where there is no end, and from the second time on, half as long at most.
      const double half = h / n / 2;
      stable = at_end == 0 ? half : attempt == 0 ? at_end : std::min(at_end, half);
    }
    return status == StepStatus::ok ? StepStatus::not_stable : status;
  }

  double longest_at(const State& at, Work& work) {
    return (touched_ ? kResolvedPart : 1) * stable_.at(at, work);
  }

  StepStatus advance(const State& now, double h, int n, State& next, Work& work) {
    StepStatus status = StepStatus::ok;
    int made = 0;
    step_work_ = {};
    const auto once = [&](const State& from, double length, State& to, Work& done) {
      return ++made > kMostInnerSteps ? StepStatus::not_stable : leapfrog_.advance(from, length, to, done);
    };
    const auto book = [&](const State& from, const State& to) {
      if (!meter_) return;
      StepWork part = meter_->between(from, to);
      if (leapfrog_.kicks()) part.friction = leapfrog_.friction() + meter_->spent_by_movers();
      step_work_ += part;
    };
    for (int k = 0; k < n && status == StepStatus::ok; ++k) {
      const State& from = k == 0 ? now : inner_[std::size_t(k % 2)];
      State& to = k + 1 == n ? next : inner_[std::size_t((k + 1) % 2)];
      status = guard_.advance(once, from, h / n, to, work, book);
    }
    if (made > 1) work.inner_steps += made;
    next.t = now.t + h;
    return status;
  }

  MethodInfo info_ = kVerletInfo;
  int fixed_;  // substeps; 0: by (1)
  Leapfrog leapfrog_;
  StableStep stable_;
  bool touched_ = false;  // a barrier or a projection, so far
  ContactGuard guard_;
  const Team& team_;
  Index dofs_;
  std::unique_ptr<WorkMeter> meter_;  // null: the ends of a step tell its work
  StepWork step_work_;                // of the step under way
  StepMemory memory_;
  double stable_at_end_ = 0;  // s, where the last step ended
  std::array<State, 2> inner_;
};

}  // namespace

MethodEntry verlet_method() {
  return method_entry<Verlet>(kVerletInfo);
}

}  // namespace phiflex

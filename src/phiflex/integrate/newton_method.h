// What one-step methods share whose stage is solved by Newton's method: a step is one advance(), or several
// of them on halved steps where it fails.
#pragma once

#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/halving.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/newton.h"

namespace phiflex {

class NewtonMethod : public Integrator {
 public:
  using Options = NewtonOptions;
  StepReport step(const State& now, double h, State& next) final {
    StepReport report;
    const auto once = [this](auto&&... arguments) { return advance(arguments...); };
    report.status = halving_.advance(once, now, h, next, report.work);
    if (report.status == StepStatus::ok && report.work.halved_steps == 0)
      report.damping = damping_points(now, next);
    return report;
  }
  const KeptInverse* kept_inverse() const final { return &newton_.kept(); }
  void save(ArchiveWriter& out) const final { newton_.save(out); }
  void load(ArchiveReader& in) final { newton_.load(in); }

 protected:
  NewtonMethod(const MechanicalSystem& system, const NewtonOptions& options)
      : system_(system), newton_(system, options), halving_(options.halve_step) {}

  virtual StepStatus advance(const State& now, double h, State& next, Work& work) = 0;
  // Where the latest advance() took the damping force; called after one that succeeded.
  virtual DampingPoints damping_points(const State& now, const State& next) {
    return (void)now, (void)next, DampingPoints{};
  }

  const MechanicalSystem& system_;
  NewtonSolver newton_;
  ImplicitStage stage_;
  Vector f_;  // the force at the beginning of a step

 private:
  Halving halving_;
};

}  // namespace phiflex

// What the exponential Rosenbrock methods share: a LinearizedFlow, and a step that reports its evaluator.
#pragma once

#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/linearized_flow.h"
#include "phiflex/integrate/method_entry.h"

namespace phiflex {

class ExponentialMethod : public Integrator {
 public:
  using Options = ExponentialOptions;
  ExponentialMethod(const MechanicalSystem& system, const ExponentialOptions& options)
      : flow_(system, options) {}

  StepReport step(const State& now, double h, State& next) final {
    StepReport report;
    report.status = flow_.linearize(now, h, report);
    if (report.status == StepStatus::ok) report.status = increment(h, dw_, report);
    if (report.status == StepStatus::ok) report.status = flow_.add(h, dw_, next);
    return report;
  }
  const KeptInverse* kept_inverse() const override { return flow_.kept(); }
  void save(ArchiveWriter& out) const override { flow_.save(out); }
  void load(ArchiveReader& in) override { flow_.load(in); }

 protected:
  // dw = u+ - u of a step of length h; flow_ is linearized at u.
  virtual StepStatus increment(double h, Vector& dw, StepReport& report) = 0;

  LinearizedFlow flow_;

 private:
  Vector dw_;
};

}  // namespace phiflex

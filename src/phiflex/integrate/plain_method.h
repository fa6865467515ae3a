// A method whose step has a status and counted work, and nothing else to report.
#pragma once

#include "phiflex/integrate/integrator.h"

namespace phiflex {

class PlainMethod : public Integrator {
 public:
  StepReport step(const State& now, double h, State& next) final {
    StepReport report;
    report.status = advance(now, h, next, report.work);
    return report;
  }

 private:
  // As step(), counting into `work`; `next` means nothing when it fails.
  virtual StepStatus advance(const State& now, double h, State& next, Work& work) = 0;
};

}  // namespace phiflex

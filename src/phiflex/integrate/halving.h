// The last resort of a step that fails: two half steps in its place, each of which may be halved again, five
// times at most, or as often as given. The half steps are taken by a one-step map: methods with a history give the
// map that starts it, and forget the history afterwards.
#pragma once

#include <vector>

#include "phiflex/base/function_ref.h"
#include "phiflex/system/state.h"
#include "phiflex/system/step_report.h"

namespace phiflex {

class Halving {
 public:
  using OneStep = FunctionRef<StepStatus(const State& now, double h, State& next, Work& work)>;

  explicit Halving(bool allowed, std::size_t levels = 5) : allowed_(allowed), middle_(levels) {}

  // One step, halved where it fails.
  StepStatus advance(OneStep step, const State& now, double h, State& next, Work& work) {
    return rescue(step(now, h, next, work), step, now, h, next, work);
  }
  // Nothing when the status is ok; else two half steps.
  StepStatus rescue(StepStatus status, OneStep step, const State& now, double h, State& next, Work& work) {
    return rescue_at(0, status, step, now, h, next, work);
  }

 private:
  StepStatus rescue_at(std::size_t level, StepStatus status, OneStep step, const State& now, double h,
                       State& next, Work& work) {
    if (status == StepStatus::ok || !allowed_ || level == middle_.size()) return status;
    ++work.halved_steps;
    State& middle = middle_[level];
    status = step(now, h / 2, middle, work);
    status = rescue_at(level + 1, status, step, now, h / 2, middle, work);
    if (status != StepStatus::ok) return status;
    status = step(middle, h / 2, next, work);
    status = rescue_at(level + 1, status, step, middle, h / 2, next, work);
    next.t = now.t + h;
    return status;
  }

  bool allowed_;
  std::vector<State> middle_;
};

}  // namespace phiflex

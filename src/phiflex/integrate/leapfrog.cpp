#include "phiflex/integrate/leapfrog.h"

#include "phiflex/integrate/evaluate.h"

namespace phiflex {

StepStatus Leapfrog::advance(const State& now, double h, State& next, Work& work) {
  StepStatus status = StepStatus::ok;
  if (memory_.ends_in(now, h, system_.force_version(), system_.mass().team())) {
    a_ = carried_;
  } else {
    status = evaluate_acceleration(system_, now, f_, a_, work);
  }
  if (status != StepStatus::ok) return status;
  w_ = now.v + h / 2 * a_;  // (1)
  next.t = now.t + h;
  next.q = now.q + h * w_;  // (2)
  next.v = now.v + h * a_;
  status = evaluate_acceleration(system_, next, f_, a_, work);
  if (status != StepStatus::ok) return status;
  next.v = w_ + h / 2 * a_;  // (3)
  status = check_finite(system_, next);
  if (status == StepStatus::ok && !system_.force_depends_on_velocity()) {
    memory_.keep(next, h, system_.force_version());
    carried_ = a_;
  }
  return status;
}

void Leapfrog::save(ArchiveWriter& out) const {
  put_carried(memory_, carried_, out);
}

void Leapfrog::load(ArchiveReader& in) {
  get_carried(in, system_.dofs(), memory_, carried_);
}

}  // namespace phiflex

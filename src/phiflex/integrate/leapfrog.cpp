#include "phiflex/integrate/leapfrog.h"

#include "phiflex/integrate/evaluate.h"

namespace phiflex {

StepStatus Leapfrog::evaluate(const State& at, Work& work) {
  if (!kick_) return evaluate_acceleration(system_, at, f_, a_, work);
  ++work.force_evaluations;
  kick_->other_forces(at, f_);
  if (!all_finite(system_.mass().team(), f_)) return StepStatus::not_finite;
  system_.mass().solve(f_, a_);
  return StepStatus::ok;
}

StepStatus Leapfrog::advance(const State& now, double h, State& next, Work& work) {
  StepStatus status = StepStatus::ok;
  if (memory_.ends_in(now, h, system_.force_version(), system_.mass().team())) {
    a_ = carried_;
  } else {
    status = evaluate(now, work);
  }
  if (status != StepStatus::ok) return status;
  w_ = now.v + h / 2 * a_;  // (1)
  friction_ = 0;
  if (kick_) {
    start_.t = now.t;
    start_.q = now.q;
    start_.v.swap(w_);
    friction_ = kick_->kick(start_, h / 2);
    w_.swap(start_.v);
  }
  next.t = now.t + h;
  next.q = now.q + h * w_;  // (2)
  next.v = kick_ ? w_ + h / 2 * a_ : now.v + h * a_;
  status = evaluate(next, work);
  if (status != StepStatus::ok) return status;
  next.v = w_ + h / 2 * a_;  // (3)
  if (kick_) friction_ += kick_->kick(next, h / 2);
  status = check_finite(system_, next);
  if (status == StepStatus::ok && !depends_on_velocity()) {
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

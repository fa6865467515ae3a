#include "phiflex/integrate/leapfrog.h"

#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/same_time.h"

namespace phiflex {

StepStatus Leapfrog::advance(const State& now, double h, State& next, Work& work) {
  StepStatus status = StepStatus::ok;
  if (knows_acceleration_at(now, h)) {
    a_ = known_a_;
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
  status = check_finite(next);
  if (status == StepStatus::ok && !system_.force_depends_on_velocity()) {
    known_t_ = next.t;
    known_q_ = next.q;
    known_a_ = a_;
  }
  return status;
}

bool Leapfrog::knows_acceleration_at(const State& now, double h) const {
  return known_q_.size() == now.q.size() && same_time(known_t_, now.t, h) && known_q_ == now.q;
}

void Leapfrog::save(ArchiveWriter& out) const {
  out.put(known_t_);
  out.put(as_span(known_q_));
  out.put(as_span(known_a_));
}

void Leapfrog::load(ArchiveReader& in) {
  const auto to_vector = [](const std::vector<double>& values) -> Vector {
    return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  };
  known_t_ = in.get_double();
  known_q_ = to_vector(in.get_doubles());
  known_a_ = to_vector(in.get_doubles());
  if (known_q_.size() != known_a_.size() || (known_q_.size() > 0 && known_q_.size() != system_.dofs()))
    throw ArchiveError("the archive is of another system");
}

}  // namespace phiflex

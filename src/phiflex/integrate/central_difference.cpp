// Central differences as a one-step map (velocity Verlet, leapfrog):
//
//   w  = v + h/2 M^-1 f(t, q, v)                     the velocity at t + h/2                              (1)
//   q+ = q + h w                                                                                          (2)
//   v+ = w + h/2 M^-1 f(t + h, q+, v + h M^-1 f(t, q, v))                                                 (3)
//
// so that q+ - 2 q + q- = h^2 M^-1 f(t, q) when f does not depend on the velocity. Where it does, (3)
// takes it at a velocity that is right to O(h^2): the order stays 2. Where it does not, the force of (3) is
// that of (1) in the next step, and is not computed twice.
// Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, section I.1.4.
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/methods.h"
#include "phiflex/integrate/same_time.h"

namespace phiflex {
namespace {

constexpr MethodInfo kInfo{.name = "central-difference",
                           .summary = "explicit Verlet; stable for h w_max < 2",
                           .order = 2,
                           .symplectic = true,
                           .conditionally_stable = true,
                           .stability_limit = 2,
                           .reversible = true,
                           .citation = "hairer2006geometric"};

class CentralDifference final : public Integrator {
 public:
  CentralDifference(const MechanicalSystem& system, const IntegratorOptions&) : system_(system) {}
  const MethodInfo& info() const override { return kInfo; }

  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    report.status = advance(now, h, next, report.work);
    return report;
  }
  // Saved, so that a resumed run does the same work and gets the same bits.
  void save(ArchiveWriter& out) const override {
    out.put(known_t_);
    out.put(as_span(known_q_));
    out.put(as_span(known_a_));
  }
  void load(ArchiveReader& in) override {
    known_t_ = in.get_double();
    known_q_ = to_vector(in.get_doubles());
    known_a_ = to_vector(in.get_doubles());
    if (known_q_.size() != known_a_.size() || (known_q_.size() > 0 && known_q_.size() != system_.dofs()))
      throw ArchiveError("the archive is of another system");
  }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) {
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

  static Vector to_vector(const std::vector<double>& values) {
    return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  }

  bool knows_acceleration_at(const State& now, double h) const {
    return known_q_.size() == now.q.size() && same_time(known_t_, now.t, h) && known_q_ == now.q;
  }

  const MechanicalSystem& system_;
  double known_t_ = 0;
  Vector known_q_, known_a_;  // known_q_ is empty when nothing is known
  Vector f_, a_, w_;
};

}  // namespace

MethodEntry central_difference_method() {
  return {&kInfo, {}, make_method<CentralDifference>};
}

}  // namespace phiflex

// The implicit midpoint rule, with the mean velocity w = (v + v+)/2 as the unknown:
//
//   M (w - v) = h/2 f(t + h/2, q + h/2 w, w)                                                              (1)
//   q+ = q + h w,   v+ = 2 w - v                                                                          (2)
//
// Hairer, Lubich, Wanner: Geometric Numerical Integration, 2006, section II.1.
#include "phiflex/integrate/newton_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kMidpointInfo{
    .name = "midpoint",
    .summary = "implicit midpoint: symplectic, no numerical damping of linear motion",
    .order = 2,
    .symplectic = true,
    .reversible = true,
    .conserves_linear_energy = true,
    .citation = "hairer2006geometric",
    .contact = ContactStep::resolved,
    .on_ranks = UsualStep{.forces = 3, .matrices = 3, .iterations = 24}};

class Midpoint final : public NewtonMethod {
 public:
  Midpoint(const MechanicalSystem& system, const NewtonOptions& options) : NewtonMethod(system, options) {}
  const MethodInfo& info() const override { return kMidpointInfo; }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    StepStatus status = evaluate_force(system_, now, f_, work);
    if (status != StepStatus::ok) return status;
    set_backward_euler(now, h / 2, stage_);  // (1) is a backward Euler step of half the length
    status = newton_.solve(stage_, now, f_, w_, work);
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    next.q = now.q + h * w_;  // (2)
    next.v = 2 * w_ - now.v;  // (2)
    return check_inside_domain(system_, next);
  }
  DampingPoints damping_points(const State&, const State&) override {
    stage_.place(w_, middle_);  // (1)
    return {{{&middle_, 1}}};
  }

  Vector w_;
  State middle_;
};

}  // namespace

MethodEntry midpoint_method() {
  return method_entry<Midpoint>(kMidpointInfo);
}

}  // namespace phiflex

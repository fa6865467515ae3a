// The explicit method of Zheng and others: two steps of positions, divided by a matrix of the rest shape,
//
//   S (q+ - 2q + q-) = h^2 f(t, q, w),   w = (q - q-)/h,   S = p h^2 K0 + q/2 h D0 + r M                  (1)
//
// with D0, K0 at rest: S is factorized once. Its momentum m = S w+ is carried from step to step:
//
//   S w = m,   q+ = q + h w                                                                               (2)
//   m+ = m + h f(t + h, q+, w)                                                                            (3)
//   B v+ = m+ - h/2 f(t + h, q+, 0),      B = S - h/2 D0 - h^2/4 K0                                       (4)
//
// (2) and (3) are (1). (4) is the velocity (q++ - q)/2h to second order; on linear systems it is the one for
// which q+ = q + h/2 (v + v+), and for p = 1/4, q = r = 1, where B = M, positions and velocities are those of
// Newmark's average acceleration. A step that does not go on from the last one (the first, a changed h) takes
// m from (4):
//
//   m = B v + h/2 f(t, q, 0)                                                                              (5)
//
// which is q- = q - h v + h^2/2 a to second order; that start itself, with a = M^-1 f, would throw modes with
// h w >> 1 out by (h w)^3/8. Without damping (2) to (5) are a kick, a drift with the mass S and a kick.
//
// Roots of (1) for an oscillator: stable at any h if p >= 1/4 and q >= 1, at h w < 2 sqrt(r/(1 - 4p)) for
// p < 1/4, beyond which B is indefinite and the step fails. Where the body is stiffer than at rest, p and q
// have to be larger by w^2/w0^2 and w/w0. r M takes the place of the mass: any r but 1 changes the
// frequencies, by 1/sqrt(r). Order 2 asks for q = r = 1 and a constant D.
// Zheng, Yuan, Tong, Zhang, Zhu: A Novel Unconditionally Stable Explicit Integration Method for Finite Element
// Method, 2017.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <stdexcept>

#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/method_entry.h"
#include "phiflex/integrate/plain_method.h"
#include "phiflex/integrate/rest_solver.h"
#include "phiflex/integrate/step_memory.h"

namespace phiflex {
namespace {

constexpr MethodInfo kZhengInfo{
    .name = "zheng",
    .summary = "explicit, divided by a matrix of the rest shape: Newmark if linear",
    .order = 2,
    .symplectic = true,
    .reversible = true,
    .conserves_linear_energy = true,
    .history = 2,
    .citation = "zheng2017explicit",
    .contact = ContactStep::explicit_force};

struct ZhengOptions {
  double p = 0.25, q = 1, r = 1;  // weights of stiffness, damping and mass in its matrix
  RestOptions rest;
};
template <class V>
void fields(V& v, ZhengOptions& o) {
  v({.key = "p",
     .doc = "`zheng`: weight of the rest shape's stiffness; stable at any step from 1/4 on",
     .range = {.low = 0, .high = 1000}},
    o.p);
  v({.key = "q",
     .doc = "`zheng`: weight of the rest shape's damping; stable at any step from 1 on, second order for 1 "
            "alone",
     .range = {.low = 0, .high = 1000}},
    o.q);
  v({.key = "r",
     .doc = "`zheng`: weight of the mass; any value but 1 changes the frequencies",
     .range = {.low = 0, .at_low = Bound::exclusive, .high = 1000}},
    o.r);
  fields(v, o.rest);
}

double stability_limit(const ZhengOptions& o) {  // of h w, for p < 1/4
  return 2 * std::sqrt(o.r / (1 - 4 * o.p));
}

class Zheng final : public PlainMethod {
 public:
  using Options = ZhengOptions;
  Zheng(const MechanicalSystem& system, const ZhengOptions& options)
      : system_(system), p_(options.p), q_(options.q), r_(options.r), S_(system, options.rest) {
    if (p_ != 0.25 || q_ != 1) B_.emplace(system, options.rest);
    info_.order = r_ != 1 ? 0 : q_ != 1 ? 1 : 2;
    info_.symplectic = p_ == 0.25 && r_ == 1;
    info_.conserves_linear_energy = p_ == 0.25 && r_ == 1;
    info_.conditionally_stable = p_ < 0.25;
    if (info_.conditionally_stable) info_.stability_limit = stability_limit(options);
  }
  const MethodInfo& info() const override { return info_; }
  void save(ArchiveWriter& out) const override {
    put_carried(memory_, carried_, out);
    S_.save(out);
    if (B_) B_->save(out);
  }
  void load(ArchiveReader& in) override {
    get_carried(in, system_.dofs(), memory_, carried_);
    S_.load(in);
    if (B_) B_->load(in);
  }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    StepStatus status = prepare(now, h, work);
    if (status == StepStatus::ok) status = take_momentum(now, h, work);
    if (status == StepStatus::ok) status = S_.solve(m_, at_.v, work);  // (2)
    if (status != StepStatus::ok) return status;
    at_.t = next.t = now.t + h;
    at_.q = next.q = now.q + h * at_.v;  // (2)
    status = evaluate_force(system_, at_, f_, work);
    if (status != StepStatus::ok) return status;
    m_ += h * f_;  // (3)
    status = evaluate_without_velocity(work);
    if (status != StepStatus::ok) return status;
    f_ = m_ - h / 2 * f_;
    if (B_) {
      status = B_->solve(f_, next.v, work);  // (4)
    } else {
      system_.mass().solve(f_, next.v);  // (4), B = r M
      next.v /= r_;
    }
    if (status == StepStatus::ok) status = check_finite(system_, next);
    if (status != StepStatus::ok) return status;
    memory_.keep(next, h);
    carried_ = m_;
    return status;
  }

  StepStatus prepare(const State& now, double h, Work& work) {
    S_shift_ = {.a = r_, .b = q_ / 2 * h, .c = p_ * h * h};
    B_shift_ = {.a = r_, .b = (q_ - 1) / 2 * h, .c = (p_ - 0.25) * h * h};
    const StepStatus status = S_.prepare(S_shift_, now, work);
    return status == StepStatus::ok && B_ ? B_->prepare(B_shift_, now, work) : status;
  }

  StepStatus take_momentum(const State& now, double h, Work& work) {
    if (memory_.continues_with(now, h)) {
      m_ = carried_;
      return StepStatus::ok;
    }
    at_ = now;
    f_.resize(0);
    const StepStatus status = evaluate_without_velocity(work);
    if (status != StepStatus::ok) return status;
    system_.mass().apply(now.v, m_);
    m_ = r_ * m_ + h / 2 * f_;  // (5)
    if (!B_) return status;
    S_.tangent().apply_D(now.v, f_);
    m_ += B_shift_.b * f_;
    S_.tangent().apply_K(now.v, f_);
    m_ += B_shift_.c * f_;
    return status;
  }

  // f_ at (t, q, 0) of at_; it is there already when f_ was taken at at_ and velocities do not matter.
  StepStatus evaluate_without_velocity(Work& work) {
    if (f_.size() > 0 && !system_.force_depends_on_velocity()) return StepStatus::ok;
    at_.v.setZero();
    return evaluate_force(system_, at_, f_, work);
  }

  const MechanicalSystem& system_;
  double p_, q_, r_;
  MethodInfo info_ = kZhengInfo;
  RestSolver S_;
  std::optional<RestSolver> B_;  // where B is not r M
  Shift S_shift_, B_shift_;
  StepMemory memory_;
  Vector carried_;  // m+
  State at_;
  Vector m_, f_;
};

std::vector<std::string> zheng_warnings(const MechanicalSystem&, const IntegratorOptions& options) {
  const auto o = options.read<ZhengOptions>();
  std::vector<std::string> notes;
  if (o.r != 1)
    notes.push_back(
        fmt::format("zheng with r = {:.6g}: r multiplies the mass, so that every frequency becomes "
                    "{:.3f} of what it should be; only r = 1 solves the equations of motion",
                    o.r, 1 / std::sqrt(o.r)));
  if (o.p < 0.25)
    notes.push_back(
        fmt::format("zheng with p = {:.6g} is stable only for h w_max < {:.4g}; with p >= 1/4 at any "
                    "step",
                    o.p, stability_limit(o)));
  if (o.q < 1)
    notes.push_back(
        fmt::format("zheng with q = {:.6g} is only conditionally stable where there is damping; with "
                    "q >= 1 at any step",
                    o.q));
  return notes;
}

}  // namespace

MethodEntry zheng_method() {
  return {&kZhengInfo, described_options<ZhengOptions>(), make_method<Zheng>, zheng_warnings};
}

}  // namespace phiflex

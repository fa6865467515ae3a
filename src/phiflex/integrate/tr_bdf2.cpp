// TR-BDF2: the trapezoidal rule to the time t + gamma h, then the two-step backward differentiation formula on the
// three points t, t + gamma h and t + h. With u = (q, v), F = (v, M^-1 f), gamma = 2 - sqrt(2), d = 1 - 1/sqrt(2):
//
//   u* = u + d h (F(t, u) + F(t + gamma h, u*)),                                2 d = gamma               (1)
//   u+ = c u* - (c - 1) u + d h F(t + h, u+),                                   c = (1 + sqrt(2))/2        (2)
//
// A one-step method of order 2, L-stable. This gamma gives both stages the same matrix M + d h D + (d h)^2 K, so that
// one factorization serves both. In the unknown w = v* of (1) and w = v+ of (2):
//
//   M (w - (v + d h a))        = d h f(t + gamma h, q + d h v + d h w, w),       a = M^-1 f(t, q, v)        (3)
//   M (w - (c v* - (c - 1) v)) = d h f(t + h, c q* - (c - 1) q + d h w, w)                                 (4)
//
// From (1) and (2), with b = c d = sqrt(2)/4 and 2 b + d = 1,
//
//   q+ - q = h (b v + b v* + d v+),   M (v+ - v) = h (b f + b f* + d f+)                                  (5)
//
// so that the damping force of the step is that mean of those at the three points: what the energy ledger books. On a
// linear material without loads the numerical loss of a step is then, with m for means of the ends and b for those of
// (5), (v_b - v_m)'M (v+ - v) + (q_b - q_m)'K (q+ - q).
//
// Bank, Coughran, Fichtner, Grosse, Rose, Smith: Transient Simulation of Silicon Devices and Circuits, 1985;
// Hosea, Shampine: Analysis and implementation of TR-BDF2, 1996.
#include <numbers>

#include "phiflex/integrate/newton_method.h"

namespace phiflex {
namespace {

constexpr MethodInfo kTrBdf2Info{
    .name = "tr-bdf2",
    .summary = "trapezoidal rule, then two-step backward differences: second order, damps high frequencies",
    .order = 2,
    .l_stable = true,
    .citation = "bank1985transient",
    .contact = ContactStep::solved};

constexpr double kTrBdf2Gamma = 2 - std::numbers::sqrt2;
constexpr double kTrBdf2D = kTrBdf2Gamma / 2;
constexpr double kTrBdf2C = (1 + std::numbers::sqrt2) / 2;

class TrBdf2 final : public NewtonMethod {
 public:
  TrBdf2(const MechanicalSystem& system, const NewtonOptions& options) : NewtonMethod(system, options) {}
  const MethodInfo& info() const override { return kTrBdf2Info; }

 private:
  StepStatus advance(const State& now, double h, State& next, Work& work) override {
    const double dh = kTrBdf2D * h;
    StepStatus status = evaluate_acceleration(system_, now, f_, a_, work);
    if (status != StepStatus::ok) return status;
    middle_.t = now.t + kTrBdf2Gamma * h;
    set_backward_euler(now, dh, stage_);
    stage_.t = middle_.t;
    stage_.q0 = now.q + dh * now.v;
    stage_.w0 = now.v + dh * a_;
    status = newton_.solve(stage_, now, f_, middle_.v, work);  // (3)
    if (status != StepStatus::ok) return status;
    middle_.q = stage_.q0 + dh * middle_.v;

    status = evaluate_force(system_, middle_, f_, work);
    if (status != StepStatus::ok) return status;
    next.t = now.t + h;
    set_backward_euler(middle_, dh, stage_);
    stage_.t = next.t;
    stage_.q0 = kTrBdf2C * middle_.q - (kTrBdf2C - 1) * now.q;
    stage_.w0 = kTrBdf2C * middle_.v - (kTrBdf2C - 1) * now.v;
    status = newton_.solve(stage_, middle_, f_, next.v, work);  // (4)
    if (status != StepStatus::ok) return status;
    next.q = stage_.q0 + dh * next.v;
    return check_finite(system_, next);
  }

  DampingPoints damping_points(const State& now, const State& next) override {
    constexpr double b = kTrBdf2C * kTrBdf2D;
    return {{{&now, b}, {&middle_, b}, {&next, kTrBdf2D}}};  // (5)
  }

  State middle_;  // u*
  Vector a_;
};

}  // namespace

MethodEntry tr_bdf2_method() {
  return method_entry<TrBdf2>(kTrBdf2Info);
}

}  // namespace phiflex

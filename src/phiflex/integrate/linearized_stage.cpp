#include "phiflex/integrate/linearized_stage.h"

namespace phiflex {

StepStatus LinearizedStage::solve(const ImplicitStage& stage, const State& now, const Vector& f, Vector& dw,
                                  Work& work) {
  tangent_.linearize(now, stage.shift(), work);
  form_right_hand_side(stage, now, f, work);
  SolveStatus status = tangent_.solve(rhs_, dw, work);
  if (status == SolveStatus::not_positive_definite && tangent_.project(work)) {
    form_right_hand_side(stage, now, f, work);
    status = tangent_.solve(rhs_, dw, work);
  }
  return to_step_status(status);
}

// The right-hand side of (2), with the K that is current.
void LinearizedStage::form_right_hand_side(const ImplicitStage& stage, const State& now, const Vector& f,
                                           Work& work) {
  const AssembledTangent& tangent = tangent_.tangent();
  stage.place(stage.start, at_);
  at_.q -= now.q;
  at_.v -= now.v;
  tangent.load_rate(product_);
  rhs_ = f + (stage.t - now.t) * product_;
  tangent.apply_K(at_.q, product_);
  ++work.stiffness_products;
  rhs_ -= product_;
  if (tangent.D()) {
    tangent.apply_D(at_.v, product_);
    rhs_ -= product_;
  }
  at_.q = stage.start - stage.w0;
  system_.mass().apply(at_.q, product_);
  rhs_ = stage.s * rhs_ - product_;
}

}  // namespace phiflex

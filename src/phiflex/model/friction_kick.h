// Implicit friction of a DeformableModel (system/step_meters.h). With D(v_k) of the velocity that is known, which
// majorizes -dr/dv (body_friction.h, obstacle_friction.h), M lumped or not, and v_0 = v*,
//
//   (M + l D(v_k)) (v_(k+1) - v_k) = l r(v_k) + M (v* - v_k)                                              (1)
//
// by conjugate gradients. Where nothing that rubs is moved, v_k descends to the minimum of |v - v*|_M^2/2 + l R(v), R
// the convex potential of friction, r = -dR/dv: what friction takes is not negative after any number of steps. The
// change of the pressure during the kick is none: positions stay.
#pragma once

#include <memory>

#include "phiflex/linalg/stencil_blocks.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/system/step_meters.h"

namespace phiflex {

class ModelFrictionKick final : public FrictionKick {
 public:
  explicit ModelFrictionKick(const DeformableModel& model);
  // Whether something rubs that this can kick: on several ranks, obstacles alone.
  static bool can(const DeformableModel& model);

  void other_forces(const State& at, Vector& f) override { model_.force_without_friction(at, f); }
  bool others_depend_on_velocity() const override { return others_depend_; }
  double kick(State& at, double length) override;

 private:
  bool look(const State& at);  // r_ and blocks_ there; false: nothing rubs
  void solve(double length);   // d_ of (1) with the right side in residual_

  const DeformableModel& model_;
  bool others_depend_ = false;
  Vector x_, v_, all_, r_;                                             // over all vertices, and the free ones
  Vector start_, change_, product_, residual_, d_, p_, z_, diagonal_;  // over the free ones
  StencilBlocks blocks_;
};

}  // namespace phiflex

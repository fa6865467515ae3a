// A motor: a torque between two parts of a body, about the direction a from one vertex to another. Each part
// turns as a whole about its centre c (the mean of its vertices), with forces
//
//   f_i = w x (x_i - c),     J w = T a,     J = sum (|y|^2 1 - y y'),  y = x_i - c                        (1)
//
// on the rotor and with -T on the stator: no resultant force on either, and torques that cancel exactly. What
// changes in (1) with the positions is not symmetric and is left out of the tangent.
#pragma once

#include <array>
#include <vector>

#include "phiflex/model/load.h"
#include "phiflex/model/modulation.h"

namespace phiflex {

class MotorLoad final : public Load {
 public:
  struct Parts {
    std::array<int, 2> axis;         // vertices
    std::vector<int> rotor, stator;  // vertices, three or more not in a line each
  };
  MotorLoad(Parts parts, double torque, ActiveTime active);

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion&, Vector&) const override {}

 private:
  Parts parts_;
  double torque_;  // N m
  ActiveTime active_;
};

}  // namespace phiflex

// Rayleigh damping of a body, f = -(alpha M + beta K*) v with the stiffness K* of the body's own terms, taken at rest
// or at the current positions (the exact one, not projected).
#pragma once

namespace phiflex {

enum class DampedStiffness { rest, current };

struct BodyDamping {
  double alpha = 0;  // 1/s
  double beta = 0;   // s
  DampedStiffness stiffness = DampedStiffness::rest;

  bool acts() const { return alpha != 0 || beta != 0; }
};

}  // namespace phiflex

// A square linear operator known by its products alone.
#pragma once

#include "phiflex/linalg/team.h"

namespace phiflex {

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual Index size() const = 0;
  virtual void apply(const Vector& x, Vector& y) const = 0;  // y = A x; no allocation when y has its size
  // The infinity norm, or an estimate of it: decides first guesses of step sizes, never correctness.
  virtual double norm() const = 0;
  virtual const Team& team() const { return alone(); }  // the ranks that share its rows
};

}  // namespace phiflex

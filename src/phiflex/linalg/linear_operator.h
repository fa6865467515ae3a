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

// An inner product <x, y> = x'G y by its symmetric positive definite matrix G. Where a pointer to one is
// taken, null means the Euclidean product.
class InnerProduct {
 public:
  virtual ~InnerProduct() = default;
  virtual void apply(const Vector& x, Vector& Gx) const = 0;  // G x; no allocation when Gx has its size
  // Of the ranks that share the vectors: <x, y> is the sum of x'G y over them.
  virtual const Team& team() const { return alone(); }
};

}  // namespace phiflex

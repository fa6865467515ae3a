// An inner product <x, y> = x'G y by its symmetric positive definite matrix G. Where a pointer to one is
// taken, null means the Euclidean product.
#pragma once

#include "phiflex/linalg/team.h"

namespace phiflex {

class InnerProduct {
 public:
  virtual ~InnerProduct() = default;
  virtual void apply(const Vector& x, Vector& Gx) const = 0;  // G x; no allocation when Gx has its size
  // Of the ranks that share the vectors: <x, y> is the sum of x'G y over them.
  virtual const Team& team() const { return alone(); }
};

}  // namespace phiflex

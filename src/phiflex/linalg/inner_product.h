// An inner product <x, y> = x'G y by its symmetric positive definite matrix G. Where a pointer to one is
// taken, null means the Euclidean product.
#pragma once

#include "phiflex/linalg/vector.h"

namespace phiflex {

class InnerProduct {
 public:
  virtual ~InnerProduct() = default;
  virtual void apply(const Vector& x, Vector& Gx) const = 0;  // G x; no allocation when Gx has its size
};

}  // namespace phiflex

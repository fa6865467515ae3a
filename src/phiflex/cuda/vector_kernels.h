// Kernels on vectors of the vertices that several steppers share.
#pragma once

#include "phiflex/cuda/device_values.h"

namespace phiflex::device {

// y = a x + b z
struct Combine {
  double a, b;
  const double *x, *z;
  double* y;
  PHIFLEX_HD void operator()(int i) const {
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = 3 * static_cast<std::size_t>(i) + std::size_t(k);
      y[q] = a * x[q] + b * z[q];
    }
  }
};
// d'M d
struct SquareInMass {
  const double *mass, *d;
  PHIFLEX_HD Sums<1> operator()(int i) const {
    const Vec3<double> own = load3(d, i);
    return {{load(mass + i) * dot(own, own)}};
  }
};
// a'a and b'b: finite only where both vectors are.
struct SquaresOfTwo {
  const double *a, *b;
  PHIFLEX_HD Sums<2> operator()(int i) const {
    const Vec3<double> ai = load3(a, i), bi = load3(b, i);
    return {{dot(ai, ai), dot(bi, bi)}};
  }
};
// b = f + m gravity - h K v: the right-hand side of a step that is linearized at its beginning.
struct SiRightSide {
  double h;
  Vec3<double> gravity;
  const double *mass, *f, *Kv;
  double* b;
  PHIFLEX_HD void operator()(int i) const {
    store3(b, i, load3(f, i) + load(mass + i) * gravity - h * load3(Kv, i));
  }
};

}  // namespace phiflex::device

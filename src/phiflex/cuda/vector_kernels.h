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
// What acts on the vertices from outside.
struct Outside {
  Vec3<double> gravity;          // m/s^2
  const double* load = nullptr;  // N, of the free vertices; null: none
  // f and the load.
  PHIFLEX_HD Vec3<double> with_load(const Vec3<double>& f, int i) const {
    return load ? f + load3(load, i) : f;
  }
};

// b = f + m gravity - h K v: the right-hand side of a step that is linearized at its beginning. f with the load,
struct SiRightSide {
  double h;
  Outside outside;
  const double *mass, *f, *Kv;
  double* b;
  PHIFLEX_HD void operator()(int i) const {
    store3(b, i, outside.with_load(load3(f, i), i) + load(mass + i) * outside.gravity - h * load3(Kv, i));
  }
};

}  // namespace phiflex::device
